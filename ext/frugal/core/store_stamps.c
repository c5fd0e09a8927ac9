#include "store_stamps.h"

#include <string.h>
#include <time.h>

#include "file_times.h"

#define NS INT64_C(1000000000)

/* Longer than a tick of any clock, of another machine's too. */
#define LONG_SEEN (NS / 10)

#ifdef __linux__

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

static int64_t
time_since_start(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return frugal_nanoseconds(time);
}

/* Whether all that changes from now on is later than these times, by the clock that they are from. */
static bool
are_past(frugal_times times, const frugal_identity *identity, int64_t seen)
{
    int64_t now, tick, changed;

    if (times == FRUGAL_TIMES_LAYERED) {
        /* Finer than a microsecond, so they are those of no coarse file system. */
        return identity->ctime % 1000 != 0 && time_since_start() - seen > LONG_SEEN;
    }
    look_at_clock(&now, &tick);
    changed = identity->mtime > identity->ctime ? identity->mtime : identity->ctime;
    return now - changed > 2 * tick;
}

bool
frugal_sight_trust(frugal_sight *sight, frugal_times times, const frugal_identity *identity)
{
    if (times == FRUGAL_TIMES_LAYERED && !frugal_identity_same(&sight->identity, identity)) {
        sight->identity = *identity;
        sight->seen = time_since_start();
    }
    if (times == FRUGAL_TIMES_UNKNOWN) return false;
    /* A full second: of a file system that has no more, or one chance in 10^9. The mtime may be anybody's. */
    if (identity->ctime % NS == 0) return false;
    return times == FRUGAL_TIMES_EXACT || are_past(times, identity, sight->seen);
}
