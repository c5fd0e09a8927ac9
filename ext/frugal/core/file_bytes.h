/* A whole file, into a buffer of the caller's. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_FILE_BYTES_H
#define FRUGAL_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int fd;
    int error;
    size_t size; /* what fstat says; 0 where that means nothing */
    char *bytes; /* the caller's buffer */
    size_t used;
    size_t room;
} frugal_file_bytes;

void frugal_file_bytes_init(frugal_file_bytes *file);

/* Opens the file and asks its size. False with `error` set is a failure. */
bool frugal_file_bytes_open(frugal_file_bytes *file, const char *path);

/*
 * Reads on until the end, and closes: true. False with `error` set is a failure
 * (EINTR: a signal came; call again); false with error 0: the buffer is full.
 *
 * A buffer one byte larger than `size` spares the read that only finds the end:
 * a file that had room for one more byte, and gave just its size, has ended.
 */
bool frugal_file_bytes_read(frugal_file_bytes *file);

/* Closes what is still open. */
void frugal_file_bytes_close(frugal_file_bytes *file);

#endif
