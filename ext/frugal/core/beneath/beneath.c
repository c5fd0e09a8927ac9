/*
 * Opens files by openat2(2) (Linux 5.6), with which the kernel stays beneath the root. If the kernel lacks it, or a
 * seccomp filter denies it, beneath_steps.c opens the path name by name. The root is kept open, so its own path is not
 * resolved for each file. The path may lead to another directory later (a deployment swaps a link), so it is checked
 * again after `valid_ms`.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/beneath/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/beneath/beneath_search.h"

#define ROOT_FLAGS (SEARCH_ONLY | O_DIRECTORY | O_CLOEXEC)
#define FILE_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

bool
frugal_beneath_prepare(frugal_beneath *beneath, const char *path, frugal_beneath_links follow, int64_t valid_ms)
{
    beneath->path = strdup(path);
    beneath->follow = follow;
    beneath->valid_ms = valid_ms;
    atomic_init(&beneath->fd, -1);
    atomic_init(&beneath->missing, false);
    atomic_init(&beneath->checked_at, 0);
    atomic_init(&beneath->device, 0);
    atomic_init(&beneath->inode, 0);
    return beneath->path != NULL;
}

void
frugal_beneath_free(frugal_beneath *beneath)
{
    int fd = atomic_exchange(&beneath->fd, -1);

    if (fd >= 0) close(fd);
    free(beneath->path);
    beneath->path = NULL;
}

/* -- the root -- */

static int64_t
milliseconds(void)
{
    struct timespec now;
#ifdef CLOCK_MONOTONIC_COARSE
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool
is_root(frugal_beneath *beneath, const struct stat *st)
{
    return atomic_load(&beneath->device) == (uint64_t)st->st_dev &&
           atomic_load(&beneath->inode) == (uint64_t)st->st_ino;
}

/* Gives the new descriptor the old one's number: another thread may be using that number right now. */
static void
replace_root(frugal_beneath *beneath, int opened)
{
    int fd = atomic_load(&beneath->fd);
    struct stat st;

    if (fd < 0 && atomic_compare_exchange_strong(&beneath->fd, &fd, opened)) return;
    /* If other code has closed the descriptor, its number may belong to another file now. */
    if (fstat(fd, &st) != 0 || !is_root(beneath, &st)) {
        atomic_store(&beneath->fd, opened);
        return;
    }
#ifdef __linux__
    dup3(opened, fd, O_CLOEXEC);
#else
    if (dup2(opened, fd) >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
    close(opened);
}

static bool
open_root(frugal_beneath *beneath)
{
    int fd = open(beneath->path, ROOT_FLAGS);
    struct stat st;

    if (fd < 0) return false;
    if (fstat(fd, &st) != 0) {
        close(fd);
        return false;
    }
    replace_root(beneath, fd);
    atomic_store(&beneath->device, (uint64_t)st.st_dev);
    atomic_store(&beneath->inode, (uint64_t)st.st_ino);
    return true;
}

static bool
root_is_current(frugal_beneath *beneath)
{
    struct stat st;

    return atomic_load(&beneath->fd) >= 0 && stat(beneath->path, &st) == 0 && is_root(beneath, &st);
}

static bool
ensure_root(frugal_beneath *beneath)
{
    int64_t now = milliseconds();
    bool found;

    if (atomic_load(&beneath->fd) >= 0 && !atomic_load(&beneath->missing) &&
        now - atomic_load(&beneath->checked_at) < beneath->valid_ms) {
        return true;
    }
    atomic_store(&beneath->checked_at, now);
    found = (!atomic_load(&beneath->missing) && root_is_current(beneath)) || open_root(beneath);
    atomic_store(&beneath->missing, !found);
    return found;
}

/* -- a file -- */

#ifdef __linux__

#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef O_LARGEFILE
#define O_LARGEFILE 0
#endif

#define NO_MAGICLINKS 0x02
#define NO_SYMLINKS 0x04
#define BENEATH 0x08

/* How often openat2 is tried again after EAGAIN, which it returns during a rename by another process. */
#define MAX_TRIES 16

static atomic_bool openat2_unavailable;

static int
openat2_beneath(int root, const char *path, int flags, bool follow)
{
    struct {
        uint64_t flags, mode, resolve;
    } how = { .flags = (uint64_t)(flags | O_LARGEFILE | (follow ? 0 : O_NOFOLLOW)),
              .resolve = BENEATH | NO_MAGICLINKS | (follow ? 0 : NO_SYMLINKS) };

    return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

/*
 * Reports whether openat2 is not available. EPERM may be about the file, or come from a filter; a filter also denies
 * opening the root itself.
 */
static bool
is_unavailable(int root, int error)
{
    int fd;

    if (error == ENOSYS) return true;
    if (error != EPERM) return false;
    fd = openat2_beneath(root, ".", ROOT_FLAGS, false);
    if (fd >= 0) close(fd);
    return fd < 0 && (errno == EPERM || errno == ENOSYS);
}

static int
open_beneath(int root, const char *path, bool follow)
{
    for (int tries = 0; !atomic_load(&openat2_unavailable) && tries < MAX_TRIES; tries++) {
        int fd = openat2_beneath(root, path, FILE_FLAGS, follow), error = errno;

        if (fd >= 0) return fd;
        if (is_unavailable(root, error)) {
            atomic_store(&openat2_unavailable, true);
        }
        else if (error != EAGAIN) {
            errno = error;
            return -1;
        }
    }
    return frugal_beneath_open_stepwise(root, path, follow, FILE_FLAGS);
}

#else

static int
open_beneath(int root, const char *path, bool follow)
{
    return frugal_beneath_open_stepwise(root, path, follow, FILE_FLAGS);
}

#endif

/*
 * A failed open takes twice as long as a failed stat, and most paths that a web server receives are not files. So the
 * path is statted first, which also avoids opening FIFOs and devices. That stat may be of another file, even one
 * outside the root; only the fstat of the opened file decides.
 */
int
frugal_beneath_open(frugal_beneath *beneath, const char *path, struct stat *st)
{
    int fd, error = 0, nofollow = beneath->follow == FRUGAL_LINKS_NONE ? AT_SYMLINK_NOFOLLOW : 0;

    if (!ensure_root(beneath)) return -1;
    if (fstatat(atomic_load(&beneath->fd), path, st, nofollow) != 0) return -1;
    if (!S_ISREG(st->st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (beneath->follow == FRUGAL_LINKS_ALL) fd = openat(atomic_load(&beneath->fd), path, FILE_FLAGS);
    else fd = open_beneath(atomic_load(&beneath->fd), path, beneath->follow == FRUGAL_LINKS_INSIDE);
    if (fd < 0) return -1;
    if (fstat(fd, st) != 0) error = errno;
    else if (!S_ISREG(st->st_mode)) error = EISDIR;
    if (error == 0) return fd;
    close(fd);
    errno = error;
    return -1;
}
