/* Writes a finished call to the log as an event. The call itself is made between begin and end. end preserves errno. */
#define _GNU_SOURCE
#include "recorder.h"
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ROOM 6144 /* bytes of stack */

/* Touches the part of the stack that the recorder may need. If the stack ends there, the program is interrupted here,
 * as it would be in the call, and not where the recorder has its lock: Ruby raises a SystemStackError. */
static __attribute__((noinline)) void
touch_stack(void)
{
    volatile char room[ROOM] __attribute__((unused));

    (void)(room[0] = 0);
}

/* Returns false if the call is not recorded. */
bool
frugal_begin(struct event *event)
{
    struct thread *thread = &frugal_thread;

    if (!frugal_recording || thread->busy || (frugal_by_thread && !thread->measuring)) return false;
    if (UNLIKELY(!*frugal_same_process)) {
        frugal_forked();
        if (!frugal_recording) return false;
    }
    if (UNLIKELY(thread->vforked)) frugal_find_child(thread);
    touch_stack();
    *event = (struct event){ .fd = -1 };
    if (UNLIKELY(frugal_answers)) {
        thread->question = (struct question){ 0 };
        return true;
    }
    event->start = frugal_now();
    return true;
}

/* Completes the event of a finished call and writes the event to the log. */
void
frugal_end(struct event *event, enum call call, bool failed)
{
    if (UNLIKELY(frugal_answers)) {
        frugal_answers_end(event, call, failed);
        return;
    }
    struct thread *thread = &frugal_thread;
    uint64_t duration = frugal_now() - event->start;
    int error = errno;

    thread->busy = true;
    thread->waited = false;
    if (!thread->tid) thread->tid = (uint32_t)syscall(SYS_gettid);
    event->duration = duration > UINT32_MAX ? UINT32_MAX : (uint32_t)duration;
    event->call = (uint16_t)call;
    if (failed) event->error = (uint16_t)error;
    if (!event->stack && call != CALL_raise && call != CALL_mark && call != CALL_wait)
        event->stack = frugal_ruby_stack();
    event->group = frugal_group();
    event->tid = thread->tid;
    event->pid = thread->child;
    if (UNLIKELY(thread->measuring) && !event->pid) frugal_excerpt_count(call);
    frugal_log_append(event);
    thread->busy = false;
    errno = error;
}

void
frugal_end_path(struct event *event, enum call call, int dirfd, const char *path, bool failed)
{
    int error = errno;

    bool asked = UNLIKELY(frugal_answers) && event->fd < 0; /* only the path of a descriptor is needed later */
    frugal_thread.busy = true;
    if (!asked && (!failed || error != EFAULT)) event->path = frugal_path(dirfd, path);
    errno = error;
    if (UNLIKELY(frugal_answers)) frugal_answers_end_path(event, call, dirfd, path, failed);
    else frugal_end(event, call, failed);
}

/* Sets the event's descriptor and path. Returns whether the descriptor refers to a file or directory. */
bool
frugal_set_fd(struct event *event, int fd)
{
    int error = errno;
    bool busy = frugal_thread.busy;

    frugal_thread.busy = true;
    event->path = frugal_path_of(fd);
    event->fd = fd;
    frugal_thread.busy = busy;
    errno = error;
    return event->path != 0;
}

/* Records the call only if the descriptor refers to a file or directory. Returns whether it does. */
bool
frugal_end_fd(struct event *event, enum call call, int fd, bool failed)
{
    if (!frugal_set_fd(event, fd)) return false;
    frugal_end(event, call, failed);
    return true;
}
