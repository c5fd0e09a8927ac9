#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_CLOEXEC, strsep, syscall */
#endif
#include "core/system/file_system.h"
#include "core/system/grow.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Constants of linux/magic.h and linux/stat.h, which not every libc provides. */
enum {
    BTRFS = 0x9123683E,
    EXT = 0xEF53,
    F2FS = 0xF2F52010,
    OVERLAY = 0x794C7630,
    PROC = 0x9FA0,
    TMPFS = 0x01021994,
    XFS = 0x58465342,
    ZFS = 0x2FC12FC1
};
enum { MOUNT_ID = 0x1000, UNIQUE_MOUNT_ID = 0x4000, EMPTY_PATH = 0x1000 };
enum { WORD_OF_MOUNT_ID = 144 / 8, STATX_WORDS = 256 / 8 };

/*
 * File systems that store nanoseconds, taken from this kernel's clock. The magic number must match too. The
 * `multigrain` ones have exact times since Linux 6.13 (FS_MGTIME in the kernel's sources). A disk format with whole
 * seconds (ext2, ext4 with inodes of 128 bytes) is recognized by the times themselves.
 */
static const struct {
    const char *name;
    unsigned magic;
    frugal_times times;
    bool multigrain;
} types[] = {
    { "ext4", EXT, FRUGAL_TIMES_TICKS, true },        { "xfs", XFS, FRUGAL_TIMES_TICKS, true },
    { "btrfs", BTRFS, FRUGAL_TIMES_TICKS, true },     { "tmpfs", TMPFS, FRUGAL_TIMES_TICKS, true },
    { "ext3", EXT, FRUGAL_TIMES_TICKS, false },       { "ext2", EXT, FRUGAL_TIMES_TICKS, false },
    { "devtmpfs", TMPFS, FRUGAL_TIMES_TICKS, false }, { "f2fs", F2FS, FRUGAL_TIMES_TICKS, false },
    { "zfs", ZFS, FRUGAL_TIMES_TICKS, false },        { "overlay", OVERLAY, FRUGAL_TIMES_LAYERED, false },
};

static bool
kernel_is_multigrain(void)
{
    struct utsname name;
    int major, minor;
    char *rest;

    if (uname(&name) != 0) return false;
    major = (int)strtol(name.release, &rest, 10);
    minor = *rest == '.' ? (int)strtol(rest + 1, NULL, 10) : 0;
    return major > 6 || (major == 6 && minor >= 13);
}

static frugal_times
times_of_type(int fd, const char *name)
{
    struct statfs fs;

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        if (strcmp(name, types[i].name) != 0) continue;
        /* The tmpfs of a kernel without shmem is a ramfs. */
        if (fstatfs(fd, &fs) != 0 || (unsigned)fs.f_type != types[i].magic) return FRUGAL_TIMES_UNKNOWN;
        return types[i].multigrain && kernel_is_multigrain() ? FRUGAL_TIMES_EXACT : types[i].times;
    }
    return FRUGAL_TIMES_UNKNOWN;
}

/* -- the mount's id -- */

/*
 * Gets a mount id by statx. Returns which kind of id it is, or 0. Uses the system call, since not every libc has a
 * function for it.
 */
static unsigned
statx_mount_id(int fd, unsigned kind, uint64_t *id)
{
#ifdef SYS_statx
    uint64_t answer[STATX_WORDS] = { 0 };
    uint32_t mask;

    if (syscall(SYS_statx, fd, "", EMPTY_PATH, kind, answer) != 0) return 0;
    memcpy(&mask, answer, sizeof(mask));
    *id = answer[WORD_OF_MOUNT_ID];
    return mask & (MOUNT_ID | UNIQUE_MOUNT_ID);
#else
    return 0;
#endif
}

/* Opens a file of /proc, and checks that it is on procfs, not on another mount. */
static int
open_proc(const char *path)
{
    struct statfs fs;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || (fstatfs(fd, &fs) == 0 && (unsigned)fs.f_type == PROC)) return fd;
    close(fd);
    return -1;
}

/*
 * Returns the text of a file of /proc, which the caller frees, or NULL. Does not use stdio, since the recorder does not
 * see the calls that stdio makes.
 */
static char *
read_proc(const char *path)
{
    enum { LEAST = 4096 };
    size_t size = 0, room = 4 * LEAST;
    char *text;
    long bytes = -1;
    int fd = open_proc(path);

    if (fd < 0) return NULL;
    text = malloc(room);
    while (text != NULL && (bytes = read(fd, text + size, room - size - 1)) > 0) {
        size += (size_t)bytes;
        if (room - size <= LEAST && !FRUGAL_SYSTEM_GROW(text, room, 0)) break;
    }
    close(fd);
    if (bytes == 0) return text[size] = '\0', text;
    free(text);
    return NULL;
}

/* Reads the mount id from /proc, if statx does not provide it (before Linux 5.8, or under a seccomp filter). */
static bool
read_mount_id(int fd, uint64_t *id)
{
    char path[64], *text, *field;
    unsigned long long found;
    bool read = false;

    snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
    text = read_proc(path);
    if (text == NULL) return false;
    field = strstr(text, "mnt_id:");
    read = field != NULL && sscanf(field, "mnt_id: %llu", &found) == 1;
    free(text);
    if (read) *id = found;
    return read;
}

/* -- the mount's type -- */

/*
 * Cuts the type, the word after the dash, out of a line like
 * "36 35 98:0 /root /mount rw,noatime master:1 - ext3 /dev/root rw".
 */
static char *
cut_type(char *line)
{
    char *type = strstr(line, " - "), *end;

    if (type == NULL) return NULL;
    type += strlen(" - ");
    end = strchr(type, ' ');
    if (end == NULL) return NULL;
    *end = '\0';
    return type;
}

/*
 * Finds the mount's type in mountinfo. The mount is in use, so no other mount can have its id. Returns false if it is
 * not listed.
 */
static bool
read_type(int fd, uint64_t id, frugal_times *times)
{
    char *text = read_proc("/proc/self/mountinfo"), *next = text, *line, *rest, *type = NULL;

    while (type == NULL && (line = strsep(&next, "\n")) != NULL) {
        if (strtoull(line, &rest, 10) == id && rest != line && *rest == ' ') type = cut_type(rest);
    }
    if (type != NULL) *times = times_of_type(fd, type);
    free(text);
    return type != NULL;
}

static bool
look_up(int fd, frugal_times *times)
{
    uint64_t id;

    if (!(statx_mount_id(fd, MOUNT_ID, &id) & MOUNT_ID) && !read_mount_id(fd, &id)) return false;
    return read_type(fd, id, times);
}

/* -- the cache of mounts -- */

/*
 * Cached by the unique mount id (Linux 6.8), which the kernel never uses again, so an entry stays valid. Device
 * numbers and the other mount ids are used again after an unmount. A thread that does not get the lock at once looks
 * the mount up without the cache.
 */
enum { CACHE_SIZE = 16 };
static struct {
    uint64_t id;
    frugal_times times;
} cache[CACHE_SIZE];
static unsigned cache_count;
static atomic_flag cache_locked = ATOMIC_FLAG_INIT;

static bool
find_cached(uint64_t id, frugal_times *times)
{
    bool found = false;

    if (atomic_flag_test_and_set_explicit(&cache_locked, memory_order_acquire)) return false;
    for (unsigned i = 0; i < CACHE_SIZE && i < cache_count && !found; i++) {
        found = cache[i].id == id;
        if (found) *times = cache[i].times;
    }
    atomic_flag_clear_explicit(&cache_locked, memory_order_release);
    return found;
}

static void
add_to_cache(uint64_t id, frugal_times times)
{
    if (atomic_flag_test_and_set_explicit(&cache_locked, memory_order_acquire)) return;
    cache[cache_count % CACHE_SIZE].id = id;
    cache[cache_count % CACHE_SIZE].times = times;
    cache_count = cache_count + 1 < 2 * CACHE_SIZE ? cache_count + 1 : CACHE_SIZE;
    atomic_flag_clear_explicit(&cache_locked, memory_order_release);
}

frugal_times
frugal_system_times(int fd)
{
    frugal_times times = FRUGAL_TIMES_UNKNOWN;
    uint64_t id = 0;
    int error = errno;

    switch (statx_mount_id(fd, UNIQUE_MOUNT_ID, &id)) {
    case UNIQUE_MOUNT_ID:
        if (find_cached(id, &times)) break;
        if (look_up(fd, &times)) add_to_cache(id, times);
        break;
    case MOUNT_ID: /* Linux 5.8 to 6.7 */ read_type(fd, id, &times); break;
    default: look_up(fd, &times);
    }
    errno = error;
    return times;
}

#else

#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <sys/mount.h>
#include <sys/param.h>
#endif

frugal_times
frugal_system_times(int fd)
{
#ifdef __APPLE__
    struct statfs fs;

    if (fstatfs(fd, &fs) == 0 && strcmp(fs.f_fstypename, "apfs") == 0) return FRUGAL_TIMES_TICKS;
#endif
    return FRUGAL_TIMES_UNKNOWN;
}

#endif
