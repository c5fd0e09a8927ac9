#include "store_stamps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#ifdef __linux__
# include <sys/vfs.h>
#elif defined(__APPLE__)
# include <sys/mount.h>
# include <sys/param.h>
#endif

#include "file_times.h"

#define NS INT64_C(1000000000)

#ifdef __linux__

/* As linux/magic.h has them; not every libc brings it. */
enum {
    BTRFS = 0x9123683E, EXT = 0xEF53, F2FS = 0xF2F52010, OVERLAY = 0x794C7630,
    TMPFS = 0x01021994, XFS = 0x58465342, ZFS = 0x2FC12FC1
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

frugal_stamps
frugal_stamps_of(int fd)
{
    struct statfs fs;

    if (fstatfs(fd, &fs) != 0) return FRUGAL_STAMPS_UNKNOWN;
    switch ((unsigned)fs.f_type) {
      case EXT: case TMPFS: case XFS: case BTRFS:
        return kernel_is_multigrain() ? FRUGAL_STAMPS_EXACT : FRUGAL_STAMPS_TICKS;
      case OVERLAY: case F2FS: case ZFS:
        return FRUGAL_STAMPS_TICKS;
      default:
        return FRUGAL_STAMPS_UNKNOWN;
    }
}

static void
look_at_clock(int64_t *now, int64_t *tick)
{
    struct timespec time, step;

    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    clock_getres(CLOCK_REALTIME_COARSE, &step);
    *now = frugal_nanoseconds(time);
    *tick = frugal_nanoseconds(step);
}

#else

frugal_stamps
frugal_stamps_of(int fd)
{
# ifdef __APPLE__
    struct statfs fs;

    if (fstatfs(fd, &fs) == 0 && strcmp(fs.f_fstypename, "apfs") == 0) return FRUGAL_STAMPS_TICKS;
# endif
    return FRUGAL_STAMPS_UNKNOWN;
}

static void
look_at_clock(int64_t *now, int64_t *tick)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    *now = frugal_nanoseconds(time);
    *tick = NS / 100;
}

#endif

frugal_identity
frugal_identity_of(const struct stat *st)
{
    frugal_identity identity;

    memset(&identity, 0, sizeof(identity));
    identity.device = (uint64_t)st->st_dev;
    identity.inode = (uint64_t)st->st_ino;
    identity.size = (int64_t)st->st_size;
    identity.mtime = frugal_nanoseconds(frugal_stat_mtime(st));
    identity.ctime = frugal_nanoseconds(frugal_stat_ctime(st));
    identity.mode = (uint32_t)st->st_mode;
    identity.owner = (uint32_t)st->st_uid;
    identity.group = (uint32_t)st->st_gid;
    return identity;
}

bool
frugal_identity_same(const frugal_identity *one, const frugal_identity *other)
{
    return one->ctime == other->ctime && one->mtime == other->mtime && one->size == other->size &&
           frugal_identity_same_file(one, other);
}

bool
frugal_identity_same_file(const frugal_identity *one, const frugal_identity *other)
{
    return one->inode == other->inode && one->device == other->device;
}

bool
frugal_stamps_trust(frugal_stamps stamps, const frugal_identity *identity)
{
    int64_t now, tick, changed;

    if (stamps == FRUGAL_STAMPS_UNKNOWN) return false;
    /* Both on a full second: a file system that has no more, or one chance in 10^18. */
    if (identity->mtime % NS == 0 && identity->ctime % NS == 0) return false;
    if (stamps == FRUGAL_STAMPS_EXACT) return true;
    look_at_clock(&now, &tick);
    changed = identity->mtime > identity->ctime ? identity->mtime : identity->ctime;
    return now - changed > 2 * tick;
}
