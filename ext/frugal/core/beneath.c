/*
 * The kernel is asked to stay beneath the root: openat2(2), Linux 5.6. Where it
 * cannot, or a seccomp filter does not let it, the way is gone name by name.
 *
 * The root is held open, so that its own path is not resolved at each file. Since
 * another directory may take its place (a deployment swaps a link), its path is
 * asked about again once it is older than `good_for`.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "beneath_pass.h"

#define ROOT_FLAGS (PASS | O_DIRECTORY | O_CLOEXEC)
#define FILE_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

bool
frugal_beneath_prepare(frugal_beneath *beneath, const char *path, frugal_beneath_links follow, int64_t good_for)
{
    beneath->path = strdup(path);
    beneath->follow = follow;
    beneath->good_for = good_for;
    atomic_init(&beneath->fd, -1);
    atomic_init(&beneath->gone, false);
    atomic_init(&beneath->looked, 0);
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
    return atomic_load(&beneath->device) == (uint64_t)st->st_dev && atomic_load(&beneath->inode) == (uint64_t)st->st_ino;
}

/* One number for the root, for good: another thread may just be using it. */
static void
put_in_place(frugal_beneath *beneath, int fresh)
{
    int fd = atomic_load(&beneath->fd);
    struct stat st;

    if (fd < 0 && atomic_compare_exchange_strong(&beneath->fd, &fd, fresh)) return;
    if (fstat(fd, &st) != 0 || !is_root(beneath, &st)) { /* somebody has closed it: the number is not ours any more */
        atomic_store(&beneath->fd, fresh);
        return;
    }
#ifdef __linux__
    dup3(fresh, fd, O_CLOEXEC);
#else
    if (dup2(fresh, fd) >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
    close(fresh);
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
    put_in_place(beneath, fd);
    atomic_store(&beneath->device, (uint64_t)st.st_dev);
    atomic_store(&beneath->inode, (uint64_t)st.st_ino);
    return true;
}

static bool
is_where_it_was(frugal_beneath *beneath)
{
    struct stat st;

    return atomic_load(&beneath->fd) >= 0 && stat(beneath->path, &st) == 0 && is_root(beneath, &st);
}

static bool
find_root(frugal_beneath *beneath)
{
    int64_t now = milliseconds();
    bool found;

    if (atomic_load(&beneath->fd) >= 0 && !atomic_load(&beneath->gone) && now - atomic_load(&beneath->looked) < beneath->good_for) return true;
    atomic_store(&beneath->looked, now);
    found = (!atomic_load(&beneath->gone) && is_where_it_was(beneath)) || open_root(beneath);
    atomic_store(&beneath->gone, !found);
    return found;
}

/* -- a file -- */

#ifdef __linux__

# ifndef SYS_openat2
#  define SYS_openat2 437
# endif
# ifndef O_LARGEFILE
#  define O_LARGEFILE 0
# endif

# define NO_MAGICLINKS 0x02
# define NO_SYMLINKS 0x04
# define BENEATH 0x08

/* What a rename of somebody else's makes the kernel unsure of, it is asked again, so often. */
# define TRIES 16

static atomic_bool unknown_to_the_kernel;

static int
openat2_beneath(int root, const char *path, int flags, bool follow)
{
    struct {
        uint64_t flags, mode, resolve;
    } how = {
        .flags = (uint64_t)(flags | O_LARGEFILE | (follow ? 0 : O_NOFOLLOW)),
        .resolve = BENEATH | NO_MAGICLINKS | (follow ? 0 : NO_SYMLINKS)
    };

    return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

/* EPERM may come from the file or from a filter, which does not let the directory itself through either. */
static bool
is_refused(int root, int error)
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
    for (int tries = 0; !atomic_load(&unknown_to_the_kernel) && tries < TRIES; tries++) {
        int fd = openat2_beneath(root, path, FILE_FLAGS, follow), error = errno;

        if (fd >= 0) return fd;
        if (is_refused(root, error)) {
            atomic_store(&unknown_to_the_kernel, true);
        } else if (error != EAGAIN) {
            errno = error;
            return -1;
        }
    }
    return frugal_beneath_steps(root, path, follow, FILE_FLAGS);
}

#else

static int
open_beneath(int root, const char *path, bool follow)
{
    return frugal_beneath_steps(root, path, follow, FILE_FLAGS);
}

#endif

/*
 * A failed open takes the kernel twice as long as a failed stat, and most of what
 * a web server is asked for is no file. The stat is a first sieve only, which also
 * leaves fifos and devices unopened: what it says is true of some file, perhaps of
 * one outside, and what counts is what is opened.
 */
int
frugal_beneath_open(frugal_beneath *beneath, const char *path, struct stat *st)
{
    int fd, error = 0, nofollow = beneath->follow == FRUGAL_LINKS_NONE ? AT_SYMLINK_NOFOLLOW : 0;

    if (!find_root(beneath)) return -1;
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
