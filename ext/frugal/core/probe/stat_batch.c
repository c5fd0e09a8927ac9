#include "core/probe/stat_batch.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>

/*
 * How many items a thread takes at a time. With more, a cancelled run on a slow disk would return late; with fewer, the
 * threads would contend for the counter.
 */
#define SLICE 16

/*
 * For fewer items a thread costs more than it saves. The number of processors does not matter: libc opens and reads a
 * file to count them, and on a slow disk threads help even on a single processor.
 */
#define ITEMS_PER_THREAD 512
#define USEFUL_THREADS 4

/* A slice that takes longer waits for a disk, since a cached stat takes about 1 us: then more threads help. */
#define SLOW_SLICE_NS 1000000L

/* One of so many slices is timed: on some machines, reading the clock is a system call. */
#define TIMED_SLICES 16

/* How often a waiting thread yields the processor before it sleeps. */
#define YIELDS_BEFORE_SLEEP 64

int
frugal_probe_batch_threads(size_t count)
{
    size_t useful = count / ITEMS_PER_THREAD + 1;

    return (int)(useful < USEFUL_THREADS ? useful : USEFUL_THREADS);
}

void
frugal_probe_batch_stat_one(frugal_stat_item *item)
{
    struct stat st;
    int error = 0;

    if (stat(item->path, &st) == 0) item->mtime = frugal_system_mtime(&st);
    else error = errno;
    atomic_store_explicit(&item->error, error, memory_order_release);
}

static void
fill_one(frugal_stat_batch *batch, size_t index)
{
    frugal_stat_item *item = &batch->items[index];
    int error = batch->fill_record(item->path, (char *)batch->records + index * batch->record_size);

    atomic_store_explicit(&item->error, error, memory_order_release);
}

/* Stats one slice. Returns false if there is none left, or if the batch was cancelled. */
static bool
stat_slice(frugal_stat_batch *batch)
{
    size_t first, end;

    if (atomic_load_explicit(&batch->cancelled, memory_order_relaxed)) return false;
    first = atomic_fetch_add_explicit(&batch->next, SLICE, memory_order_relaxed);
    if (first >= batch->count) return false;
    end = batch->count - first < SLICE ? batch->count : first + SLICE;
    if (batch->fill_record != NULL) {
        for (size_t i = first; i < end; i++) fill_one(batch, i);
    }
    else {
        for (size_t i = first; i < end; i++) frugal_probe_batch_stat_one(&batch->items[i]);
    }
    return true;
}

static void *
work(void *arg)
{
    while (stat_slice(arg))
        ;
    return NULL;
}

void
frugal_probe_batch_prepare(frugal_stat_batch *batch, frugal_stat_item *items, size_t count)
{
    batch->items = items;
    batch->count = count;
    atomic_init(&batch->next, 0);
    atomic_init(&batch->cancelled, false);
    batch->interrupted = NULL;
    batch->host = NULL;
    batch->fill_record = NULL;
    batch->records = NULL;
    batch->record_size = 0;
    batch->helper_count = 0;
    for (size_t i = 0; i < count; i++) atomic_init(&items[i].error, FRUGAL_STAT_PENDING);
}

/*
 * Starts a thread, with all signals blocked: signals are for the host's threads. Returns false if the system refuses
 * it.
 */
static bool
add_helper(frugal_stat_batch *batch)
{
    sigset_t all, before;
    bool added;

    if (batch->helper_count == FRUGAL_STAT_MAX_HELPERS) return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    added = pthread_create(&batch->helpers[batch->helper_count], NULL, work, batch) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (added) batch->helper_count++;
    return added;
}

static void
join_helpers(frugal_stat_batch *batch)
{
    while (batch->helper_count > 0) pthread_join(batch->helpers[--batch->helper_count], NULL);
}

static bool
host_interrupts(frugal_stat_batch *batch)
{
    return batch->interrupted != NULL && batch->interrupted(batch->host);
}

void
frugal_probe_batch_start(frugal_stat_batch *batch)
{
    add_helper(batch);
}

static long
nanoseconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Stats a slice, if one is left, and starts another thread if that was slow. */
static bool
stat_timed_slice(frugal_stat_batch *batch)
{
    long begin = nanoseconds_now();

    if (!stat_slice(batch)) return false;
    if (batch->helper_count < USEFUL_THREADS - 1 && nanoseconds_now() - begin > SLOW_SLICE_NS) add_helper(batch);
    return true;
}

bool
frugal_probe_batch_run(frugal_stat_batch *batch, int threads)
{
    while (batch->helper_count < threads - 1 && add_helper(batch))
        ;
    for (unsigned number = 0;; number++) {
        bool timed = threads == FRUGAL_STAT_IF_SLOW && number % TIMED_SLICES == 0;

        if (!(timed ? stat_timed_slice(batch) : stat_slice(batch))) break;
        if (host_interrupts(batch)) frugal_probe_batch_cancel(batch);
    }
    join_helpers(batch);
    return atomic_load(&batch->next) >= batch->count;
}

bool
frugal_probe_batch_wait(frugal_stat_batch *batch, size_t index)
{
    const struct timespec nap = { 0, 50000 };
    int yields = 0;

    while (atomic_load_explicit(&batch->items[index].error, memory_order_acquire) == FRUGAL_STAT_PENDING) {
        if (atomic_load(&batch->cancelled) || host_interrupts(batch)) return false;
        if (stat_timed_slice(batch)) continue;
        if (yields++ < YIELDS_BEFORE_SLEEP) sched_yield();
        else nanosleep(&nap, NULL);
    }
    return true;
}

void
frugal_probe_batch_finish(frugal_stat_batch *batch)
{
    frugal_probe_batch_cancel(batch);
    join_helpers(batch);
}

void
frugal_probe_batch_cancel(frugal_stat_batch *batch)
{
    atomic_store(&batch->cancelled, true);
}

void
frugal_probe_batch_resume(frugal_stat_batch *batch)
{
    atomic_store(&batch->cancelled, false);
}
