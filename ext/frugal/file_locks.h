/* The two locks of an open file: its turn, which is fair and may be held for long, and flock(2), for one change. */
#ifndef FRUGAL_FILE_LOCKS_H
#define FRUGAL_FILE_LOCKS_H

#include <ruby.h>

#include "open_file.h"

/*
 * A thread that waits releases the VM lock. If an interrupt raises, the thread leaves the queue. core/turn/turn.h
 * describes turns and their slots.
 */

/* Takes the turn if it is free. Returns Qtrue, Qfalse, or Qnil if the system has no such lock. *Cost*: fcntl. */
VALUE frugal_file_locks_try_turn(frugal_open_file *file);

/*
 * Waits for the turn, and returns the same. Gives up when the same thread has had the turn for `seconds`, or after
 * `most` times `seconds`; if `seconds` is nil, it waits without a limit. *Cost*: two calls, and four more for a limit.
 */
VALUE frugal_file_locks_wait_turn(frugal_open_file *file, VALUE seconds, VALUE most);

/* Does nothing in a child of the process that has the turn. *Cost*: fcntl. */
void frugal_file_locks_end_turn(frugal_open_file *file);

/* Locks the file if it is not locked. Returns Qtrue or Qfalse. Raises a fault. *Cost*: flock. */
VALUE frugal_file_locks_try_lock(frugal_open_file *file);

/*
 * Waits for the lock, at most `seconds`, and returns the same. *Cost*: flock, and three more calls for a limit of time.
 */
VALUE frugal_file_locks_wait_lock(frugal_open_file *file, VALUE seconds);

/* Does nothing in a child of the process that has the lock. Raises a fault. *Cost*: flock. */
void frugal_file_locks_unlock(frugal_open_file *file);

/* Closes the file, which releases its locks. May be called again. *Cost*: close, and two more calls after a fork. */
void frugal_file_locks_close(frugal_open_file *file);

#endif
