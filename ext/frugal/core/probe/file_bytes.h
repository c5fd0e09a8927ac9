/* Reads a complete file into a buffer of the caller. Does not depend on Ruby. */
#ifndef FRUGAL_FILE_BYTES_H
#define FRUGAL_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int fd;
    int error;
    size_t size; /* the size from fstat; 0 if that is not the number of bytes */
    char *bytes; /* the caller's buffer */
    size_t used;
    size_t room;
} frugal_file_bytes;

void frugal_probe_bytes_init(frugal_file_bytes *file);

/* Opens the file and stats it. Returns false, with `error` set, if that fails. */
bool frugal_probe_bytes_open(frugal_file_bytes *file, const char *path);

/*
 * Reads until the end, closes the file, and returns true. Returns false with `error` set on an error (for EINTR, call
 * it again), and false with error 0 if the buffer is full. A buffer of `size` + 1 bytes saves the last read(2): if a
 * read returns exactly `size` bytes although there was room for one more, the file has ended.
 */
bool frugal_probe_bytes_read(frugal_file_bytes *file);

/* Closes the file if it is open. */
void frugal_probe_bytes_close(frugal_file_bytes *file);

#endif
