/*
 * The recorder's lock, which guards the tables and the definitions.
 *
 * A signal may interrupt a thread that holds the lock. The calls of the signal handler are then not recorded, so they
 * do not wait for the lock. A handler may also jump out of the interrupted code (siglongjmp). So the lock stores its
 * owner, and libc's functions that jump release the lock first (jumps.c).
 */
#define _GNU_SOURCE
#include "recorder.h"
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TRIES 100 /* before a thread sleeps */

static _Atomic(struct thread *) owner;

void
frugal_pause(void)
{
    const struct timespec pause = { 0, 20000 };

    syscall(SYS_nanosleep, &pause, NULL);
}

void
frugal_lock(void)
{
    struct thread *self = &frugal_thread;
    bool busy = self->busy;

    frugal_check_process();
    self->busy = true; /* before the thread is the owner: its signal handlers must not wait */
    for (unsigned tries = 1;; tries++) {
        struct thread *nobody = NULL;
        if (atomic_compare_exchange_strong_explicit(&owner, &nobody, self, memory_order_acquire, memory_order_relaxed))
            break;
        if (tries % TRIES == 0) frugal_pause();
    }
    self->busy_before_lock = busy;
}

void
frugal_unlock(void)
{
    bool busy = frugal_thread.busy_before_lock;

    if (!frugal_has_lock()) return;
    atomic_store_explicit(&owner, NULL, memory_order_release);
    frugal_thread.busy = busy;
}

/* Returns whether the calling thread holds the lock. */
bool
frugal_has_lock(void)
{
    return atomic_load_explicit(&owner, memory_order_relaxed) == &frugal_thread;
}

/* Called in the child of a fork, where the owner may not exist. */
void
frugal_lock_forked(void)
{
    atomic_store(&owner, NULL);
}
