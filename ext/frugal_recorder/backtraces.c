/*
 * Records backtraces that are rendered to strings, which makes no call of libc. After the first one, output to
 * terminals, pipes and sockets is recorded, too: its size shows whether it can contain a backtrace.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include "methods.h"
#include <dlfcn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

#define TYPE_MASK 0x1f /* of the flags that each object of Ruby begins with */
#define TYPE_DATA 0x0c
#define RECENT 8

static VALUE (*stock_backtrace)(VALUE);
static VALUE (*stock_full_message)(int, const VALUE *, VALUE);
static bool rendered_any;
static VALUE recent[RECENT][2]; /* the VM lock guards it */
static unsigned recent_count;

/* Returns whether the value is nil, true, false, or a number or symbol without an object. */
static bool
is_immediate(VALUE value)
{
    return (value & 7) != 0 || value <= 8;
}

/* Returns the backtrace as Ruby keeps it before it is rendered; 0 if the exception has no backtrace, or an array of
 * strings. */
static VALUE
raw_backtrace(VALUE exception)
{
    VALUE backtrace = OF_RUBY(rb_attr_get)(exception, OF_RUBY(rb_intern)("bt"));

    return !is_immediate(backtrace) && (*(VALUE *)backtrace & TYPE_MASK) == TYPE_DATA ? backtrace : 0;
}

/* Returns whether these lines were not recorded yet: Ruby renders a backtrace once and keeps the array. */
static bool
is_new(VALUE raw, VALUE lines)
{
    for (int i = 0; i < RECENT; i++)
        if (recent[i][0] == raw && recent[i][1] == lines) return false;
    recent[recent_count % RECENT][0] = raw;
    recent[recent_count++ % RECENT][1] = lines;
    return true;
}

static long
length(VALUE lines)
{
    long least = 0, most = 1;

    while (!is_immediate(OF_RUBY(rb_ary_entry)(lines, most - 1))) most *= 2;
    for (least = most / 2; least < most - 1;) {
        long middle = (least + most) / 2;
        if (is_immediate(OF_RUBY(rb_ary_entry)(lines, middle - 1))) most = middle;
        else least = middle;
    }
    return least;
}

static void
rendered(struct event *event, VALUE raw, VALUE lines)
{
    if (is_immediate(lines) || !is_new(raw, lines)) return;
    event->bytes = length(lines);
    rendered_any = true;
    frugal_end(event, CALL_backtrace, false);
}

static VALUE
backtrace(VALUE exception)
{
    struct event event;
    VALUE raw = raw_backtrace(exception);

    if (!raw || !frugal_begin(&event)) return stock_backtrace(exception);
    VALUE lines = stock_backtrace(exception);
    rendered(&event, raw, lines);
    return lines;
}

static VALUE
full_message(int argc, const VALUE *argv, VALUE exception)
{
    struct event event;
    VALUE raw = raw_backtrace(exception);

    if (!raw || !stock_backtrace || !frugal_begin(&event)) return stock_full_message(argc, argv, exception);
    VALUE message = stock_full_message(argc, argv, exception);
    rendered(&event, raw, stock_backtrace(exception));
    return message;
}

const struct frugal_method frugal_backtrace_methods[] = {
    { "rb_eException", "backtrace", 0, (method)backtrace, (method *)&stock_backtrace },
    { "rb_eException", "full_message", -1, (method)full_message, (method *)&stock_full_message },
    { 0 },
};

/* Records a call on a descriptor that is not a file. */
void
frugal_end_output(struct event *event, int fd, long size)
{
    if (!rendered_any || size <= 0) return;
    event->fd = fd;
    event->bytes = size;
    event->result = 0;
    frugal_end(event, CALL_output, false);
}

#define RECORD_OUTPUT(name, fd, ...) \
    struct event event; \
    if (!rendered_any || !frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    ssize_t size = NEXT(name)(__VA_ARGS__); \
    frugal_end_output(&event, fd, size); \
    return size

EXPORT ssize_t
send(int fd, const void *bytes, size_t size_of_bytes, int flags)
{
    RECORD_OUTPUT(send, fd, fd, bytes, size_of_bytes, flags);
}

EXPORT ssize_t
sendto(int fd, const void *bytes, size_t size_of_bytes, int flags, const struct sockaddr *to, socklen_t size_of_to)
{
    RECORD_OUTPUT(sendto, fd, fd, bytes, size_of_bytes, flags, to, size_of_to);
}

EXPORT ssize_t
sendmsg(int fd, const struct msghdr *message, int flags)
{
    RECORD_OUTPUT(sendmsg, fd, fd, message, flags);
}
