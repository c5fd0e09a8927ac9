/*
 * A fair lock for processes and threads: who has it has the *turn*; others wait in the kernel, first come, first served.
 *
 * A turn is a range of bytes of a file, on which locks of an open file (F_OFD_SETLK) are taken:
 *
 *   byte 0      the turn itself. A thread that has the turn has locked this byte, and all places up to its own.
 *   other bytes the places. The number of a thread's place is the time at which it began to wait, in microseconds. The
 *               thread locks the byte of its place; then it waits for a lock on byte 0 and all places up to its own.
 *
 * Two locks that contain byte 0 exclude each other, so exclusion depends on nothing else; places are only an order. Nobody
 * gets past a waiter, since one's range contains all earlier places. The kernel wakes one waiter for each turn that
 * ends: requests that exclude each other wait behind each other. It removes the locks of a process that has ended.
 *
 * A file has many turns, of which each has a number: its *slot*.
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
 * Takes the turn if nobody has it or waits for it. *Cost*: one call.
 *
 * Returns 0, EAGAIN, or another errno where the file system has no such locks.
 */
int frugal_turn_try(const frugal_turn *turn);

/*
 * Waits for the turn, at a place that it keeps until frugal_turn_end.
 *
 * @deadline: of CLOCK_MONOTONIC; NULL to wait for ever
 *
 * Returns 0; EINTR if a signal came, to be called again; ETIMEDOUT; another errno as frugal_turn_try. A thread with a
 * deadline is sent SIGVTALRM when it has passed, so this signal needs a handler without SA_RESTART; Ruby has one.
 */
int frugal_turn_wait(frugal_turn *turn, const struct timespec *deadline);

/*
 * Who is first, with the turn or about to take it, as a number that another one has not; 0 if there is nobody. So a waiter
 * can see that the queue before it moves. *Cost*: one call.
 */
int64_t frugal_turn_first(const frugal_turn *turn);

/* Gives up the turn, or the place. Returns 0 or an errno. */
int frugal_turn_end(frugal_turn *turn);

/* Waits for the exclusive flock(2), which has no queue. Returns what frugal_turn_wait returns. */
int frugal_turn_wait_flock(int fd, const struct timespec *deadline);

/* The time of CLOCK_MONOTONIC in `seconds`. */
struct timespec frugal_turn_deadline(double seconds);

#endif
