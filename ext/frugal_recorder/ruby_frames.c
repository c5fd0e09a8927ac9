/*
 * Finds the definitions of Ruby's frames and stacks by the addresses of Ruby's objects. The caller ensures that the
 * objects do not move.
 *
 * Ruby's own symbol tables are not read without the VM lock. So a frame of a method in C may have no name at first. It
 * gets its name later: at the next call with the lock, or at exit.
 */
#define _GNU_SOURCE
#include "ruby_frames.h"
#include "hash.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#define KNOWN_STACKS 4096
#define KNOWN_FRAMES 32768 /* when the table is full, all are forgotten */
#define PLACES (2 * KNOWN_FRAMES)
#define NAMELESS 1024

static struct {
    VALUE (*path)(VALUE frame);
    VALUE (*absolute_path)(VALUE frame);
    VALUE (*label)(VALUE frame);       /* of code in Ruby */
    VALUE (*method_name)(VALUE frame); /* also of a method in C */
    char *(*string_value_ptr)(volatile VALUE *);
} ruby;

/* Tables by address. Our lock guards them. */
static struct known_frame {
    VALUE frame;
    uint32_t line, id;
} frames[KNOWN_FRAMES];
static uint32_t frame_count, places[PLACES]; /* a hash table of numbers in `frames`, from 1 */
static struct known_stack {
    _Atomic uint64_t hash; /* of the addresses and lines; 0: none */
    _Atomic uint32_t id;
} stacks[KNOWN_STACKS];

static struct {
    VALUE frame;
    uint32_t id;
} nameless[NAMELESS];
static unsigned nameless_count;
static uint32_t nameless_serial;

/* Looks up the symbols. Returns whether the process has all of them. */
bool
frugal_symbols_find(const struct frugal_symbol *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(RTLD_DEFAULT, symbols[i].name);
        if (!found) return false;
        *(void **)symbols[i].field = found;
    }
    return true;
}

bool
frugal_frames_find(void)
{
    static const struct frugal_symbol functions[] = {
        { &ruby.path, "rb_profile_frame_path" },           { &ruby.absolute_path, "rb_profile_frame_absolute_path" },
        { &ruby.label, "rb_profile_frame_label" },         { &ruby.method_name, "rb_profile_frame_method_name" },
        { &ruby.string_value_ptr, "rb_string_value_ptr" },
    };

    return frugal_symbols_find(functions, sizeof functions / sizeof *functions);
}

/* Visits each known frame. Our lock is held. */
void
frugal_frames_each(void (*visit)(VALUE))
{
    for (size_t i = 0; i < frame_count; i++) visit(frames[i].frame);
}

bool
frugal_frames_nameless(void)
{
    return nameless_count > 0;
}

void
frugal_frames_forget(void)
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

/* Sets `names` to the names of methods in C. The VM lock is held, and ours is not: Ruby may wait here until another
 * Ractor has collected garbage, and the marking takes our lock. */
void
frugal_frames_names(const VALUE *addresses, const int *lines, int count, VALUE *names)
{
    for (int i = 0; i < count; i++) names[i] = lines[i] ? 0 : ruby.method_name(addresses[i]);
}

static uint32_t
iseq_frame(VALUE frame, int line)
{
    VALUE path = ruby.absolute_path(frame);
    if (is_nil(path)) path = ruby.path(frame); /* code of eval */
    if (is_nil(path)) return 0;
    VALUE label = ruby.label(frame);
    uint32_t fields[3] = { string_of(path), (uint32_t)line, is_nil(label) ? 0 : string_of(label) };
    return frugal_log_define(DEFINITION_FRAME, fields, sizeof fields, "", 0);
}

/* Returns the frame of a method in C. Without the VM lock, its name is unknown: 0. */
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

/* Writes the labels of frames without a name. The VM lock is held, and ours is not. */
void
frugal_frames_name(void)
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
    size_t at = frugal_frames_hash(&frame, &line, 1) % PLACES;

    for (; places[at]; at = (at + 1) % PLACES) {
        const struct known_frame *known = &frames[places[at] - 1];
        if (known->frame == frame && known->line == (uint32_t)line) return known->id;
    }
    uint32_t id = line ? iseq_frame(frame, line) : c_frame(frame, name);
    frames[frame_count] = (struct known_frame){ frame, (uint32_t)line, id };
    places[at] = ++frame_count;
    return id;
}

/* Returns the definition of a stack. Our lock is held. `names` is NULL if the names of methods in C are unknown. */
uint32_t
frugal_frames_stack(const VALUE *addresses, const int *lines, const VALUE *names, int count)
{
    uint32_t ids[FRUGAL_MOST_FRAMES];

    if (frame_count + FRUGAL_MOST_FRAMES > KNOWN_FRAMES) frugal_frames_forget();
    for (int i = 0; i < count; i++) ids[i] = frame_id(addresses[i], lines[i], names ? names[i] : 0);
    return frugal_log_define(DEFINITION_STACK, "", 0, ids, (size_t)count * sizeof *ids);
}

/* Returns the hash of a stack, a number other than 0. */
uint64_t
frugal_frames_hash(const VALUE *addresses, const int *lines, int count)
{
    uint64_t hash = FRUGAL_HASH_B ^ (uint64_t)count;

    for (int i = 0; i < count; i++) hash = frugal_hash_pair(hash, addresses[i], (uint32_t)lines[i]);
    hash = frugal_fold(hash, FRUGAL_HASH_B);
    return hash ? hash : 1;
}

/* Returns the id of a known stack, or 0. Works without our lock: the id is valid only if the hash is the same before
 * and after the id was read. */
uint32_t
frugal_frames_known(uint64_t hash)
{
    struct known_stack *known = &stacks[hash % KNOWN_STACKS];

    if (atomic_load_explicit(&known->hash, memory_order_acquire) != hash) return 0;
    uint32_t id = atomic_load_explicit(&known->id, memory_order_acquire);
    return atomic_load_explicit(&known->hash, memory_order_relaxed) == hash ? id : 0;
}

uint32_t
frugal_frames_new(uint64_t hash, const VALUE *addresses, const int *lines, const VALUE *names, int count)
{
    frugal_lock();
    struct known_stack *known = &stacks[hash % KNOWN_STACKS];
    uint32_t id = frugal_frames_stack(addresses, lines, names, count);
    atomic_store(&known->hash, 0); /* between these lines, other threads read and a signal handler may jump */
    atomic_store(&known->id, id);
    atomic_store(&known->hash, hash);
    frugal_unlock();
    return id;
}
