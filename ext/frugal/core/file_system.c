#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_CLOEXEC, syscall */
#endif
#include "file_system.h"

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

/* As linux/magic.h and linux/stat.h have them; not every libc brings them. */
enum {
    BTRFS = 0x9123683E, EXT = 0xEF53, F2FS = 0xF2F52010, OVERLAY = 0x794C7630, PROC = 0x9FA0,
    TMPFS = 0x01021994, XFS = 0x58465342, ZFS = 0x2FC12FC1
};
enum { MOUNT_ID = 0x1000, UNIQUE_MOUNT_ID = 0x4000, EMPTY_PATH = 0x1000 };
enum { WORD_OF_MOUNT_ID = 144 / 8, STATX_WORDS = 256 / 8 };

/*
 * Types that keep nanoseconds and take them from this kernel's own clock; and
 * the magic number that must agree with the name. `multigrain` ones have exact
 * times since Linux 6.13 (FS_MGTIME in the kernel's sources). A disk format of
 * whole seconds (ext2, ext4 with inodes of 128 bytes) shows in the times.
 */
static const struct {
    const char *name;
    unsigned magic;
    frugal_times times;
    bool multigrain;
} types[] = {
    { "ext4", EXT, FRUGAL_TIMES_TICKS, true },
    { "xfs", XFS, FRUGAL_TIMES_TICKS, true },
    { "btrfs", BTRFS, FRUGAL_TIMES_TICKS, true },
    { "tmpfs", TMPFS, FRUGAL_TIMES_TICKS, true },
    { "ext3", EXT, FRUGAL_TIMES_TICKS, false },
    { "ext2", EXT, FRUGAL_TIMES_TICKS, false },
    { "devtmpfs", TMPFS, FRUGAL_TIMES_TICKS, false },
    { "f2fs", F2FS, FRUGAL_TIMES_TICKS, false },
    { "zfs", ZFS, FRUGAL_TIMES_TICKS, false },
    { "overlay", OVERLAY, FRUGAL_TIMES_LAYERED, false },
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
        /* A kernel without shmem has a tmpfs that is a ramfs. */
        if (fstatfs(fd, &fs) != 0 || (unsigned)fs.f_type != types[i].magic) return FRUGAL_TIMES_UNKNOWN;
        return types[i].multigrain && kernel_is_multigrain() ? FRUGAL_TIMES_EXACT : types[i].times;
    }
    return FRUGAL_TIMES_UNKNOWN;
}

/* -- which mount: its number -- */

/* What statx answers of `wanted`, or 0. The system call itself, since not every libc has a function for it. */
static unsigned
ask_mount_id(int fd, unsigned wanted, uint64_t *id)
{
#ifdef SYS_statx
    uint64_t answer[STATX_WORDS] = { 0 };
    uint32_t mask;

    if (syscall(SYS_statx, fd, "", EMPTY_PATH, wanted, answer) != 0) return 0;
    memcpy(&mask, answer, sizeof(mask));
    *id = answer[WORD_OF_MOUNT_ID];
    return mask & (MOUNT_ID | UNIQUE_MOUNT_ID);
#else
    return 0;
#endif
}

/* A file of /proc, and not what somebody has put in its place; NULL with errno. */
static FILE *
open_proc(const char *path)
{
    struct statfs fs;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    FILE *file;

    if (fd < 0) return NULL;
    file = fstatfs(fd, &fs) == 0 && (unsigned)fs.f_type == PROC ? fdopen(fd, "r") : NULL;
    if (file == NULL) close(fd);
    return file;
}

/* Without statx (before Linux 5.8, or under a seccomp filter) /proc knows the number. */
static bool
read_mount_id(int fd, uint64_t *id)
{
    char path[64], line[256];
    unsigned long long found;
    bool read = false;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
    file = open_proc(path);
    if (file == NULL) return false;
    while (!read && fgets(line, sizeof(line), file) != NULL) {
        read = sscanf(line, "mnt_id: %llu", &found) == 1;
    }
    fclose(file);
    if (read) *id = found;
    return read;
}

/* -- which mount: its type -- */

/* "36 35 98:0 /root /mount rw,noatime master:1 - ext3 /dev/root rw": the first word behind the lone dash. */
static char *
type_in(char *line)
{
    char *type = strstr(line, " - "), *end;

    if (type == NULL) return NULL;
    type += strlen(" - ");
    end = strchr(type, ' ');
    if (end == NULL) return NULL;
    *end = '\0';
    return type;
}

/* The number is of a mount that is open, so that no other has it now. False where nobody tells. */
static bool
read_type(int fd, uint64_t id, frugal_times *times)
{
    FILE *file = open_proc("/proc/self/mountinfo");
    char *line = NULL, *rest, *type = NULL;
    size_t room = 0;

    if (file == NULL) return false;
    while (type == NULL && getline(&line, &room, file) > 0) {
        if (strtoull(line, &rest, 10) == id && rest != line && *rest == ' ') type = type_in(rest);
    }
    if (type != NULL) *times = times_of_type(fd, type);
    free(line);
    fclose(file);
    return type != NULL;
}

static bool
look_up(int fd, frugal_times *times)
{
    uint64_t id;

    if (!(ask_mount_id(fd, MOUNT_ID, &id) & MOUNT_ID) && !read_mount_id(fd, &id)) return false;
    return read_type(fd, id, times);
}

/* -- mounts that were looked up -- */

/*
 * By their unique number (Linux 6.8), which the kernel gives once: nothing makes
 * an answer untrue. A device's number, or a mount's other one, is another's after
 * an unmount. The lock is only tried: what nobody can have is asked for again.
 */
enum { KNOWN = 16 };
static struct { uint64_t id; frugal_times times; } known[KNOWN];
static unsigned known_count;
static atomic_flag known_busy = ATOMIC_FLAG_INIT;

static bool
recall(uint64_t id, frugal_times *times)
{
    bool found = false;

    if (atomic_flag_test_and_set_explicit(&known_busy, memory_order_acquire)) return false;
    for (unsigned i = 0; i < KNOWN && i < known_count && !found; i++) {
        found = known[i].id == id;
        if (found) *times = known[i].times;
    }
    atomic_flag_clear_explicit(&known_busy, memory_order_release);
    return found;
}

static void
keep(uint64_t id, frugal_times times)
{
    if (atomic_flag_test_and_set_explicit(&known_busy, memory_order_acquire)) return;
    known[known_count % KNOWN].id = id;
    known[known_count % KNOWN].times = times;
    known_count = known_count + 1 < 2 * KNOWN ? known_count + 1 : KNOWN;
    atomic_flag_clear_explicit(&known_busy, memory_order_release);
}

frugal_times
frugal_times_of(int fd)
{
    frugal_times times = FRUGAL_TIMES_UNKNOWN;
    uint64_t id = 0;
    int error = errno;

    switch (ask_mount_id(fd, UNIQUE_MOUNT_ID, &id)) {
      case UNIQUE_MOUNT_ID:
        if (recall(id, &times)) break;
        if (look_up(fd, &times)) keep(id, times);
        break;
      case MOUNT_ID: /* Linux 5.8 to 6.7 */
        read_type(fd, id, &times);
        break;
      default:
        look_up(fd, &times);
    }
    errno = error;
    return times;
}

#else

#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
# include <sys/mount.h>
# include <sys/param.h>
#endif

frugal_times
frugal_times_of(int fd)
{
#ifdef __APPLE__
    struct statfs fs;

    if (fstatfs(fd, &fs) == 0 && strcmp(fs.f_fstypename, "apfs") == 0) return FRUGAL_TIMES_TICKS;
#endif
    return FRUGAL_TIMES_UNKNOWN;
}

#endif
