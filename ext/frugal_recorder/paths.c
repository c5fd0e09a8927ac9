/*
 * The paths of descriptors, and the current directory. Both are cached, so an event needs no additional system call.
 * The kernel is asked only about unknown descriptors, which were inherited or opened in another way.
 *
 * The buffer is static and guarded by the lock, because signal handlers and threads may have small stacks.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KNOWN_FDS 65536
#define NOT_A_FILE UINT32_MAX

static uint32_t paths[KNOWN_FDS]; /* a path's definition; 0: unknown */
static _Atomic int known_fds;     /* descriptors from this number on are unknown */
static _Atomic uint64_t cwd;      /* low half: its definition, 0: unknown; high half: number of changes */
static char buffer[4096];

void
frugal_paths_reset(void)
{
    memset(paths, 0, (size_t)atomic_load(&known_fds) * sizeof *paths);
    atomic_store(&known_fds, 0);
    frugal_cwd_changed();
}

void
frugal_cwd_changed(void)
{
    if (!frugal_in_child()) atomic_store(&cwd, ((atomic_load(&cwd) >> 32) + 1) << 32);
}

/* Returns how often the current directory has changed. */
uint32_t
frugal_cwd_number(void)
{
    return (uint32_t)(atomic_load(&cwd) >> 32);
}

static uint32_t
define(uint32_t directory, const char *path, size_t size)
{
    frugal_lock();
    uint32_t id = frugal_log_define(DEFINITION_PATH, &directory, sizeof directory, path, size);
    frugal_unlock();
    return id;
}

/* Returns the current directory. If another thread changes the directory meanwhile, the answer is not cached. */
static uint32_t
current_directory(void)
{
    uint64_t known = atomic_load(&cwd);
    uint32_t none = 0, id = (uint32_t)known;

    if (frugal_in_child()) id = 0;
    if (id) return id;
    frugal_lock();
    long size = syscall(SYS_getcwd, buffer, sizeof buffer);
    if (size > 1 && buffer[0] == '/') /* neither deleted nor unreachable */
        id = frugal_log_define(DEFINITION_PATH, &none, sizeof none, buffer, (size_t)size - 1);
    frugal_unlock();
    if (!frugal_in_child()) atomic_compare_exchange_strong(&cwd, &known, known | id);
    return id;
}

/* Returns the current directory, and preserves errno. */
uint32_t
frugal_cwd(void)
{
    int error = errno;

    frugal_thread.busy = true;
    uint32_t id = current_directory();
    frugal_thread.busy = false;
    errno = error;
    return id;
}

/* Terminals and other devices are not files. */
static bool
is_device(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0;
}

static bool
is_pipe(int fd)
{
    return syscall(SYS_fcntl, fd, F_GETPIPE_SZ) >= 0;
}

/* Returns the path in the buffer. The link of a pipe is "pipe:[12]". */
static uint32_t
define_linked(long size)
{
    uint32_t none = 0;

    if (buffer[0] != '/') return NOT_A_FILE;
    buffer[size] = 0;
    if (is_device(buffer)) return NOT_A_FILE;
    if (strncmp(buffer, "/memfd:", 7) == 0) return NOT_A_FILE;
    if (size > 10 && strcmp(buffer + size - 10, " (deleted)") == 0) size -= 10;
    return frugal_log_define(DEFINITION_PATH, &none, sizeof none, buffer, (size_t)size);
}

static uint32_t
ask_kernel(int fd)
{
    char link[] = "/proc/self/fd/1234567890", digits[10];
    size_t end = sizeof "/proc/self/fd/" - 1, count = 0;

    if (is_pipe(fd)) return NOT_A_FILE; /* also a FIFO, whose link is a path */
    do digits[count++] = (char)('0' + fd % 10);
    while (fd /= 10);
    while (count) link[end++] = digits[--count];
    link[end] = 0;
    frugal_lock();
    long size = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, sizeof buffer - 1);
    uint32_t id = size > 0 ? define_linked(size) : 0; /* 0: not open, or no /proc */
    frugal_unlock();
    return id;
}

static void
keep(int fd, uint32_t path)
{
    if (fd < 0 || fd >= KNOWN_FDS || (!path && fd >= atomic_load(&known_fds)) || frugal_in_child()) return;
    int known = atomic_load(&known_fds);
    while (fd >= known && !atomic_compare_exchange_weak(&known_fds, &known, fd + 1)) continue;
    paths[fd] = path;
}

/* Returns 0 if the descriptor is not a file. */
uint32_t
frugal_path_of(int fd)
{
    if (fd < 0) return 0;
    uint32_t path = fd < KNOWN_FDS && !frugal_in_child() ? paths[fd] : 0;
    if (!path) keep(fd, path = ask_kernel(fd));
    return path == NOT_A_FILE ? 0 : path;
}

uint32_t
frugal_path_in(uint32_t directory, const char *path)
{
    if (!path) return 0;
    return define(path[0] == '/' ? 0 : directory, path, strnlen(path, 65536)); /* the kernel takes 4,095 bytes */
}

/* Returns the path that a call was given. A relative path includes its directory. */
uint32_t
frugal_path(int dirfd, const char *path)
{
    if (!path || path[0] == '/') return frugal_path_in(0, path);
    return frugal_path_in(dirfd == AT_FDCWD ? current_directory() : frugal_path_of(dirfd), path);
}

static bool
is_directory(int dirfd, const char *path)
{
    struct stat st;

    return syscall(SYS_newfstatat, dirfd, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* After a directory was renamed, the cached paths beneath it are invalid. Both names are checked, since a rename may
 * exchange them. */
void
frugal_renamed(int from_fd, const char *from, int to_fd, const char *to)
{
    if (!frugal_in_child() && (is_directory(to_fd, to) || is_directory(from_fd, from))) frugal_paths_reset();
}

/* Remembers what was opened by this name. Returns whether it is a FIFO: like other pipes, it is not a file, although it
 * has a path. */
bool
frugal_fd_opened(int fd, uint32_t path, const char *name)
{
    int error = errno;
    bool fifo = is_pipe(fd);

    keep(fd, fifo || (name && is_device(name)) ? NOT_A_FILE : path);
    errno = error;
    return fifo;
}

void
frugal_fd_closed(int fd)
{
    keep(fd, 0);
}

void
frugal_fd_copied(int from, int to)
{
    keep(to, from >= 0 && from < KNOWN_FDS ? paths[from] : 0);
}

void
frugal_fds_closed(unsigned first, unsigned last)
{
    unsigned known = (unsigned)atomic_load(&known_fds);

    for (unsigned fd = first; fd <= last && fd < known; fd++) frugal_fd_closed((int)fd);
}
