/*
 * The Ruby stack of the calling thread, and exceptions. The functions of Ruby are looked up in the process, since most
 * processes have none.
 *
 * A frame is the address of an object of Ruby. An object of ours marks all that are in the table by address, so that
 * the garbage collector neither frees nor moves them. Events of the collector would be simpler, but Ruby 3.1 crashes if
 * one happens while a thread starts (GC.stress shows it).
 *
 * Without the VM lock, another thread may collect garbage and move objects meanwhile. So a reader without it goes on
 * only outside of a collection, and each marking waits for the readers; objects are moved only after a marking.
 *
 * Ruby's own tables of symbols are not read without the VM lock. A frame of a method in C whose name is unknown gets it
 * later: at the next call with the lock, or at exit.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

typedef unsigned long VALUE; /* of Ruby */

/* A bit of rb_event_flag_t, the same in all Rubies. */
#define EVENT_RAISE 0x80u
#define SAFE_AND_RAW 0x5 /* the hook is called with Ruby's record of the event */

#define MOST_FRAMES 64
#define MOST_FRAMES_OF_RAISE 4096 /* a deeper stack counts as this deep */
#define KEPT_FRAMES_OF_RAISE 100
#define KNOWN_STACKS 4096
#define KNOWN_FRAMES 32768 /* more than these are forgotten, all at once */
#define PLACES (2 * KNOWN_FRAMES)
#define NAMELESS 1024

static struct {
    int (*native_thread_p)(void);
    int (*has_gvl_p)(void);
    int (*profile_frames)(int start, int limit, VALUE *frames, int *lines);
    VALUE (*path)(VALUE frame);
    VALUE (*absolute_path)(VALUE frame);
    VALUE (*label)(VALUE frame);       /* of code in Ruby */
    VALUE (*method_name)(VALUE frame); /* also of a method in C */
    char *(*string_value_ptr)(volatile VALUE *);
    void (*add_event_hook)(void (*)(VALUE, void *), unsigned events, VALUE data, int flags);
    void (*gc_register_mark_object)(VALUE);
    int (*during_gc)(void);
    void (*gc_mark)(VALUE);
    VALUE (*data_object_wrap)(VALUE, void *, void (*)(void *), void (*)(void *));
    VALUE (*tracearg_raised_exception)(void *);
    VALUE (*obj_class)(VALUE);
    const char *(*class2name)(VALUE);
    VALUE (*class_superclass)(VALUE);
    VALUE (*attr_get)(VALUE, VALUE);
    VALUE (*intern)(const char *);
    void (*vm_at_exit)(void (*)(void *));
    void (*set_end_proc)(void (*)(VALUE), VALUE);
    VALUE *object_class;
    int (*const_defined)(VALUE, VALUE name);
    VALUE (*gc_disable)(void);
    VALUE (*gc_enable)(void);
    const char *version;
} ruby;

static bool ready, ended;
static unsigned depth = 12;
static _Atomic int reading; /* threads without the VM lock that read frames */

/* Tables by address. Our lock guards them. */
static struct known_frame {
    VALUE frame;
    uint32_t line, id;
} frames[KNOWN_FRAMES];
static uint32_t frame_count, places[PLACES]; /* a hash table of numbers in `frames`, from 1 */
static struct known_stack {
    uint64_t hash; /* of the addresses and lines; 0: none */
    uint32_t id;
} stacks[KNOWN_STACKS];

static struct {
    VALUE frame;
    uint32_t id;
} nameless[NAMELESS];
static unsigned nameless_count;
static uint32_t nameless_serial;

/* Looks up Ruby's functions, if this process has a Ruby with all of them. */
void
frugal_ruby_find(void)
{
    static const struct {
        void *field;
        const char *name;
    } functions[] = {
        { &ruby.native_thread_p, "ruby_native_thread_p" },
        { &ruby.has_gvl_p, "ruby_thread_has_gvl_p" },
        { &ruby.path, "rb_profile_frame_path" },
        { &ruby.absolute_path, "rb_profile_frame_absolute_path" },
        { &ruby.label, "rb_profile_frame_label" },
        { &ruby.method_name, "rb_profile_frame_method_name" },
        { &ruby.string_value_ptr, "rb_string_value_ptr" },
        { &ruby.add_event_hook, "rb_add_event_hook2" },
        { &ruby.gc_register_mark_object, "rb_gc_register_mark_object" },
        { &ruby.during_gc, "rb_during_gc" },
        { &ruby.gc_mark, "rb_gc_mark" },
        { &ruby.data_object_wrap, "rb_data_object_wrap" },
        { &ruby.tracearg_raised_exception, "rb_tracearg_raised_exception" },
        { &ruby.obj_class, "rb_obj_class" },
        { &ruby.class2name, "rb_class2name" },
        { &ruby.class_superclass, "rb_class_superclass" },
        { &ruby.attr_get, "rb_attr_get" },
        { &ruby.intern, "rb_intern" },
        { &ruby.vm_at_exit, "ruby_vm_at_exit" },
        { &ruby.set_end_proc, "rb_set_end_proc" },
        { &ruby.object_class, "rb_cObject" },
        { &ruby.const_defined, "rb_const_defined" },
        { &ruby.gc_disable, "rb_gc_disable" },
        { &ruby.gc_enable, "rb_gc_enable" },
        { &ruby.version, "ruby_version" },
        { &ruby.profile_frames, "rb_profile_frames" },
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(RTLD_DEFAULT, functions[i].name);
        if (!found) {
            ruby.profile_frames = NULL;
            return;
        }
        *(void **)functions[i].field = found;
    }
}

void
frugal_ruby_set_depth(unsigned frame_count)
{
    depth = frame_count > MOST_FRAMES ? MOST_FRAMES : frame_count;
}

static void
forget_frames(void)
{
    if (!frame_count) return;
    memset(places, 0, sizeof places);
    memset(stacks, 0, sizeof stacks);
    frame_count = nameless_count = 0;
}

static uint32_t
string_of(VALUE string)
{
    const char *bytes = ruby.string_value_ptr(&string);

    return frugal_log_string(bytes, strlen(bytes));
}

static bool
is_nil(VALUE value)
{
    return value == 8 || value == 4;
} /* Qnil: 8 up to Ruby 3.1, 4 from 3.2 on */

/* The names of methods in C. The VM lock is held, and ours is not: Ruby may wait here until another Ractor has collected
 * garbage, whose marking takes our lock. */
static void
method_names(const VALUE *addresses, const int *lines, int count, VALUE *names)
{
    for (int i = 0; i < count; i++) names[i] = lines[i] ? 0 : ruby.method_name(addresses[i]);
}

static uint32_t
iseq_frame(VALUE frame, int line)
{
    VALUE path = ruby.absolute_path(frame);
    if (is_nil(path)) path = ruby.path(frame); /* of eval */
    if (is_nil(path)) return 0;
    VALUE label = ruby.label(frame);
    uint32_t fields[3] = { string_of(path), (uint32_t)line, is_nil(label) ? 0 : string_of(label) };
    return frugal_log_define(DEFINITION_FRAME, fields, sizeof fields, "", 0);
}

/* A method in C. Without the VM lock, its name is unknown: 0. */
static uint32_t
c_frame(VALUE frame, VALUE name)
{
    if (name) {
        uint32_t fields[3] = { 0, 0, is_nil(name) ? 0 : string_of(name) };
        return frugal_log_define(DEFINITION_FRAME, fields, sizeof fields, "", 0);
    }
    for (unsigned i = 0; i < nameless_count; i++)
        if (nameless[i].frame == frame) return nameless[i].id;
    if (nameless_count == NAMELESS) return 0;
    uint32_t fields[3] = { 0, ++nameless_serial, 0 };
    uint32_t id = frugal_log_define(DEFINITION_FRAME, fields, sizeof fields, "", 0);
    nameless[nameless_count].frame = frame;
    nameless[nameless_count++].id = id;
    return id;
}

/* The VM lock is held, and ours is not. */
static void
name_frames(void)
{
    while (nameless_count) {
        frugal_lock();
        bool found = nameless_count > 0;
        volatile VALUE frame = found ? nameless[--nameless_count].frame : 0; /* volatile: the collector sees it */
        uint32_t id = found ? nameless[nameless_count].id : 0;
        frugal_unlock();
        VALUE name = found ? ruby.method_name(frame) : 0;
        if (!name || is_nil(name)) continue;
        frugal_lock();
        uint32_t fields[2] = { id, string_of(name) };
        frugal_log_define(DEFINITION_LABEL, fields, sizeof fields, "", 0);
        frugal_unlock();
    }
}

static uint32_t
frame_id(VALUE frame, int line, VALUE name)
{
    VALUE key[2] = { frame, (VALUE)line };
    size_t at = frugal_hash(key, sizeof key, 0) % PLACES;

    for (; places[at]; at = (at + 1) % PLACES) {
        const struct known_frame *known = &frames[places[at] - 1];
        if (known->frame == frame && known->line == (uint32_t)line) return known->id;
    }
    uint32_t id = line ? iseq_frame(frame, line) : c_frame(frame, name);
    frames[frame_count] = (struct known_frame){ frame, (uint32_t)line, id };
    places[at] = ++frame_count;
    return id;
}

/* Our lock is held. The names of methods in C may be unknown: NULL. */
static uint32_t
stack_id(const VALUE *addresses, const int *lines, const VALUE *names, int count)
{
    uint32_t ids[KEPT_FRAMES_OF_RAISE];

    if (frame_count + KEPT_FRAMES_OF_RAISE > KNOWN_FRAMES) forget_frames();
    for (int i = 0; i < count; i++) ids[i] = frame_id(addresses[i], lines[i], names ? names[i] : 0);
    return frugal_log_define(DEFINITION_STACK, "", 0, ids, (size_t)count * sizeof *ids);
}

static void
leave_without_lock(void)
{
    atomic_fetch_sub(&reading, 1);
    frugal_thread.reading = false;
}

static void
enter_without_lock(void)
{
    for (;;) {
        frugal_thread.reading = true;
        atomic_fetch_add(&reading, 1);
        if (!ruby.during_gc()) return;
        leave_without_lock();
        frugal_pause();
    }
}

static uint32_t
known_stack(uint64_t hash)
{
    frugal_lock();
    const struct known_stack *known = &stacks[hash % KNOWN_STACKS];
    uint32_t id = known->hash == hash ? known->id : 0;
    frugal_unlock();
    return id;
}

static uint32_t
new_stack(uint64_t hash, const VALUE *addresses, const int *lines, const VALUE *names, int count)
{
    frugal_lock();
    struct known_stack *known = &stacks[hash % KNOWN_STACKS];
    uint32_t id = stack_id(addresses, lines, names, count);
    known->hash = 0; /* a signal handler may jump from between these lines */
    atomic_signal_fence(memory_order_seq_cst);
    known->id = id;
    atomic_signal_fence(memory_order_seq_cst);
    known->hash = hash;
    frugal_unlock();
    return id;
}

static uint32_t
capture(bool locked)
{
    VALUE addresses[MOST_FRAMES], names[MOST_FRAMES];
    int lines[MOST_FRAMES];
    int count = ruby.profile_frames(0, (int)depth, addresses, lines);

    if (count <= 0) return 0;
    uint64_t hash = frugal_hash(lines, (size_t)count * sizeof *lines, frugal_hash(addresses, (size_t)count * 8, 1));
    if (locked && UNLIKELY(nameless_count)) name_frames();
    uint32_t id = known_stack(hash);
    if (id) return id;
    if (locked) method_names(addresses, lines, count, names);
    return new_stack(hash, addresses, lines, locked ? names : NULL, count);
}

/* Ruby's program calls `ruby_options` when the VM has started, but where Ruby is linked statically, this library does
 * not see it; nor if the VM is embedded in another program. There, the VM has started once it has its last constants. */
static void
find_vm(void)
{
    if (ended || !ruby.profile_frames || !ruby.native_thread_p() || !ruby.has_gvl_p() || ruby.during_gc()) return;
    if (!*ruby.object_class || !ruby.const_defined(*ruby.object_class, ruby.intern("RUBY_DESCRIPTION"))) return;
    VALUE disabled = ruby.gc_disable();
    frugal_ruby_ready();
    if (!disabled) ruby.gc_enable();
}

/* Returns the definition of the calling thread's stack; 0 outside of Ruby. */
uint32_t
frugal_ruby_stack(void)
{
    if (UNLIKELY(!ready)) find_vm();
    if (!ready || !ruby.native_thread_p()) return 0;
    if (ruby.has_gvl_p()) return ruby.during_gc() ? 0 : capture(true);
    enter_without_lock();
    uint32_t id = capture(false);
    leave_without_lock();
    return id;
}

/* Called by the collector in each marking. */
static void
mark_frames(void *unused)
{
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load(&reading)) frugal_pause();
    bool has_lock = frugal_has_lock();
    if (!has_lock) frugal_lock();
    for (size_t i = 0; i < frame_count; i++) ruby.gc_mark(frames[i].frame);
    if (!has_lock) frugal_unlock();
}

/* The names of a class and its superclasses, one a line. */
static size_t
ancestors(VALUE exception_class, char *names, size_t most)
{
    size_t size = 0;

    for (VALUE at = exception_class; !is_nil(at) && at; at = ruby.class_superclass(at)) {
        const char *name = ruby.class2name(at);
        size_t length = strlen(name);
        if (size + length + 1 > most) break;
        memcpy(names + size, name, length);
        names[size + length] = '\n';
        size += length + 1;
        if (strcmp(name, "Exception") == 0) break;
    }
    return size;
}

static void
on_raise(VALUE unused, void *event_of_ruby)
{
    static VALUE addresses[MOST_FRAMES_OF_RAISE]; /* the VM lock is held; the stack may be nearly full */
    static int lines[MOST_FRAMES_OF_RAISE];
    VALUE methods[KEPT_FRAMES_OF_RAISE];
    struct event event;
    char names[1024];

    if (!ready || !frugal_begin(&event)) return;
    VALUE exception = ruby.tracearg_raised_exception(event_of_ruby);
    size_t size = ancestors(ruby.obj_class(exception), names, sizeof names);
    VALUE number = ruby.attr_get(exception, ruby.intern("errno"));
    const char *end = memchr(names, '\n', size);
    int count = ruby.profile_frames(0, MOST_FRAMES_OF_RAISE, addresses, lines);
    int kept = count > KEPT_FRAMES_OF_RAISE ? KEPT_FRAMES_OF_RAISE : count;
    method_names(addresses, lines, kept, methods);
    frugal_lock();
    event.stack = count > 0 ? stack_id(addresses, lines, methods, kept) : 0;
    event.path = frugal_log_string(names, end ? (size_t)(end - names) : 0);
    event.to = frugal_log_string(names, size);
    frugal_unlock();
    event.bytes = count;
    event.error = number & 1 ? (uint16_t)((long)number >> 1) : 0; /* a small Integer */
    frugal_end(&event, CALL_raise, false);
}

/* After the program's own handlers of exit. */
static void
before_exit(VALUE unused)
{
    name_frames();
}

static void
on_exit(void *vm)
{
    ended = true;
    ready = false;
}

/* The VM has started. An event of raise does not instrument the code of the program. */
void
frugal_ruby_ready(void)
{
    if (ready || ended || !ruby.profile_frames) return;
    ruby.gc_register_mark_object(ruby.data_object_wrap(0, frames, mark_frames, NULL));
    ruby.add_event_hook(on_raise, EVENT_RAISE, 0, SAFE_AND_RAW);
    ruby.set_end_proc(before_exit, 0);
    ruby.vm_at_exit(on_exit);
    ready = true;
    frugal_log_set_ruby(ruby.version);
}

/* A signal handler jumped out of the recorder. */
void
frugal_ruby_jumped(void)
{
    if (frugal_thread.reading) leave_without_lock();
}

/* In the child, whose log is another one. */
void
frugal_ruby_forked(void)
{
    atomic_store(&reading, 0);
    forget_frames();
}

const char *
frugal_ruby_version(void)
{
    return ready ? ruby.version : NULL;
}

/* Ruby's program calls this after the VM has started and before it reads any file of Ruby. */
EXPORT void *
ruby_options(int argc, char **argv)
{
    if (frugal_recording) frugal_ruby_ready();
    void *(*next)(int, char **) = (void *(*)(int, char **))frugal_next("ruby_options");
    return next(argc, argv);
}
