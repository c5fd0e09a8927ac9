/* From a finished call to an event in the log. Between begin and end, the call itself: end leaves errno as it was. */
#define _GNU_SOURCE
#include "recorder.h"
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread struct thread frugal_thread __attribute__((tls_model("initial-exec")));

/* After a vfork, the thread may be the child, which shares this memory, or the parent, which goes on. */
static void
tell_child(struct thread *thread)
{
    uint32_t pid = (uint32_t)syscall(SYS_getpid);

    thread->child = pid == frugal_pid() ? 0 : pid;
    thread->vforked = thread->child != 0;
}

/* Returns false if the call is not to be recorded. */
bool
frugal_begin(struct event *event)
{
    struct thread *thread = &frugal_thread;

    if (!frugal_recording || thread->busy || (frugal_by_thread && !thread->measuring)) return false;
    if (UNLIKELY(thread->vforked)) tell_child(thread);
    *event = (struct event){ .fd = -1 };
    event->start = frugal_now();
    return true;
}

/* Ends a call about which there is nothing more to say. */
void
frugal_end(struct event *event, enum call call, bool failed)
{
    struct thread *thread = &frugal_thread;
    uint64_t duration = frugal_now() - event->start;
    int error = errno;

    thread->busy = true;
    if (!thread->tid) thread->tid = (uint32_t)syscall(SYS_gettid);
    event->duration = duration > UINT32_MAX ? UINT32_MAX : (uint32_t)duration;
    event->call = (uint16_t)call;
    if (failed) event->error = (uint16_t)error;
    if (!event->stack && call != CALL_raise && call != CALL_mark) event->stack = frugal_ruby_stack();
    event->group = frugal_group();
    event->tid = thread->tid;
    event->pid = thread->child;
    frugal_log_append(event);
    thread->busy = false;
    errno = error;
}

void
frugal_end_path(struct event *event, enum call call, int dirfd, const char *path, bool failed)
{
    int error = errno;

    frugal_thread.busy = true;
    event->path = frugal_path(dirfd, path);
    errno = error;
    frugal_end(event, call, failed);
}

/* Records the call only if the descriptor is that of a file or directory. */
bool
frugal_end_fd(struct event *event, enum call call, int fd, bool failed)
{
    int error = errno;

    frugal_thread.busy = true;
    event->path = frugal_path_of(fd);
    event->fd = fd;
    errno = error;
    if (event->path) frugal_end(event, call, failed);
    frugal_thread.busy = false;
    return event->path != 0;
}
