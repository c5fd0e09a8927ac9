/* The functions of libc that change names, modes, owners and times. */
#define _GNU_SOURCE
#include "recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

static int
end_path(struct event *event, enum call call, int dirfd, const char *path, int result)
{
    frugal_end_path(event, call, dirfd, path, result != 0);
    return result;
}

static int
end_two_paths(struct event *event, enum call call, int from_fd, const char *from, int to_fd, const char *to, int result)
{
    int error = errno;

    frugal_thread.busy = true;
    if (result == 0 || error != EFAULT) event->to = frugal_path(to_fd, to);
    if (call == CALL_rename && result == 0) frugal_renamed(from_fd, from, to_fd, to);
    if (UNLIKELY(frugal_answers) && result == 0) frugal_answers_renamed(to_fd, to);
    errno = error;
    return end_path(event, call, from_fd, from, result);
}

/* Records a rename, also one that was made by syscall(2). */
void
frugal_end_rename(struct event *event, int from_fd, const char *from, int to_fd, const char *to, bool failed)
{
    end_two_paths(event, CALL_rename, from_fd, from, to_fd, to, failed);
}

/* The event's path is the new link; `to` is the text in the link. */
static int
end_symlink(struct event *event, const char *text, int dirfd, const char *path, int result)
{
    int error = errno;

    frugal_thread.busy = true;
    if (text && (result == 0 || error != EFAULT)) {
        frugal_lock();
        event->to = frugal_log_string(text, strnlen(text, 65536));
        frugal_unlock();
    }
    errno = error;
    return end_path(event, CALL_symlink, dirfd, path, result);
}

#define RECORD_PATH(call, name, dirfd, path, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    return end_path(&event, CALL_##call, dirfd, path, NEXT(name)(__VA_ARGS__))

#define RECORD_FD(call, name, fd, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    int result = NEXT(name)(__VA_ARGS__); \
    frugal_end_fd(&event, CALL_##call, fd, result != 0); \
    return result

#define RECORD_TWO(call, name, from_fd, from, to_fd, to, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    return end_two_paths(&event, CALL_##call, from_fd, from, to_fd, to, NEXT(name)(__VA_ARGS__))

EXPORT int
mkdir(const char *path, mode_t mode)
{
    RECORD_PATH(mkdir, mkdir, AT_FDCWD, path, path, mode);
}

EXPORT int
mkdirat(int dirfd, const char *path, mode_t mode)
{
    RECORD_PATH(mkdir, mkdirat, dirfd, path, dirfd, path, mode);
}

EXPORT int
mkfifo(const char *path, mode_t mode)
{
    RECORD_PATH(mkfifo, mkfifo, AT_FDCWD, path, path, mode);
}

EXPORT int
mkfifoat(int dirfd, const char *path, mode_t mode)
{
    RECORD_PATH(mkfifo, mkfifoat, dirfd, path, dirfd, path, mode);
}

EXPORT int
mknod(const char *path, mode_t mode, dev_t device)
{
    RECORD_PATH(mknod, mknod, AT_FDCWD, path, path, mode, device);
}

EXPORT int
mknodat(int dirfd, const char *path, mode_t mode, dev_t device)
{
    RECORD_PATH(mknod, mknodat, dirfd, path, dirfd, path, mode, device);
}

EXPORT int
unlink(const char *path)
{
    RECORD_PATH(unlink, unlink, AT_FDCWD, path, path);
}

EXPORT int
rmdir(const char *path)
{
    RECORD_PATH(rmdir, rmdir, AT_FDCWD, path, path);
}

EXPORT int
remove(const char *path)
{
    RECORD_PATH(unlink, remove, AT_FDCWD, path, path);
}

EXPORT int
unlinkat(int dirfd, const char *path, int flags)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(unlinkat)(dirfd, path, flags);
    enum call call = flags & AT_REMOVEDIR ? CALL_rmdir : CALL_unlink;
    return end_path(&event, call, dirfd, path, NEXT(unlinkat)(dirfd, path, flags));
}

EXPORT int
rename(const char *from, const char *to)
{
    RECORD_TWO(rename, rename, AT_FDCWD, from, AT_FDCWD, to, from, to);
}

EXPORT int
renameat(int from_fd, const char *from, int to_fd, const char *to)
{
    RECORD_TWO(rename, renameat, from_fd, from, to_fd, to, from_fd, from, to_fd, to);
}

EXPORT int
renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    RECORD_TWO(rename, renameat2, from_fd, from, to_fd, to, from_fd, from, to_fd, to, flags);
}

EXPORT int
link(const char *from, const char *to)
{
    RECORD_TWO(link, link, AT_FDCWD, from, AT_FDCWD, to, from, to);
}

EXPORT int
linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
    RECORD_TWO(link, linkat, from_fd, from, to_fd, to, from_fd, from, to_fd, to, flags);
}

EXPORT int
symlink(const char *text, const char *path)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(symlink)(text, path);
    return end_symlink(&event, text, AT_FDCWD, path, NEXT(symlink)(text, path));
}

EXPORT int
symlinkat(const char *text, int dirfd, const char *path)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(symlinkat)(text, dirfd, path);
    return end_symlink(&event, text, dirfd, path, NEXT(symlinkat)(text, dirfd, path));
}

EXPORT int
truncate(const char *path, off_t size)
{
    RECORD_PATH(truncate, truncate, AT_FDCWD, path, path, size);
}

EXPORT int
chmod(const char *path, mode_t mode)
{
    RECORD_PATH(chmod, chmod, AT_FDCWD, path, path, mode);
}

EXPORT int
lchmod(const char *path, mode_t mode)
{
    RECORD_PATH(chmod, lchmod, AT_FDCWD, path, path, mode);
}

EXPORT int
fchmodat(int dirfd, const char *path, mode_t mode, int flags)
{
    RECORD_PATH(chmod, fchmodat, dirfd, path, dirfd, path, mode, flags);
}

EXPORT int
fchmod(int fd, mode_t mode)
{
    RECORD_FD(fchmod, fchmod, fd, fd, mode);
}

EXPORT int
chown(const char *path, uid_t user, gid_t group)
{
    RECORD_PATH(chown, chown, AT_FDCWD, path, path, user, group);
}

EXPORT int
lchown(const char *path, uid_t user, gid_t group)
{
    RECORD_PATH(lchown, lchown, AT_FDCWD, path, path, user, group);
}

EXPORT int
fchownat(int dirfd, const char *path, uid_t user, gid_t group, int flags)
{
    RECORD_PATH(chown, fchownat, dirfd, path, dirfd, path, user, group, flags);
}

EXPORT int
fchown(int fd, uid_t user, gid_t group)
{
    RECORD_FD(fchown, fchown, fd, fd, user, group);
}

EXPORT int
utimensat(int dirfd, const char *path, const struct timespec times[2], int flags)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(utimensat)(dirfd, path, times, flags);
    int result = NEXT(utimensat)(dirfd, path, times, flags);
    if (frugal_is_null(path)) return frugal_end_fd(&event, CALL_utime, dirfd, result != 0), result;
    return end_path(&event, CALL_utime, dirfd, path, result);
}

EXPORT int
futimens(int fd, const struct timespec times[2])
{
    RECORD_FD(utime, futimens, fd, fd, times);
}

EXPORT int
utimes(const char *path, const struct timeval times[2])
{
    RECORD_PATH(utime, utimes, AT_FDCWD, path, path, times);
}

EXPORT int
lutimes(const char *path, const struct timeval times[2])
{
    RECORD_PATH(utime, lutimes, AT_FDCWD, path, path, times);
}

EXPORT int
futimes(int fd, const struct timeval times[2])
{
    RECORD_FD(utime, futimes, fd, fd, times);
}

EXPORT int
utime(const char *path, const struct utimbuf *times)
{
    RECORD_PATH(utime, utime, AT_FDCWD, path, path, times);
}

/* Records a change of the current directory. The event's path is the new directory. */
static int
end_chdir(struct event *event, uint32_t directory, const char *path, int result)
{
    int error = errno;

    frugal_thread.busy = true;
    if (result == 0 || error != EFAULT) event->path = frugal_path_in(directory, path);
    errno = error;
    frugal_end(event, CALL_chdir, result != 0);
    return result;
}

EXPORT int
chdir(const char *path)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(chdir)(path);
    uint32_t directory = frugal_cwd();
    event.start = frugal_now();
    int result = NEXT(chdir)(path);
    if (result == 0) frugal_cwd_changed();
    return end_chdir(&event, directory, path, result);
}

EXPORT int
fchdir(int fd)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(fchdir)(fd);
    int result = NEXT(fchdir)(fd);
    if (result == 0) frugal_cwd_changed();
    frugal_end_fd(&event, CALL_fchdir, fd, result != 0);
    return result;
}

EXPORT int
chroot(const char *path)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(chroot)(path);
    int result = NEXT(chroot)(path);
    if (result == 0) frugal_cwd_changed();
    return end_path(&event, CALL_chroot, AT_FDCWD, path, result);
}

#if defined(__GLIBC__)
#pragma GCC diagnostic ignored "-Wattribute-alias"
EXPORT int truncate64(const char *path, off64_t size) __attribute__((alias("truncate")));

int __xmknod(int version, const char *path, mode_t mode, dev_t *device);
EXPORT int
__xmknod(int version, const char *path, mode_t mode, dev_t *device)
{
    RECORD_PATH(mknod, __xmknod, AT_FDCWD, path, version, path, mode, device);
}
#endif
