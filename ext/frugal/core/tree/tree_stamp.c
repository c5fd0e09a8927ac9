/* Stamps: the identity and times of a file, and whether a later change is certain to change the times. */
#include "core/tree/tree_internal.h"

#include <time.h>

#include "core/system/system.h"

/*
 * A change sets a directory's times to the kernel's clock, which advances in ticks of 1 to 10 ms: two changes within
 * one tick get the same time. Times in whole seconds come from file systems without fractions of a second; some of
 * these store only even seconds.
 */
#define TICK_NS INT64_C(20000000)
#define COARSE_TICK_NS INT64_C(2000000000)
#define SECOND_NS INT64_C(1000000000)

/* Longer than a tick of any clock, including that of another machine. */
#define LONG_TICK_NS INT64_C(100000000)

/* The clock from which the kernel takes the times of files. */
#ifdef CLOCK_REALTIME_COARSE
#define CHANGE_CLOCK CLOCK_REALTIME_COARSE
#else
#define CHANGE_CLOCK CLOCK_REALTIME
#endif

int64_t
frugal_tree_now(void)
{
    struct timespec now;

    clock_gettime(CHANGE_CLOCK, &now);
    return frugal_system_nanoseconds(now);
}

/* While the root is open, no other file system can get its device number, so the cached answer stays valid. */
frugal_times
frugal_tree_times(frugal_tree *tree, int fd, dev_t device)
{
    struct stat st;
    bool same;

    pthread_mutex_lock(&tree->lock);
    if (!tree->times_cached && fstat(tree->root.fd, &st) == 0) {
        tree->times_cached = true;
        tree->times_device = st.st_dev;
        tree->times = frugal_system_times(tree->root.fd);
    }
    same = tree->times_cached && tree->times_device == device;
    pthread_mutex_unlock(&tree->lock);
    return same ? tree->times : frugal_system_times(fd);
}

static int64_t
monotonic_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return frugal_system_nanoseconds(now);
}

static bool
is_unchanged(const frugal_tree_stamp *stamp, const frugal_tree_stamp *previous)
{
    return previous != NULL && previous->first_seen != 0 && stamp->device == previous->device &&
           stamp->inode == previous->inode && stamp->mtime == previous->mtime && stamp->ctime == previous->ctime;
}

void
frugal_tree_take_stamp(frugal_tree_stamp *stamp, const frugal_tree_stamp *previous, frugal_times times,
                       const struct stat *st, int64_t now)
{
    int64_t newest, tick, since_start;

    stamp->device = st->st_dev;
    stamp->inode = st->st_ino;
    stamp->mtime = frugal_system_nanoseconds(frugal_system_mtime(st));
    stamp->ctime = frugal_system_nanoseconds(frugal_system_ctime(st));
    stamp->first_seen = 0;
    stamp->reliable = false;
    if (times == FRUGAL_TIMES_UNKNOWN) return;
    newest = stamp->mtime > stamp->ctime ? stamp->mtime : stamp->ctime;
    tick = stamp->ctime % SECOND_NS == 0 ? COARSE_TICK_NS : TICK_NS; /* not the mtime, which any program can set */
    if (times != FRUGAL_TIMES_LAYERED) {
        stamp->reliable = newest < now - tick;
        return;
    }
    /*
     * The times come from a clock that may be late: they are reliable after they have stayed the same for long enough.
     */
    since_start = monotonic_now();
    stamp->first_seen = is_unchanged(stamp, previous) ? previous->first_seen : since_start;
    stamp->reliable = since_start - stamp->first_seen > (stamp->ctime % 1000 == 0 ? COARSE_TICK_NS : LONG_TICK_NS);
}

bool
frugal_tree_is_same(const frugal_tree_stamp *stamp, const struct stat *st)
{
    return stamp->device == st->st_dev && stamp->inode == st->st_ino;
}

bool
frugal_tree_has_changed(const frugal_tree_stamp *stamp, const struct stat *st)
{
    return stamp->mtime != frugal_system_nanoseconds(frugal_system_mtime(st)) ||
           stamp->ctime != frugal_system_nanoseconds(frugal_system_ctime(st));
}
