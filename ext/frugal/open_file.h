/* The descriptor of an object that threads read or write without the VM lock, and its path for messages. */
#ifndef FRUGAL_OPEN_FILE_H
#define FRUGAL_OPEN_FILE_H

#include <ruby.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The first member of an object's structure. All zero but `fd`: -1 if nothing is open. */
typedef struct {
    VALUE path;
    int fd;
    int users;          /* threads that use it without the VM lock; the descriptor stays open for them */
    bool is_closed;     /* by `close`; the last user then closes the descriptor */
    bool may_be_locked; /* by file_locks.c */
    int64_t slot;       /* of its turn */
    unsigned forks;     /* of this process, and of its ancestors, when it was opened */
    unsigned ancestors;
} frugal_open_file;

/* Called once, before any other function. */
void frugal_open_file_init(void);

/*
 * Opens a path. Does not follow a link in its last part, and does not wait for the other end of a fifo. Returns false
 * for a miss, and raises a fault. *Cost*: open.
 */
bool frugal_open_file_open(frugal_open_file *file, VALUE path, int flags, mode_t permissions);

/* Whether a fork may have copied the descriptor to a child. Then closing it does not release its locks. */
bool frugal_open_file_is_copied(const frugal_open_file *file);

/* Whether the descriptor was copied from the parent process by a fork. Then its locks belong to the parent. */
bool frugal_open_file_is_inherited(const frugal_open_file *file);

/* The functions of a Ruby data type. */
void frugal_open_file_mark(void *file);
void frugal_open_file_free(void *file);

/* Raises IOError for a closed file. */
void frugal_open_file_check(const frugal_open_file *file);

/*
 * Calls `run`, which must not return NULL, without the VM lock. An interrupt raises before `run`, never after it.
 * Raises IOError if the file is closed before `run` is called.
 */
void frugal_open_file_use(frugal_open_file *file, void *(*run)(void *), void *call);

/* Closes the file. May be called again. */
void frugal_open_file_close(frugal_open_file *file);

#endif
