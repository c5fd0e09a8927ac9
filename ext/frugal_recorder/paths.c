/*
 * The path of a descriptor and the current directory. Both are kept, so that an event costs no system call of its own,
 * and asked of the kernel where they are not known: descriptors that were inherited, or opened by other ways.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KNOWN_FDS 4096
#define NOT_A_FILE UINT32_MAX

static uint32_t paths[KNOWN_FDS]; /* a path's definition; 0: unknown */
static uint32_t cwd;              /* 0: unknown */

void
frugal_paths_reset(void)
{
    memset(paths, 0, sizeof paths);
    cwd = 0;
}

void
frugal_cwd_changed(void)
{
    if (!frugal_thread.child) cwd = 0;
}

static uint32_t
define(uint32_t directory, const char *path, size_t size)
{
    frugal_lock();
    uint32_t id = frugal_log_define(DEFINITION_PATH, &directory, sizeof directory, path, size);
    frugal_unlock();
    return id;
}

static uint32_t
current_directory(void)
{
    char path[4096];

    if (cwd && !frugal_thread.child) return cwd;
    long size = syscall(SYS_getcwd, path, sizeof path);
    if (size <= 1 || path[0] != '/') return 0; /* deleted, or out of reach */
    uint32_t id = define(0, path, (size_t)size - 1);
    if (!frugal_thread.child) cwd = id;
    return id;
}

/* A pipe is "pipe:[12]". Terminals and other devices are no files either. */
static uint32_t
ask_kernel(int fd)
{
    char link[40], path[4096];

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long size = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (size <= 0) return 0; /* not open, or no /proc */
    if (path[0] != '/') return NOT_A_FILE;
    path[size] = 0;
    if (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0) return NOT_A_FILE;
    if (strncmp(path, "/memfd:", 7) == 0) return NOT_A_FILE;
    if (size > 10 && strcmp(path + size - 10, " (deleted)") == 0) size -= 10;
    return define(0, path, (size_t)size);
}

/* Returns 0 for what is no file. */
uint32_t
frugal_path_of(int fd)
{
    if (fd < 0) return 0;
    bool kept = fd < KNOWN_FDS && !frugal_thread.child;
    uint32_t path = kept ? paths[fd] : 0;
    if (!path) {
        path = ask_kernel(fd);
        if (kept) paths[fd] = path;
    }
    return path == NOT_A_FILE ? 0 : path;
}

/* The path that a call was given, absolute by its directory. */
uint32_t
frugal_path(int dirfd, const char *path)
{
    if (!path) return 0;
    size_t size = strnlen(path, 65536); /* a longer one is cut; the kernel takes 4,095 bytes */
    if (path[0] == '/') return define(0, path, size);
    return define(dirfd == AT_FDCWD ? current_directory() : frugal_path_of(dirfd), path, size);
}

void
frugal_fd_opened(int fd, uint32_t path)
{
    if (fd >= 0 && fd < KNOWN_FDS && !frugal_thread.child) paths[fd] = path;
}

void
frugal_fd_closed(int fd)
{
    frugal_fd_opened(fd, 0);
}

void
frugal_fd_copied(int from, int to)
{
    frugal_fd_opened(to, from >= 0 && from < KNOWN_FDS ? paths[from] : 0);
}

void
frugal_fds_closed(unsigned first, unsigned last)
{
    for (unsigned fd = first; fd <= last && fd < KNOWN_FDS; fd++) frugal_fd_closed((int)fd);
}
