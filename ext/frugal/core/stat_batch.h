/* Many stats at once, on threads. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_STAT_BATCH_H
#define FRUGAL_STAT_BATCH_H

#include "file_times.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>

enum { FRUGAL_STAT_OPEN = -1, FRUGAL_STAT_MAX_HELPERS = 15 };

/*
 * One question and its answer: `error` is open until it is answered, then 0
 * where mtime (or the host's record) was filled in, else errno.
 */
typedef struct {
    const char *path;
    struct timespec mtime;
    atomic_int error;
} frugal_stat_item;

/*
 * Items below `next` are taken; those taken are answered when run or finish
 * returns. Where the host can only be asked whether it wants the run to end, it
 * sets `interrupted` after init; the calling thread asks between its items.
 *
 * A host that wants more than mtimes sets `ask`, `records` and `record_size`
 * after init: one record for each item, which ask fills in by its path,
 * returning 0 or errno. The threads call it, and mtime stays as it was.
 */
typedef struct {
    frugal_stat_item *items;
    size_t count;
    atomic_size_t next;
    atomic_bool cancelled;
    bool (*interrupted)(void *host);
    void *host;
    int (*ask)(const char *path, void *record);
    void *records;
    size_t record_size;
    pthread_t helpers[FRUGAL_STAT_MAX_HELPERS];
    int helper_count;
} frugal_stat_batch;

/* Asks for one item. */
void frugal_stat_answer(frugal_stat_item *item);

/* How many threads so many items are worth. */
int frugal_stat_batch_threads(size_t count);

/* Opens the items. Borrows them, and the paths in them, until the last run or finish returned. */
void frugal_stat_batch_init(frugal_stat_batch *batch, frugal_stat_item *items, size_t count);

/*
 * Answers the items, one stat each, on the calling thread and up to `threads`
 * - 1 others (fewer where the system refuses one). Returns true when all are
 * answered, false when it was cancelled before.
 */
bool frugal_stat_batch_run(frugal_stat_batch *batch, int threads);

/*
 * Begins to answer on one other thread, while the calling one goes on with
 * other work and comes back by wait. Where the system refuses a thread, wait
 * does it all.
 */
void frugal_stat_batch_start(frugal_stat_batch *batch);

/*
 * Returns true when items[index] is answered; until then the calling thread
 * answers others. Where stats turn out to be slow, as on a cold disk, it starts
 * more threads. Returns false when it was interrupted or cancelled
 * before.
 */
bool frugal_stat_batch_wait(frugal_stat_batch *batch, size_t index);

/* Ends what start began: no thread is left, and items may stay open. */
void frugal_stat_batch_finish(frugal_stat_batch *batch);

/* Makes a run return soon, also one that has not begun. From any thread. */
void frugal_stat_batch_cancel(frugal_stat_batch *batch);

/* After a cancelled run: the next one goes on from there. */
void frugal_stat_batch_resume(frugal_stat_batch *batch);

#endif
