#ifdef __linux__

#include "core/find/dir_watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <unistd.h>

#ifndef IN_MASK_CREATE
#define IN_MASK_CREATE 0x10000000 /* since Linux 4.18; older kernels refuse the flag, so nothing is watched there */
#endif

/* Counted by a handler of pthread_atfork, because getpid(2) is a system call. */
static atomic_uint forks;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool counting;

static void
count_fork(void)
{
    atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
}

static void
begin_counting(void)
{
    counting = pthread_atfork(NULL, NULL, count_fork) == 0;
}

void
frugal_find_watch_init(frugal_dir_watch *watch)
{
    watch->inotify = watch->epoll = -1;
    watch->forks = 0;
    frugal_find_ring_init(&watch->ring);
}

/* The size of a batch of events that is read at once. It holds many events, and any single one. */
#define BATCH 8192

/*
 * Opens a ring, and proves that it works here: it reports a test event at once, and is quiet after that. The proof is
 * needed because kernels other than Linux offer io_uring, too.
 */
static bool
open_ring(frugal_dir_watch *watch)
{
    _Alignas(struct inotify_event) char batch[BATCH];
    int id;

    if (!frugal_find_ring_open(&watch->ring, watch->inotify)) return false;
    id = frugal_find_ring_is_quiet(&watch->ring) ? inotify_add_watch(watch->inotify, "/", IN_DELETE_SELF) : -1;
    if (id >= 0 && inotify_rm_watch(watch->inotify, id) == 0 && !frugal_find_ring_is_quiet(&watch->ring) &&
        frugal_find_ring_take(&watch->ring) == 1 && read(watch->inotify, batch, sizeof(batch)) > 0 &&
        frugal_find_ring_is_quiet(&watch->ring)) {
        return true;
    }
    frugal_find_ring_close(&watch->ring, true);
    return false;
}

static bool
open_epoll(frugal_dir_watch *watch)
{
    struct epoll_event readable = { .events = EPOLLIN };

    watch->epoll = epoll_create1(EPOLL_CLOEXEC);
    return watch->epoll >= 0 && epoll_ctl(watch->epoll, EPOLL_CTL_ADD, watch->inotify, &readable) == 0;
}

bool
frugal_find_watch_open(frugal_dir_watch *watch)
{
    pthread_once(&once, begin_counting);
    if (!counting) return false;
    watch->forks = atomic_load_explicit(&forks, memory_order_relaxed);
    watch->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watch->inotify < 0) return false;
    if (open_ring(watch) || open_epoll(watch)) return true;
    frugal_find_watch_close(watch);
    return false;
}

void
frugal_find_watch_close(frugal_dir_watch *watch)
{
    frugal_find_ring_close(&watch->ring, !frugal_find_watch_is_inherited(watch));
    if (watch->epoll >= 0) close(watch->epoll);
    if (watch->inotify >= 0) close(watch->inotify);
    watch->inotify = watch->epoll = -1;
}

int
frugal_find_watch_add(frugal_dir_watch *watch, const char *path, int what)
{
    uint32_t mask = IN_ONLYDIR | IN_DONT_FOLLOW;

    if (what & FRUGAL_WATCH_ADDED) mask |= IN_CREATE | IN_MOVED_TO;
    if (what & FRUGAL_WATCH_REMOVED) mask |= IN_DELETE | IN_MOVED_FROM;
    if (what & FRUGAL_WATCH_MOVED) mask |= IN_MOVE_SELF | IN_DELETE_SELF;
    mask |= what & FRUGAL_WATCH_ONCE ? IN_MASK_CREATE : IN_MASK_ADD;
    return inotify_add_watch(watch->inotify, path, mask);
}

void
frugal_find_watch_remove(frugal_dir_watch *watch, int id)
{
    if (id >= 0 && watch->inotify >= 0 && !frugal_find_watch_is_inherited(watch)) inotify_rm_watch(watch->inotify, id);
}

bool
frugal_find_watch_is_inherited(const frugal_dir_watch *watch)
{
    return watch->forks != atomic_load_explicit(&forks, memory_order_relaxed);
}

static frugal_dir_change
change_of(const struct inotify_event *event)
{
    frugal_dir_change change = { .id = event->wd, .name = event->len > 0 ? event->name : "" };

    if (event->mask & (IN_CREATE | IN_MOVED_TO)) change.what |= FRUGAL_WATCH_ADDED;
    if (event->mask & (IN_DELETE | IN_MOVED_FROM)) change.what |= FRUGAL_WATCH_REMOVED;
    if (event->mask & (IN_MOVE_SELF | IN_DELETE_SELF)) change.what |= FRUGAL_WATCH_MOVED;
    change.overflow = (event->mask & (IN_Q_OVERFLOW | IN_UNMOUNT)) != 0;
    change.directory = (event->mask & IN_ISDIR) != 0;
    return change;
}

/* Returns the same as frugal_find_ring_take. */
static int
take(frugal_dir_watch *watch)
{
    struct epoll_event unread;

    if (frugal_find_ring_is_open(&watch->ring)) return frugal_find_ring_take(&watch->ring);
    return epoll_wait(watch->epoll, &unread, 1, 0);
}

void
frugal_find_watch_changes(frugal_dir_watch *watch, void (*report)(void *host, const frugal_dir_change *), void *host)
{
    static const frugal_dir_change lost = { .id = -1, .overflow = true, .name = "" };
    _Alignas(struct inotify_event) char batch[BATCH];
    long bytes;
    int count;

    if (frugal_find_ring_is_quiet(&watch->ring)) return;
    count = take(watch);
    if (count == 0) return;
    if (count < 0) {
        report(host, &lost); /* other code in the process closed the descriptors */
        return;
    }
    while ((bytes = read(watch->inotify, batch, sizeof(batch))) > 0) {
        for (long at = 0; at < bytes;) {
            const struct inotify_event *event = (const struct inotify_event *)(batch + at);
            frugal_dir_change change = change_of(event);

            if (change.what != 0 || change.overflow) report(host, &change);
            at += (long)sizeof(*event) + event->len;
        }
        if (sizeof(batch) - (size_t)bytes > sizeof(struct inotify_event) + 256) return; /* the queue is empty */
    }
    if (bytes == 0 || errno != EAGAIN) report(host, &lost);
}

#else

typedef int frugal_dir_watch_is_linux_only; /* ISO C forbids an empty file */

#endif
