/* The functions of libc that ask for attributes and names. */
#define _GNU_SOURCE
#include "answers.h"
#include "hash.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Returns the answer of `frugal profile --verify`, if there is one. */
#define ANSWER(call, dirfd, path, extra, bytes, size) \
    if (UNLIKELY(frugal_answers)) { \
        size_t room = size; \
        enum given given = frugal_given(CALL_##call, dirfd, path, extra, bytes, &room); \
        if (given != NOT_GIVEN) return given == GIVEN ? 0 : -1; \
    }

/* Records the attributes, except for the access time, which changes by reading. */
static void
describe(struct event *event, const struct stat *st)
{
    uint64_t fields[] = { st->st_dev,
                          st->st_ino,
                          st->st_mode,
                          (uint64_t)st->st_size,
                          st->st_nlink,
                          st->st_uid,
                          st->st_gid,
                          (uint64_t)st->st_mtim.tv_sec,
                          (uint64_t)st->st_mtim.tv_nsec,
                          (uint64_t)st->st_ctim.tv_sec,
                          (uint64_t)st->st_ctim.tv_nsec };

    event->result = frugal_hash(fields, sizeof fields, 0);
    event->bytes = st->st_size;
    event->flags = st->st_mode;
}

static int
end_stat(struct event *event, enum call call, int dirfd, const char *path, int result, const struct stat *st)
{
    if (result == 0) describe(event, st);
    frugal_end_path(event, call, dirfd, path, result != 0);
    return result;
}

static int
end_fstat(struct event *event, int fd, int result, const struct stat *st)
{
    if (result == 0) describe(event, st);
    frugal_end_fd(event, CALL_fstat, fd, result != 0);
    return result;
}

/* The same for answers that are texts. */
#define ANSWER_SIZE(call, dirfd, path, text, size) \
    if (UNLIKELY(frugal_answers)) { \
        size_t room = size; \
        enum given given = frugal_given(CALL_##call, dirfd, path, 0, text, &room); \
        if (given != NOT_GIVEN) return given == GIVEN ? (ssize_t)room : -1; \
    }

/* The same for texts that libc allocates if there is no room for them. They end with a zero. */
#define ANSWER_TEXT(call, path, text, size) \
    if (UNLIKELY(frugal_answers)) { \
        char known[PATH_MAX]; \
        size_t room = (size) && (size) < sizeof known ? (size)-1 : sizeof known - 1; \
        enum given given = frugal_given(CALL_##call, AT_FDCWD, path, 0, known, &room); \
        if (given == GIVEN_ERROR) return NULL; \
        if (given == GIVEN) return copied(text, known, room); \
    }

static char *
copied(char *text, char *known, size_t size)
{
    known[size] = 0;
    return text ? memcpy(text, known, size + 1) : strdup(known);
}

#define RECORD_STAT(call, name, dirfd, path, flags, st, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    ANSWER(call, dirfd, path, flags, st, sizeof *st) \
    return end_stat(&event, CALL_##call, dirfd, path, NEXT(name)(__VA_ARGS__), st)

EXPORT int
stat(const char *path, struct stat *st)
{
    RECORD_STAT(stat, stat, AT_FDCWD, path, 0, st, path, st);
}

EXPORT int
lstat(const char *path, struct stat *st)
{
    RECORD_STAT(lstat, lstat, AT_FDCWD, path, 0, st, path, st);
}

EXPORT int
fstatat(int dirfd, const char *path, struct stat *st, int flags)
{
    RECORD_STAT(fstatat, fstatat, dirfd, path, (uint32_t)flags, st, dirfd, path, st, flags);
}

EXPORT int
fstat(int fd, struct stat *st)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(fstat)(fd, st);
    return end_fstat(&event, fd, NEXT(fstat)(fd, st), st);
}

#if defined(__GLIBC__)
/* On 64 bits, the functions for large files are the same. Programs built before glibc 2.33 call the functions that take
 * the version of the structure. */
#pragma GCC diagnostic ignored "-Wattribute-alias"
EXPORT int stat64(const char *path, struct stat64 *st) __attribute__((alias("stat")));
EXPORT int lstat64(const char *path, struct stat64 *st) __attribute__((alias("lstat")));
EXPORT int fstat64(int fd, struct stat64 *st) __attribute__((alias("fstat")));
EXPORT int fstatat64(int dirfd, const char *path, struct stat64 *st, int flags) __attribute__((alias("fstatat")));

int __xstat(int version, const char *path, struct stat *st);
int __lxstat(int version, const char *path, struct stat *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstatat(int version, int dirfd, const char *path, struct stat *st, int flags);

EXPORT int
__xstat(int version, const char *path, struct stat *st)
{
    RECORD_STAT(stat, __xstat, AT_FDCWD, path, 0, st, version, path, st);
}

EXPORT int
__lxstat(int version, const char *path, struct stat *st)
{
    RECORD_STAT(lstat, __lxstat, AT_FDCWD, path, 0, st, version, path, st);
}

EXPORT int
__fxstatat(int version, int dirfd, const char *path, struct stat *st, int flags)
{
    RECORD_STAT(fstatat, __fxstatat, dirfd, path, (uint32_t)flags, st, version, dirfd, path, st, flags);
}

EXPORT int
__fxstat(int version, int fd, struct stat *st)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(__fxstat)(version, fd, st);
    return end_fstat(&event, fd, NEXT(__fxstat)(version, fd, st), st);
}

EXPORT int __xstat64(int version, const char *path, struct stat64 *st) __attribute__((alias("__xstat")));
EXPORT int __lxstat64(int version, const char *path, struct stat64 *st) __attribute__((alias("__lxstat")));
EXPORT int __fxstat64(int version, int fd, struct stat64 *st) __attribute__((alias("__fxstat")));
EXPORT int __fxstatat64(int version, int dirfd, const char *path, struct stat64 *st, int flags)
    __attribute__((alias("__fxstatat")));
#endif

/* A struct statx, as the kernel writes it. Not all libcs declare it. */
struct answer_of_statx {
    uint32_t mask, block_size;
    uint64_t attributes;
    uint32_t links, user, group;
    uint16_t mode, spare;
    uint64_t inode, size, blocks, attributes_mask;
    struct {
        int64_t seconds;
        uint32_t nanoseconds;
        int32_t spare;
    } atime, btime, ctime, mtime;
    uint32_t device_of_file[2], device[2];
};
struct statx;
#define SIZE_OF_STATX 256 /* with what the kernel may add */

/* Records a statx, also one that was made by syscall(2). An empty path asks about the descriptor. */
void
frugal_end_statx(struct event *event, int dirfd, const char *path, const void *answer, bool failed)
{
    const struct answer_of_statx *st = answer;

    if (!failed) {
        uint64_t fields[] = { (uint64_t)st->device[0] << 32 | st->device[1],
                              st->inode,
                              st->mode,
                              st->size,
                              (uint64_t)st->mtime.seconds,
                              st->mtime.nanoseconds,
                              (uint64_t)st->ctime.seconds,
                              st->ctime.nanoseconds };
        event->result = frugal_hash(fields, sizeof fields, st->mask);
        event->bytes = (int64_t)st->size;
        event->flags = st->mode;
    }
    bool unreadable = failed && errno == EFAULT;
    if (unreadable || (path && *path)) frugal_end_path(event, CALL_statx, dirfd, path, failed);
    else frugal_end_fd(event, CALL_statx, dirfd, failed);
}

EXPORT int
statx(int dirfd, const char *path, int flags, unsigned mask, struct statx *st)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(statx)(dirfd, path, flags, mask, st);
    ANSWER(statx, dirfd, path, (uint32_t)flags << 16 ^ mask, st, SIZE_OF_STATX)
    int result = NEXT(statx)(dirfd, path, flags, mask, st);
    frugal_end_statx(&event, dirfd, path, st, result != 0);
    return result;
}

static int
end_access(struct event *event, enum call call, int dirfd, const char *path, int mode, int result)
{
    event->flags = (uint32_t)mode;
    event->result = 1;
    frugal_end_path(event, call, dirfd, path, result != 0);
    return result;
}

EXPORT int
access(const char *path, int mode)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(access)(path, mode);
    ANSWER(access, AT_FDCWD, path, (uint32_t)mode, "", 0)
    return end_access(&event, CALL_access, AT_FDCWD, path, mode, NEXT(access)(path, mode));
}

EXPORT int
eaccess(const char *path, int mode)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(eaccess)(path, mode);
    ANSWER(eaccess, AT_FDCWD, path, (uint32_t)mode, "", 0)
    return end_access(&event, CALL_eaccess, AT_FDCWD, path, mode, NEXT(eaccess)(path, mode));
}

EXPORT int
euidaccess(const char *path, int mode)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(euidaccess)(path, mode);
    ANSWER(eaccess, AT_FDCWD, path, (uint32_t)mode, "", 0)
    return end_access(&event, CALL_eaccess, AT_FDCWD, path, mode, NEXT(euidaccess)(path, mode));
}

EXPORT int
faccessat(int dirfd, const char *path, int mode, int flags)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(faccessat)(dirfd, path, mode, flags);
    ANSWER(faccessat, dirfd, path, (uint32_t)mode << 16 ^ (uint32_t)flags, "", 0)
    return end_access(&event, CALL_faccessat, dirfd, path, mode, NEXT(faccessat)(dirfd, path, mode, flags));
}

EXPORT int
statfs(const char *path, struct statfs *st)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(statfs)(path, st);
    int result = NEXT(statfs)(path, st);
    frugal_end_path(&event, CALL_statfs, AT_FDCWD, path, result != 0);
    return result;
}

EXPORT int
fstatfs(int fd, struct statfs *st)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(fstatfs)(fd, st);
    int result = NEXT(fstatfs)(fd, st);
    frugal_end_fd(&event, CALL_fstatfs, fd, result != 0);
    return result;
}

static void
set_answer(struct event *event, const char *text, size_t size)
{
    int error = errno;

    event->result = frugal_hash(text, size, 0);
    if (UNLIKELY(frugal_answers)) {
        frugal_answer_bytes(text, size);
        return;
    }
    frugal_thread.busy = true;
    frugal_lock();
    event->to = frugal_log_string(text, size);
    frugal_unlock();
    errno = error;
}

static long
end_readlink(struct event *event, int dirfd, const char *path, const char *text, long size)
{
    if (size >= 0) set_answer(event, text, (size_t)size);
    frugal_end_path(event, CALL_readlink, dirfd, path, size < 0);
    return size;
}

EXPORT ssize_t
readlink(const char *path, char *text, size_t size)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(readlink)(path, text, size);
    ANSWER_SIZE(readlink, AT_FDCWD, path, text, size)
    return end_readlink(&event, AT_FDCWD, path, text, NEXT(readlink)(path, text, size));
}

EXPORT ssize_t
readlinkat(int dirfd, const char *path, char *text, size_t size)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(readlinkat)(dirfd, path, text, size);
    ANSWER_SIZE(readlink, dirfd, path, text, size)
    return end_readlink(&event, dirfd, path, text, NEXT(readlinkat)(dirfd, path, text, size));
}

static char *
end_realpath(struct event *event, const char *path, char *result)
{
    if (result) set_answer(event, result, strlen(result));
    frugal_end_path(event, CALL_realpath, AT_FDCWD, path, !result);
    return result;
}

EXPORT char *
realpath(const char *path, char *resolved)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(realpath)(path, resolved);
    ANSWER_TEXT(realpath, path, resolved, PATH_MAX)
    return end_realpath(&event, path, NEXT(realpath)(path, resolved));
}

/* Records a getcwd, also one that was made by syscall(2). */
void
frugal_end_getcwd(struct event *event, const char *path)
{
    if (path) set_answer(event, path, strlen(path));
    event->path = event->to;
    frugal_end(event, CALL_getcwd, !path);
}

static char *
end_getcwd(struct event *event, char *result)
{
    frugal_end_getcwd(event, result);
    return result;
}

EXPORT char *
getcwd(char *path, size_t size)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(getcwd)(path, size);
    if (!path == !size) { /* else glibc allocates this size, or fails */
        ANSWER_TEXT(getcwd, "", path, size)
    }
    return end_getcwd(&event, NEXT(getcwd)(path, size));
}

#if defined(__GLIBC__)
/* The functions that -D_FORTIFY_SOURCE uses instead. */
ssize_t __readlink_chk(const char *path, char *text, size_t size, size_t room);
ssize_t __readlinkat_chk(int dirfd, const char *path, char *text, size_t size, size_t room);
char *__realpath_chk(const char *path, char *resolved, size_t room);
char *__getcwd_chk(char *path, size_t size, size_t room);

EXPORT ssize_t
__readlink_chk(const char *path, char *text, size_t size, size_t room)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(__readlink_chk)(path, text, size, room);
    ANSWER_SIZE(readlink, AT_FDCWD, path, text, size)
    return end_readlink(&event, AT_FDCWD, path, text, NEXT(__readlink_chk)(path, text, size, room));
}

EXPORT ssize_t
__readlinkat_chk(int dirfd, const char *path, char *text, size_t size, size_t room)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(__readlinkat_chk)(dirfd, path, text, size, room);
    ANSWER_SIZE(readlink, dirfd, path, text, size)
    return end_readlink(&event, dirfd, path, text, NEXT(__readlinkat_chk)(dirfd, path, text, size, room));
}

EXPORT char *
__realpath_chk(const char *path, char *resolved, size_t room)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(__realpath_chk)(path, resolved, room);
    ANSWER_TEXT(realpath, path, resolved, PATH_MAX)
    return end_realpath(&event, path, NEXT(__realpath_chk)(path, resolved, room));
}

EXPORT char *
__getcwd_chk(char *path, size_t size, size_t room)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(__getcwd_chk)(path, size, room);
    if (!path == !size) { /* else glibc allocates this size, or fails */
        ANSWER_TEXT(getcwd, "", path, size)
    }
    return end_getcwd(&event, NEXT(__getcwd_chk)(path, size, room));
}
#endif

/* Recorded only if the descriptor is a file, as with all calls by descriptor. A terminal is not a file. */
EXPORT int
isatty(int fd)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(isatty)(fd);
    int result = NEXT(isatty)(fd);
    frugal_end_fd(&event, CALL_isatty, fd, !result);
    return result;
}
