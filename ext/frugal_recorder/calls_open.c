/* The functions of libc that open and close files and directories, and those that copy descriptors. */
#define _GNU_SOURCE
#include "answers.h"
#include "hash.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Records a call that returns a descriptor. */
int
frugal_end_open(struct event *event, enum call call, int dirfd, const char *path, int flags, int fd)
{
    event->flags = (uint32_t)flags;
    event->fd = fd;
    frugal_end_path(event, call, dirfd, path, fd < 0);
    if (fd >= 0 && frugal_fd_opened(fd, event->path, path)) frugal_note_wait(); /* a FIFO waits for the other end */
    return fd;
}

/* Opens a folder only to list it, and no other program inherits it: `frugal profile --verify` may give the stream of an
 * earlier listing. */
#define LISTED(flags) (UNLIKELY(frugal_answers) && ((flags) & ~O_NONBLOCK) == (O_DIRECTORY | O_CLOEXEC))

static int
end_open(struct event *event, enum call call, int dirfd, const char *path, int flags, int fd)
{
    if (LISTED(flags)) frugal_listing_opened(fd, NULL);
    return frugal_end_open(event, call, dirfd, path, flags, fd);
}

static bool
has_mode(int flags)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

#define TAKE_MODE(flags) \
    mode_t mode = 0; \
    if (has_mode(flags)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

EXPORT int
open(const char *path, int flags, ...)
{
    struct event event;

    TAKE_MODE(flags)
    if (!frugal_begin(&event)) return NEXT(open)(path, flags, mode);
    DIR *stream = LISTED(flags) ? frugal_listing_given(AT_FDCWD, path) : NULL;
    if (stream) return dirfd(stream);
    return end_open(&event, CALL_open, AT_FDCWD, path, flags, NEXT(open)(path, flags, mode));
}

EXPORT int
openat(int directory, const char *path, int flags, ...)
{
    struct event event;

    TAKE_MODE(flags)
    if (!frugal_begin(&event)) return NEXT(openat)(directory, path, flags, mode);
    DIR *stream = LISTED(flags) ? frugal_listing_given(directory, path) : NULL;
    if (stream) return dirfd(stream);
    return end_open(&event, CALL_openat, directory, path, flags, NEXT(openat)(directory, path, flags, mode));
}

EXPORT int
creat(const char *path, mode_t mode)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(creat)(path, mode);
    return frugal_end_open(&event, CALL_open, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, NEXT(creat)(path, mode));
}

/* The path is known only after the call. */
#define RECORD_TEMPORARY(name, flags, path, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    int fd = NEXT(name)(__VA_ARGS__); \
    return frugal_end_open(&event, CALL_open, AT_FDCWD, path, O_CREAT | O_EXCL | O_RDWR | (flags), fd)

EXPORT int
mkstemp(char *path)
{
    RECORD_TEMPORARY(mkstemp, 0, path, path);
}

EXPORT int
mkostemp(char *path, int flags)
{
    RECORD_TEMPORARY(mkostemp, flags, path, path, flags);
}

EXPORT int
mkstemps(char *path, int suffix)
{
    RECORD_TEMPORARY(mkstemps, 0, path, path, suffix);
}

EXPORT int
mkostemps(char *path, int suffix, int flags)
{
    RECORD_TEMPORARY(mkostemps, flags, path, path, suffix, flags);
}

static int
flags_of(const char *mode)
{
    bool both = mode[0] && (mode[1] == '+' || (mode[1] && mode[2] == '+'));

    switch (mode[0]) {
    case 'w': return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC;
    case 'a': return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND;
    default: return both ? O_RDWR : O_RDONLY;
    }
}

EXPORT FILE *
fopen(const char *path, const char *mode)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(fopen)(path, mode);
    FILE *file = NEXT(fopen)(path, mode);
    frugal_end_open(&event, CALL_fopen, AT_FDCWD, path, flags_of(mode), file ? fileno(file) : -1);
    return file;
}

/* The stream keeps its descriptor, or gets another. Without a path, only the mode changes. */
EXPORT FILE *
freopen(const char *path, const char *mode, FILE *stream)
{
    struct event event;
    int before = fileno(stream);

    bool recorded = frugal_begin(&event);
    FILE *file = NEXT(freopen)(path, mode, stream);
    frugal_fd_closed(before);
    if (recorded && path) frugal_end_open(&event, CALL_fopen, AT_FDCWD, path, flags_of(mode), file ? fileno(file) : -1);
    return file;
}

#if defined(__GLIBC__)
#pragma GCC diagnostic ignored "-Wattribute-alias"
EXPORT int open64(const char *path, int flags, ...) __attribute__((alias("open")));
EXPORT int openat64(int dirfd, const char *path, int flags, ...) __attribute__((alias("openat")));
EXPORT int creat64(const char *path, mode_t mode) __attribute__((alias("creat")));
EXPORT int mkstemp64(char *path) __attribute__((alias("mkstemp")));
EXPORT int mkostemp64(char *path, int flags) __attribute__((alias("mkostemp")));
EXPORT int mkstemps64(char *path, int suffix) __attribute__((alias("mkstemps")));
EXPORT int mkostemps64(char *path, int suffix, int flags) __attribute__((alias("mkostemps")));
EXPORT FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));
EXPORT FILE *freopen64(const char *path, const char *mode, FILE *stream) __attribute__((alias("freopen")));

int __open_2(const char *path, int flags);
int __openat_2(int dirfd, const char *path, int flags);

EXPORT int
__open_2(const char *path, int flags)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(__open_2)(path, flags);
    return frugal_end_open(&event, CALL_open, AT_FDCWD, path, flags, NEXT(__open_2)(path, flags));
}

EXPORT int
__openat_2(int dirfd, const char *path, int flags)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(__openat_2)(dirfd, path, flags);
    return frugal_end_open(&event, CALL_openat, dirfd, path, flags, NEXT(__openat_2)(dirfd, path, flags));
}

EXPORT int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));
EXPORT int __openat64_2(int dirfd, const char *path, int flags) __attribute__((alias("__openat_2")));
#endif

/* What a stream has read since its beginning, or since its last end. The sum is that of the hashes of all names with
 * their types, so it does not depend on their order. */
#define KNOWN_STREAMS 1024
static struct {
    uint64_t sum, count;
    uint64_t time; /* ns that the kernel has taken for the names */
    const void *last;
} listed[KNOWN_STREAMS]; /* by descriptor */

static void
begin_listing(DIR *stream)
{
    int fd = stream ? dirfd(stream) : -1;

    if (fd >= 0 && fd < KNOWN_STREAMS) listed[fd].sum = listed[fd].count = listed[fd].time = 0;
}

EXPORT DIR *
opendir(const char *path)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(opendir)(path);
    DIR *stream = UNLIKELY(frugal_answers) ? frugal_listing_given(AT_FDCWD, path) : NULL;
    if (stream) return stream;
    stream = NEXT(opendir)(path);
    if (stream && UNLIKELY(frugal_answers)) frugal_listing_opened(dirfd(stream), stream);
    begin_listing(stream);
    frugal_end_open(&event, CALL_opendir, AT_FDCWD, path, O_RDONLY | O_DIRECTORY, stream ? dirfd(stream) : -1);
    return stream;
}

EXPORT DIR *
fdopendir(int fd)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(fdopendir)(fd);
    DIR *stream = UNLIKELY(frugal_answers) ? frugal_listing_stream(fd) : NULL;
    if (stream) return stream;
    stream = NEXT(fdopendir)(fd);
    if (stream && UNLIKELY(frugal_answers)) frugal_listing_opened(fd, stream);
    begin_listing(stream);
    frugal_end_fd(&event, CALL_fdopendir, fd, !stream);
    return stream;
}

/* libc gets many names at once. A name that is not behind the last one in memory is the first of others. */
static void
add_entry(int fd, const struct dirent *entry, uint64_t start)
{
    if (fd < 0 || fd >= KNOWN_STREAMS) return;
    if (!listed[fd].count || (const void *)entry <= listed[fd].last) listed[fd].time += frugal_now() - start;
    listed[fd].last = entry;
    listed[fd].sum += frugal_hash(entry->d_name, strlen(entry->d_name), entry->d_type);
    listed[fd].count++;
}

static void
end_listing(struct event *event, int fd)
{
    if (fd < 0 || fd >= KNOWN_STREAMS) return;
    event->bytes = (int64_t)listed[fd].count;
    event->result = frugal_hash_pair(0, listed[fd].sum, listed[fd].count) | 1; /* 0 would be unknown */
    event->flags = listed[fd].time > UINT32_MAX ? UINT32_MAX : (uint32_t)listed[fd].time;
    listed[fd].sum = listed[fd].count = listed[fd].time = 0; /* the names of new entries may follow */
}

/* Records one event at the end of each listing: an event for each entry would add no information. */
EXPORT struct dirent *
readdir(DIR *stream)
{
    struct event event;

    int before = errno;
    if (!frugal_begin(&event)) return NEXT(readdir)(stream);
    uint64_t start = event.start;
    struct dirent *entry;
    if (UNLIKELY(frugal_answers)) start = frugal_now();
    if (UNLIKELY(frugal_answers) && frugal_listing_next(stream, &entry)) return entry;
    errno = 0;
    entry = NEXT(readdir)(stream);
    bool failed = !entry && errno != 0;
    if (UNLIKELY(frugal_answers) && !failed) frugal_listing_read(dirfd(stream), entry, start);
    else if (entry) add_entry(dirfd(stream), entry, start);
    if (entry) {
        errno = before;
        return entry;
    }
    if (!failed) errno = before;
    end_listing(&event, dirfd(stream));
    frugal_end_fd(&event, CALL_readdir, dirfd(stream), failed);
    return NULL;
}

/* The next name is the first one again. */
EXPORT void
rewinddir(DIR *stream)
{
    if (UNLIKELY(frugal_answers) && frugal_listing_rewound(stream)) return;
    begin_listing(stream);
    NEXT(rewinddir)(stream);
}

EXPORT long
telldir(DIR *stream)
{
    if (UNLIKELY(frugal_answers)) frugal_listing_seen(dirfd(stream));
    return NEXT(telldir)(stream);
}

EXPORT void
seekdir(DIR *stream, long place)
{
    if (UNLIKELY(frugal_answers)) frugal_listing_seen(dirfd(stream));
    NEXT(seekdir)(stream, place);
}

#if defined(__GLIBC__)
EXPORT struct dirent64 *readdir64(DIR *stream) __attribute__((alias("readdir")));
#endif

void
frugal_end_entries(struct event *event, int fd, const void *entries, long filled)
{
    event->bytes = filled < 0 ? 0 : filled;
    if (filled >= 0) event->result = frugal_hash(entries, (size_t)filled, 0);
    frugal_end_fd(event, CALL_getdents64, fd, filled < 0);
}

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 30) /* a separate line: without this macro (musl), the condition is a syntax error */
EXPORT ssize_t
getdents64(int fd, void *entries, size_t size)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(getdents64)(fd, entries, size);
    if (UNLIKELY(frugal_answers)) frugal_listing_seen(fd);
    ssize_t filled = NEXT(getdents64)(fd, entries, size);
    frugal_end_entries(&event, fd, entries, filled);
    return filled;
}
#endif
#endif

/* Takes the path and forgets it before the call: as soon as the descriptor is closed, another thread may get the same
 * number. Returns whether the call is recorded. */
static bool
begin_close(struct event *event, int fd)
{
    bool recorded = frugal_begin(event) && frugal_set_fd(event, fd);

    if (recorded) event->start = frugal_now();
    frugal_fd_closed(fd);
    return recorded;
}

EXPORT int
closedir(DIR *stream)
{
    struct event event;

    if (frugal_is_null(stream)) return NEXT(closedir)(stream); /* EINVAL */
    int fd = dirfd(stream);
    if (UNLIKELY(frugal_answers) && frugal_listing_closed(fd)) return 0;
    bool recorded = begin_close(&event, fd);
    int result = NEXT(closedir)(stream);
    if (recorded) frugal_end(&event, CALL_closedir, result != 0);
    return result;
}

EXPORT int
close(int fd)
{
    struct event event;

    if (UNLIKELY(frugal_answers) && frugal_listing_closed(fd)) return 0;
    bool recorded = begin_close(&event, fd);
    int result = NEXT(close)(fd);
    if (recorded) frugal_end(&event, CALL_close, result != 0);
    return result;
}

EXPORT int
fclose(FILE *file)
{
    struct event event;

    int fd = fileno(file);
    bool recorded = begin_close(&event, fd);
    int result = NEXT(fclose)(file);
    if (recorded) frugal_end(&event, CALL_fclose, result != 0);
    return result;
}

/* Copies of descriptors are not recorded, because they do not use the file system. But the copy gets the path. */
EXPORT int
dup(int fd)
{
    if (UNLIKELY(frugal_answers)) frugal_listing_seen(fd);
    int copy = NEXT(dup)(fd);

    if (copy >= 0) frugal_fd_copied(fd, copy);
    return copy;
}

EXPORT int
dup2(int fd, int to)
{
    if (UNLIKELY(frugal_answers)) frugal_listing_seen(fd);
    if (UNLIKELY(frugal_answers) && fd != to && to >= 0) frugal_listings_lost((unsigned)to, (unsigned)to);
    int copy = NEXT(dup2)(fd, to);

    if (copy >= 0 && fd != to) frugal_fd_copied(fd, copy);
    return copy;
}

EXPORT int
dup3(int fd, int to, int flags)
{
    if (UNLIKELY(frugal_answers)) frugal_listing_seen(fd);
    if (UNLIKELY(frugal_answers) && to >= 0) frugal_listings_lost((unsigned)to, (unsigned)to);
    int copy = NEXT(dup3)(fd, to, flags);

    if (copy >= 0) frugal_fd_copied(fd, copy);
    return copy;
}

static bool
is_lock(int command)
{
#if defined(F_OFD_SETLK)
    if (command == F_OFD_SETLK || command == F_OFD_SETLKW) return true;
#endif
    return command == F_SETLK || command == F_SETLKW;
}

EXPORT int
fcntl(int fd, int command, ...)
{
    va_list rest;

    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    bool asks = command == F_GETFD || command == F_GETFL;
    if (UNLIKELY(frugal_answers) && !asks) frugal_listing_seen(fd);
    int result = NEXT(fcntl)(fd, command, argument);
    if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) frugal_fd_copied(fd, result);
    if (result >= 0 && is_lock(command) && ((const struct flock *)argument)->l_type != F_UNLCK) frugal_note_wait();
    return result;
}

#if defined(__GLIBC__)
EXPORT int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));
#endif

#if defined(CLOSE_RANGE_CLOEXEC) /* since glibc 2.34 */
EXPORT int
close_range(unsigned first, unsigned last, int flags)
{
    if (UNLIKELY(frugal_answers)) frugal_listings_lost(first, last);
    int result = NEXT(close_range)(first, last, flags);

    if (result == 0) frugal_fds_closed(first, last);
    return result;
}

EXPORT void
closefrom(int first)
{
    if (UNLIKELY(frugal_answers)) frugal_listings_lost(first < 0 ? 0 : (unsigned)first, UINT32_MAX);
    NEXT(closefrom)(first);
    frugal_fds_closed(first < 0 ? 0 : (unsigned)first, UINT32_MAX);
}
#endif
