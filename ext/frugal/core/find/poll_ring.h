/*
 * A poll of one descriptor by io_uring(7). Memory that the kernel writes tells whether there was an event: no system call
 * is made. For Linux 6.1 and newer. Why this is proven: docs/adr/0018. Does not depend on Ruby.
 */
#ifndef FRUGAL_POLL_RING_H
#define FRUGAL_POLL_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int fd;
    int polled;
    uint64_t thread; /* which polls: when it ends, the kernel cancels the poll */
    void *rings;
    size_t rings_size;
    void *entry;
    size_t entry_size;
    const unsigned *flags;
    unsigned *submitted;     /* the tail of the submission queue, which has one entry */
    unsigned *taken;         /* the head of the completion queue */
    const unsigned *arrived; /* its tail */
    const void *completions;
    unsigned completions_mask;
} frugal_poll_ring;

void frugal_find_ring_init(frugal_poll_ring *ring);

/* Starts to poll a descriptor. Returns false where the system cannot, or does not allow it. Four system calls. */
bool frugal_find_ring_open(frugal_poll_ring *ring, int polled);
bool frugal_find_ring_is_open(const frugal_poll_ring *ring);

/*
 * Frees the ring. `ours`: this process opened it, so that the poll ends before this returns, and with it the ring's use
 * of the descriptor. Four system calls.
 */
void frugal_find_ring_close(frugal_poll_ring *ring, bool ours);

/* Whether this thread polls, and there was no event since the last frugal_find_ring_take. No system call. */
bool frugal_find_ring_is_quiet(const frugal_poll_ring *ring);

/*
 * Takes the events. Returns 1 if the descriptor must be read, 0 if there was none, -1 if the ring does not work any more.
 * Read the descriptor until it is empty *after* this. One system call.
 */
int frugal_find_ring_take(frugal_poll_ring *ring);

#endif
