/* The descriptor of an object that threads read or write without the VM lock, and its path for messages. */
#ifndef FRUGAL_OPEN_FILE_H
#define FRUGAL_OPEN_FILE_H

#include <ruby.h>
#include <stdbool.h>

/* The first member of an object's structure. All zero but `fd`: -1 if nothing is open. */
typedef struct {
    VALUE path;
    int fd;
    int users;      /* threads that use it without the VM lock; the descriptor stays open for them */
    bool is_closed; /* by `close`; the last user then closes the descriptor */
} frugal_open_file;

/* The functions of a data type. */
void frugal_open_file_mark(void *file);
void frugal_open_file_free(void *file);

/* Raises IOError for a closed file. */
void frugal_open_file_check(const frugal_open_file *file);

/*
 * Calls `run`, which must not return NULL, without the VM lock. An interrupt raises before `run`, never after it. Raises
 * IOError if the file is closed before.
 */
void frugal_open_file_use(frugal_open_file *file, void *(*run)(void *), void *call);

/* May be called again. */
void frugal_open_file_close(frugal_open_file *file);

#endif
