/* The functions of libc that watch files and directories. The changes are read from a descriptor that is not a file. */
#define _GNU_SOURCE
#include "recorder.h"
#include <fcntl.h>
#include <sys/inotify.h>

#define RECORD_INIT(name, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    int fd = NEXT(name)(__VA_ARGS__); \
    event.fd = fd; \
    frugal_end(&event, CALL_inotify_init, fd < 0); \
    return fd

EXPORT int
inotify_init(void)
{
    RECORD_INIT(inotify_init);
}

EXPORT int
inotify_init1(int flags)
{
    RECORD_INIT(inotify_init1, flags);
}

EXPORT int
inotify_add_watch(int fd, const char *path, uint32_t mask)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(inotify_add_watch)(fd, path, mask);
    int watch = NEXT(inotify_add_watch)(fd, path, mask);
    event.fd = fd;
    event.flags = mask;
    frugal_end_path(&event, CALL_inotify_add_watch, AT_FDCWD, path, watch < 0);
    return watch;
}

EXPORT int
inotify_rm_watch(int fd, int watch)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(inotify_rm_watch)(fd, watch);
    int result = NEXT(inotify_rm_watch)(fd, watch);
    event.fd = fd;
    frugal_end(&event, CALL_inotify_rm_watch, result != 0);
    return result;
}
