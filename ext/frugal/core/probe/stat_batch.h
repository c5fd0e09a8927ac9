/* Stats many files at once, on several threads. Does not depend on Ruby. */
#ifndef FRUGAL_STAT_BATCH_H
#define FRUGAL_STAT_BATCH_H

#include "core/system/system.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>

enum { FRUGAL_STAT_PENDING = -1, FRUGAL_STAT_MAX_HELPERS = 15, FRUGAL_STAT_IF_SLOW = 0 };

/*
 * One file to stat. `error` is FRUGAL_STAT_PENDING until the stat is done, then 0 if mtime (or the host's record) was
 * filled in, else errno.
 */
typedef struct {
    const char *path;
    struct timespec mtime;
    atomic_int error;
} frugal_stat_item;

/*
 * Threads have taken the items below `next`; these are done when run or finish returns. If the host may want to stop a
 * run, it sets `interrupted` after prepare; the calling thread calls that function between items. A host that needs
 * more than mtimes sets `fill_record`, `records` and `record_size` after prepare: the threads call fill_record with the
 * path and the record of each item, and it returns 0 or errno. Then mtime is not filled in.
 */
typedef struct {
    frugal_stat_item *items;
    size_t count;
    atomic_size_t next;
    atomic_bool cancelled;
    bool (*interrupted)(void *host);
    void *host;
    int (*fill_record)(const char *path, void *record);
    void *records;
    size_t record_size;
    pthread_t helpers[FRUGAL_STAT_MAX_HELPERS];
    int helper_count;
} frugal_stat_batch;

/* Stats one item. */
void frugal_probe_batch_stat_one(frugal_stat_item *item);

/* Returns how many threads are useful for `count` items. */
int frugal_probe_batch_threads(size_t count);

/*
 * Initializes a batch, and marks its items as pending. The items and their paths are borrowed until the last run or
 * finish has returned.
 */
void frugal_probe_batch_prepare(frugal_stat_batch *batch, frugal_stat_item *items, size_t count);

/*
 * Stats the items on the calling thread and up to `threads` - 1 others, or fewer if the system refuses one. With
 * FRUGAL_STAT_IF_SLOW, other threads help only where stats are slow: elsewhere they would save time, but take more
 * processor time. Returns true when all items are done, false if the run was cancelled.
 */
bool frugal_probe_batch_run(frugal_stat_batch *batch, int threads);

/*
 * Starts to stat the items on one other thread, while the calling thread does other work and later calls wait. If the
 * system refuses a thread, wait does all the work.
 */
void frugal_probe_batch_start(frugal_stat_batch *batch);

/*
 * Waits for items[index], and stats other items meanwhile. If stats are slow, as on a cold disk, it starts more
 * threads. Returns true when the item is done, false if it was interrupted or cancelled before.
 */
bool frugal_probe_batch_wait(frugal_stat_batch *batch, size_t index);

/* Ends the threads of start. Items that were not taken stay pending. */
void frugal_probe_batch_finish(frugal_stat_batch *batch);

/* Makes a run return soon, even one that has not begun. Any thread may call it. */
void frugal_probe_batch_cancel(frugal_stat_batch *batch);

/* Call it after a cancelled run: the next run continues from there. */
void frugal_probe_batch_resume(frugal_stat_batch *batch);

#endif
