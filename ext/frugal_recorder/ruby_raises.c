/* Exceptions of Ruby: one event for each, with the stack of its place. */
#define _GNU_SOURCE
#include "recorder.h"
#include "ruby_frames.h"
#include <string.h>

#define MOST_FRAMES_OF_RAISE 4096 /* a deeper stack is recorded with this depth */
#define KEPT_FRAMES_OF_RAISE FRUGAL_MOST_FRAMES

static struct {
    VALUE (*tracearg_raised_exception)(void *);
    VALUE (*obj_class)(VALUE);
    const char *(*class2name)(VALUE);
    VALUE (*class_superclass)(VALUE);
    VALUE (*attr_get)(VALUE, VALUE);
    VALUE (*intern)(const char *);
    int (*profile_frames)(int start, int limit, VALUE *frames, int *lines);
} ruby;

/* Looks up Ruby's functions. Returns false if this process has no Ruby with all of them. */
bool
frugal_raises_find(void)
{
    static const struct frugal_symbol functions[] = {
        { &ruby.tracearg_raised_exception, "rb_tracearg_raised_exception" },
        { &ruby.obj_class, "rb_obj_class" },
        { &ruby.class2name, "rb_class2name" },
        { &ruby.class_superclass, "rb_class_superclass" },
        { &ruby.attr_get, "rb_attr_get" },
        { &ruby.intern, "rb_intern" },
        { &ruby.profile_frames, "rb_profile_frames" },
    };

    return frugal_symbols_find(functions, sizeof functions / sizeof *functions);
}

/* Writes the names of a class and its superclasses, one per line. Returns their size. */
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

/* Ruby calls this for each exception. */
void
frugal_on_raise(VALUE unused, void *event_of_ruby)
{
    static VALUE addresses[MOST_FRAMES_OF_RAISE]; /* the VM lock is held; the stack may be nearly full */
    static int lines[MOST_FRAMES_OF_RAISE];
    VALUE methods[KEPT_FRAMES_OF_RAISE], frames[KEPT_FRAMES_OF_RAISE]; /* on the stack, where the collector sees them */
    struct event event;
    char names[1024];

    if (!frugal_ruby_version() || !frugal_begin(&event)) return;
    VALUE exception = ruby.tracearg_raised_exception(event_of_ruby);
    size_t size = ancestors(ruby.obj_class(exception), names, sizeof names);
    VALUE number = ruby.attr_get(exception, ruby.intern("errno"));
    const char *end = memchr(names, '\n', size);
    int count = ruby.profile_frames(0, MOST_FRAMES_OF_RAISE, addresses, lines);
    int kept = count > KEPT_FRAMES_OF_RAISE ? KEPT_FRAMES_OF_RAISE : count;
    if (kept > 0) memcpy(frames, addresses, (size_t)kept * sizeof *frames);
    frugal_frames_names(frames, lines, kept, methods);
    frugal_lock();
    event.stack = count > 0 ? frugal_frames_stack(frames, lines, methods, kept) : 0;
    event.path = frugal_log_string(names, end ? (size_t)(end - names) : 0);
    event.to = frugal_log_string(names, size);
    frugal_unlock();
    event.bytes = count;
    event.error = number & 1 ? (uint16_t)((long)number >> 1) : 0; /* a small Integer */
    frugal_end(&event, CALL_raise, false);
}
