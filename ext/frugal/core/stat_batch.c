#include "stat_batch.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

/*
 * How many items a thread takes at a time. More would make a cancelled run on a
 * slow disk linger; fewer would make the threads fight over one counter.
 */
#define SLICE 16
#define MAX_THREADS 16

/*
 * Below so many items a thread costs more than it saves. How many processors
 * there are is not asked: libc opens and reads a file for that, and on a slow
 * disk threads help on a single one too.
 */
#define ITEMS_PER_THREAD 512
#define USEFUL_THREADS 4

int
frugal_stat_batch_threads(size_t count)
{
    size_t useful = count / ITEMS_PER_THREAD + 1;

    return (int)(useful < USEFUL_THREADS ? useful : USEFUL_THREADS);
}

struct timespec
frugal_stat_mtime(const struct stat *st)
{
#ifdef __APPLE__
    return st->st_mtimespec;
#else
    return st->st_mtim;
#endif
}

void
frugal_stat_answer(frugal_stat_item *item)
{
    struct stat st;

    if (stat(item->path, &st) == 0) {
        item->mtime = frugal_stat_mtime(&st);
        item->error = 0;
    }
    else {
        item->error = errno;
    }
}

/* Answers one slice; false when there is none, or when the batch is cancelled. */
static bool
work_slice(frugal_stat_batch *batch)
{
    size_t first, end;

    if (atomic_load_explicit(&batch->cancelled, memory_order_relaxed)) return false;
    first = atomic_fetch_add_explicit(&batch->next, SLICE, memory_order_relaxed);
    if (first >= batch->count) return false;
    end = batch->count - first < SLICE ? batch->count : first + SLICE;
    for (size_t i = first; i < end; i++) frugal_stat_answer(&batch->items[i]);
    return true;
}

static void *
work(void *arg)
{
    while (work_slice(arg));
    return NULL;
}

void
frugal_stat_batch_init(frugal_stat_batch *batch, frugal_stat_item *items, size_t count)
{
    batch->items = items;
    batch->count = count;
    atomic_init(&batch->next, 0);
    atomic_init(&batch->cancelled, false);
    batch->interrupted = NULL;
    batch->host = NULL;
}

bool
frugal_stat_batch_run(frugal_stat_batch *batch, int threads)
{
    pthread_t others[MAX_THREADS];
    int started = 0;
    sigset_t all, before;

    if (threads > MAX_THREADS) threads = MAX_THREADS;

    /* Signals are for the host's own threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < threads - 1 && pthread_create(&others[started], NULL, work, batch) == 0) started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);

    while (work_slice(batch)) {
        if (batch->interrupted != NULL && batch->interrupted(batch->host)) frugal_stat_batch_cancel(batch);
    }
    while (started > 0) pthread_join(others[--started], NULL);
    return atomic_load(&batch->next) >= batch->count;
}

void
frugal_stat_batch_cancel(frugal_stat_batch *batch)
{
    atomic_store(&batch->cancelled, true);
}

void
frugal_stat_batch_resume(frugal_stat_batch *batch)
{
    atomic_store(&batch->cancelled, false);
}
