#include "core/store/store_stamps.h"

#include <string.h>
#include <time.h>

#include "core/system/system.h"

#define NS INT64_C(1000000000)

/* Longer than a tick of any clock, including that of another machine. */
#define LAYERED_AGE (NS / 10)

#ifdef __linux__

static void
read_clock(int64_t *now, int64_t *tick)
{
    struct timespec time, step;

    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    clock_getres(CLOCK_REALTIME_COARSE, &step);
    *now = frugal_system_nanoseconds(time);
    *tick = frugal_system_nanoseconds(step);
}

#else

static void
read_clock(int64_t *now, int64_t *tick)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    *now = frugal_system_nanoseconds(time);
    *tick = NS / 100;
}

#endif

frugal_identity
frugal_store_identity_of(const struct stat *st)
{
    frugal_identity identity;

    memset(&identity, 0, sizeof(identity));
    identity.device = (uint64_t)st->st_dev;
    identity.inode = (uint64_t)st->st_ino;
    identity.size = (int64_t)st->st_size;
    identity.mtime = frugal_system_nanoseconds(frugal_system_mtime(st));
    identity.ctime = frugal_system_nanoseconds(frugal_system_ctime(st));
    identity.mode = (uint32_t)st->st_mode;
    identity.owner = (uint32_t)st->st_uid;
    identity.group = (uint32_t)st->st_gid;
    return identity;
}

bool
frugal_store_identity_same(const frugal_identity *one, const frugal_identity *other)
{
    return one->ctime == other->ctime && one->mtime == other->mtime && one->size == other->size &&
           frugal_store_identity_same_file(one, other);
}

bool
frugal_store_identity_same_file(const frugal_identity *one, const frugal_identity *other)
{
    return one->inode == other->inode && one->device == other->device;
}

static int64_t
monotonic_time(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return frugal_system_nanoseconds(time);
}

/* Reports whether every later change gets a later time than these, from the clock that set them. */
static bool
are_past(frugal_times times, const frugal_identity *identity, int64_t first_seen)
{
    int64_t now, tick, changed;

    if (times == FRUGAL_TIMES_LAYERED) {
        /* Times finer than a microsecond do not come from a coarse file system. */
        return identity->ctime % 1000 != 0 && monotonic_time() - first_seen > LAYERED_AGE;
    }
    read_clock(&now, &tick);
    changed = identity->mtime > identity->ctime ? identity->mtime : identity->ctime;
    return now - changed > 2 * tick;
}

bool
frugal_store_identity_proves(frugal_sighting *sighting, frugal_times times, const frugal_identity *identity)
{
    if (times == FRUGAL_TIMES_LAYERED && !frugal_store_identity_same(&sighting->identity, identity)) {
        sighting->identity = *identity;
        sighting->first_seen = monotonic_time();
    }
    if (times == FRUGAL_TIMES_UNKNOWN) return false;
    /* A whole second: the file system stores no fractions (or chance: 10^-9). A program could set the mtime. */
    if (identity->ctime % NS == 0) return false;
    return times == FRUGAL_TIMES_EXACT || are_past(times, identity, sighting->first_seen);
}
