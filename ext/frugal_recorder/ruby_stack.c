/*
 * The Ruby stack of the calling thread. The functions of Ruby are looked up in the process, since most processes have
 * no Ruby.
 *
 * A frame is the address of an object of Ruby. An object of the recorder marks all frames in the table by address, so
 * the garbage collector neither frees nor moves them. Events of the collector would be simpler, but Ruby 3.1 crashes if
 * such an event happens while a thread starts (GC.stress shows the crash).
 *
 * While a thread reads frames without the VM lock, another thread may collect garbage and move objects. So such a
 * reader starts only outside of a collection, and each marking waits for the readers; objects are moved only after a
 * marking.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include "ruby_frames.h"
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>

/* A bit of rb_event_flag_t, the same in all Rubies. */
#define EVENT_RAISE 0x80u
#define EVENT_THREAD_BEGIN 0x400u
#define SAFE_AND_RAW 0x5 /* the hook is called with Ruby's record of the event */

#define MOST_FRAMES 64

static struct {
    int (*native_thread_p)(void);
    int (*has_gvl_p)(void);
    int (*profile_frames)(int start, int limit, VALUE *frames, int *lines);
    void (*add_event_hook)(void (*)(VALUE, void *), unsigned events, VALUE data, int flags);
    void (*gc_register_mark_object)(VALUE);
    int (*during_gc)(void);
    void (*gc_mark)(VALUE);
    VALUE (*data_object_wrap)(VALUE, void *, void (*)(void *), void (*)(void *));
    VALUE (*intern)(const char *);
    void (*vm_at_exit)(void (*)(void *));
    void (*set_end_proc)(void (*)(VALUE), VALUE);
    VALUE *object_class;
    int (*const_defined)(VALUE, VALUE name);
    VALUE (*gc_disable)(void);
    VALUE (*gc_enable)(void);
    const char *version;
} ruby;

static struct {
    uintptr_t start;
    size_t size; /* bytes */
} code;          /* of Ruby, without extensions */
static const struct frugal_ruby_hooks *hooks;
static bool ready, ended;
static bool agent_waits; /* the agent waits until the VM can run it */
static unsigned depth = MOST_FRAMES;
static _Atomic int reading; /* the number of threads that read frames without the VM lock */

/* Finds the code of Ruby. Asked later, the loader might wait for a lock that a thread held while this process forked. */
static int
find_code(struct dl_phdr_info *object, size_t size, void *unused)
{
    uintptr_t function = (uintptr_t)ruby.profile_frames - object->dlpi_addr;

    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];

        if (segment->p_type != PT_LOAD || function - segment->p_vaddr >= segment->p_memsz) continue;
        code.start = object->dlpi_addr + segment->p_vaddr;
        code.size = segment->p_memsz;
        return 1;
    }
    return 0;
}

/* Looks up Ruby's functions, if this process has a Ruby with all of them. */
void
frugal_ruby_find(const struct frugal_ruby_hooks *ruby_hooks)
{
    static const struct frugal_symbol functions[] = {
        { &ruby.native_thread_p, "ruby_native_thread_p" },
        { &ruby.has_gvl_p, "ruby_thread_has_gvl_p" },
        { &ruby.add_event_hook, "rb_add_event_hook2" },
        { &ruby.gc_register_mark_object, "rb_gc_register_mark_object" },
        { &ruby.during_gc, "rb_during_gc" },
        { &ruby.gc_mark, "rb_gc_mark" },
        { &ruby.data_object_wrap, "rb_data_object_wrap" },
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

    if (!frugal_frames_find() || !frugal_symbols_find(functions, sizeof functions / sizeof *functions)) {
        ruby.profile_frames = NULL;
        return;
    }
    hooks = ruby_hooks;
    dl_iterate_phdr(find_code, NULL);
    frugal_ractors_find();
}

void
frugal_ruby_set_depth(unsigned frame_count)
{
    depth = frame_count > MOST_FRAMES ? MOST_FRAMES : frame_count;
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
capture(bool locked)
{
    VALUE addresses[MOST_FRAMES], names[MOST_FRAMES];
    int lines[MOST_FRAMES];
    int count = ruby.profile_frames(0, (int)depth, addresses, lines);

    if (count <= 0) return 0;
    uint64_t hash = frugal_frames_hash(addresses, lines, count);
    if (locked && UNLIKELY(frugal_frames_nameless())) frugal_frames_name();
    uint32_t id = frugal_frames_known(hash);
    if (id) return id;
    if (locked) frugal_frames_names(addresses, lines, count, names);
    return frugal_frames_new(hash, addresses, lines, locked ? names : NULL, count);
}

/* Detects the start of the VM. The ruby command calls `ruby_options` at that time, but this library does not see the
 * call if Ruby is linked statically or embedded in another program. Then the VM has started once its last constants
 * exist. */
static void
find_vm(void)
{
    if (ended || !ruby.profile_frames || !ruby.native_thread_p() || !ruby.has_gvl_p() || ruby.during_gc()) return;
    if (!*ruby.object_class || !ruby.const_defined(*ruby.object_class, ruby.intern("RUBY_DESCRIPTION"))) return;
    VALUE disabled = ruby.gc_disable();
    frugal_ruby_ready();
    if (!disabled) ruby.gc_enable();
    agent_waits = hooks->prepare_agent();
}

void
frugal_ruby_agent_waits(void)
{
    agent_waits = true;
}

/* Returns the definition of the calling thread's stack; 0 outside of Ruby. */
uint32_t
frugal_ruby_stack(void)
{
    if (UNLIKELY(!ready)) find_vm();
    if (!ready || !ruby.native_thread_p()) return 0;
    frugal_ractors_note();
    if (UNLIKELY(agent_waits)) {
        agent_waits = false;
        hooks->load_agent();
    }
    if (ruby.has_gvl_p()) return ruby.during_gc() ? 0 : capture(true);
    enter_without_lock();
    uint32_t id = capture(false);
    leave_without_lock();
    return id;
}

/* The collector calls this in each marking. */
static void
mark_frames(void *unused)
{
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load(&reading)) frugal_pause();
    bool has_lock = frugal_has_lock();
    if (!has_lock) frugal_lock();
    frugal_frames_each(ruby.gc_mark);
    if (!has_lock) frugal_unlock();
}

/* Called after the program's own exit handlers. */
static void
before_exit(VALUE unused)
{
    frugal_frames_name();
    frugal_ractors_note();
}

static void
on_exit(void *vm)
{
    ended = true;
    ready = false;
}

/* Called when the VM has started. A hook for raise does not instrument the code of the program. */
void
frugal_ruby_ready(void)
{
    if (ready || ended || !ruby.profile_frames) return;
    ruby.gc_register_mark_object(ruby.data_object_wrap(0, &ready, mark_frames, NULL));
    ruby.add_event_hook(hooks->raised, EVENT_RAISE, 0, SAFE_AND_RAW);
    ruby.add_event_hook(hooks->thread_started, EVENT_THREAD_BEGIN, 0, SAFE_AND_RAW);
    ruby.set_end_proc(before_exit, 0);
    ruby.vm_at_exit(on_exit);
    ready = true;
    frugal_log_set_ruby(ruby.version);
    hooks->started();
}

/* Called when a signal handler jumped out of the recorder. */
void
frugal_ruby_jumped(void)
{
    if (frugal_thread.reading) leave_without_lock();
}

/* Called in the child of a fork, which has another log. */
void
frugal_ruby_forked(void)
{
    atomic_store(&reading, 0);
    frugal_frames_forget();
}

/* Whether the address belongs to Ruby itself, and not to an extension. */
bool
frugal_ruby_has(const void *address)
{
    return (uintptr_t)address - code.start < code.size;
}

const char *
frugal_ruby_version(void)
{
    return ready ? ruby.version : NULL;
}

/* The ruby command calls this after the VM has started and before it reads any Ruby file. */
EXPORT void *
ruby_options(int argc, char **argv)
{
    if (frugal_recording) frugal_ruby_ready();
    void *(*next)(int, char **) = (void *(*)(int, char **))frugal_next("ruby_options");
    return next(argc, argv);
}
