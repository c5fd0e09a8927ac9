/* The bytes of a file, into another one. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_FILE_COPY_H
#define FRUGAL_FILE_COPY_H

#include <stdbool.h>
#include <sys/types.h>

#include "dir_level.h"

typedef enum { FRUGAL_FILE_COPIED, FRUGAL_FILE_FAILED, FRUGAL_FILE_STOPPED /* call again */ } frugal_file_end;

typedef struct {
    int from;   /* -1: closed */
    int to;
    bool made;  /* the other one was not there */
    off_t size; /* bytes */
    off_t left; /* of them, to be copied yet */
    int way;    /* the cheapest way of copying that these file systems have; kept from file to file */
} frugal_file_copy;

void frugal_file_copy_init(frugal_file_copy *copy);

/*
 * Opens a regular file, and makes the other one with its mode. `fresh`: the
 * folder is new, so nothing of that name is in it; otherwise what is there is
 * looked at first, and a regular file is overwritten. Returns 0 or an errno;
 * after one, nothing is open.
 */
int frugal_file_copy_open(frugal_file_copy *copy, int from, const char *name, int to, const char *new_name, bool fresh);

/* Copies as many bytes as the file had when it was opened, and closes both. */
frugal_file_end frugal_file_copy_run(frugal_file_copy *copy, frugal_dir_stop *stop);

void frugal_file_copy_close(frugal_file_copy *copy);

#endif
