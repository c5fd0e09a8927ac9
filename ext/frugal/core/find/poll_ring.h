/*
 * Polls one descriptor by io_uring(7). The kernel writes to shared memory when there is an event, so checking needs no
 * system call. For Linux 6.1 and newer. docs/adr/0018 has the proof. Does not depend on Ruby.
 */
#ifndef FRUGAL_POLL_RING_H
#define FRUGAL_POLL_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int fd;
    int polled;
    uint64_t thread; /* the thread that polls; when it ends, the kernel cancels the poll */
    void *rings;
    size_t rings_size;
    void *entry;
    size_t entry_size;
    const unsigned *flags;
    unsigned *submitted;     /* the tail of the submission queue, which has one entry */
    unsigned *taken;         /* the head of the completion queue */
    const unsigned *arrived; /* the tail of the completion queue */
    const void *completions;
    unsigned completions_mask;
} frugal_poll_ring;

void frugal_find_ring_init(frugal_poll_ring *ring);

/* Starts to poll a descriptor. Returns false if the system cannot do that, or does not allow it. Four system calls. */
bool frugal_find_ring_open(frugal_poll_ring *ring, int polled);
bool frugal_find_ring_is_open(const frugal_poll_ring *ring);

/*
 * Frees the ring. `ours`: this process opened the ring. Then the poll, and the ring's use of the descriptor, ends
 * before this function returns. Four system calls.
 */
void frugal_find_ring_close(frugal_poll_ring *ring, bool ours);

/* Whether this thread polls, and there was no event since the last frugal_find_ring_take. No system call. */
bool frugal_find_ring_is_quiet(const frugal_poll_ring *ring);

/*
 * Takes the events. Returns 1 if the descriptor must be read, 0 if there was no event, -1 if the ring no longer works.
 * *After* this call, read the descriptor until it is empty. One system call.
 */
int frugal_find_ring_take(frugal_poll_ring *ring);

#endif
