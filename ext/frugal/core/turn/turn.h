/*
 * A fair lock for processes and threads. Its owner has the *turn*; others wait in the kernel, first come, first served.
 *
 * A turn is a range of bytes of a file, on which locks of an open file (F_OFD_SETLK) are taken:
 *
 *   byte 0      the turn itself. A thread that has the turn has locked this byte, and all places up to its own.
 *   other bytes the places. The number of a thread's place is the time at which it began to wait, in microseconds. The
 *               thread locks the byte of its place; then it waits for a lock on byte 0 and all places up to its own.
 *
 * Exclusion depends only on byte 0, which the owner of the turn has locked; places only determine the order. A thread
 * cannot overtake an earlier waiter, since its range contains all earlier places. The kernel wakes one waiter for each
 * turn that ends, since requests that exclude each other form a queue. It removes the locks of a process that has
 * ended.
 *
 * A file has many turns. The number of a turn is its *slot*.
 */
#ifndef FRUGAL_CORE_TURN_H
#define FRUGAL_CORE_TURN_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The numbers of slots. */
#define FRUGAL_TURN_SLOTS (INT64_C(1) << 24)

typedef struct {
    int fd;        /* open for writing */
    int64_t slot;  /* 0 to FRUGAL_TURN_SLOTS - 1 */
    int64_t place; /* 0: none yet */
} frugal_turn;

/*
 * Takes the turn if no thread has it or waits for it. *Cost*: one call.
 *
 * Returns 0, EAGAIN, or another errno where the file system has no such locks.
 */
int frugal_turn_try(const frugal_turn *turn);

/*
 * Waits for the turn. The thread keeps its place until frugal_turn_end.
 *
 * @deadline: of CLOCK_MONOTONIC; NULL to wait without a limit
 *
 * Returns 0; EINTR if a signal came, then call it again; ETIMEDOUT; or another errno like frugal_turn_try. When a
 * deadline has passed, SIGVTALRM is sent to the thread, so this signal needs a handler without SA_RESTART; Ruby has
 * one.
 */
int frugal_turn_wait(frugal_turn *turn, const struct timespec *deadline);

/*
 * Returns a number that identifies the thread at the head of the queue, which has the turn or is about to take it; 0 if
 * the queue is empty. If the number changes, the queue before a waiter moves. *Cost*: one call.
 */
int64_t frugal_turn_first(const frugal_turn *turn);

/* Gives up the turn, or the place. Returns 0 or an errno. */
int frugal_turn_end(frugal_turn *turn);

/* Waits for the exclusive flock(2), which has no queue. Returns the same as frugal_turn_wait. */
int frugal_turn_wait_flock(int fd, const struct timespec *deadline);

/* The time of CLOCK_MONOTONIC in `seconds`. */
struct timespec frugal_turn_deadline(double seconds);

#endif
