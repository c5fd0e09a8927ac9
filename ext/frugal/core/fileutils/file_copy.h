/* Copies the bytes of a file to another one. Does not depend on Ruby. */
#ifndef FRUGAL_FILE_COPY_H
#define FRUGAL_FILE_COPY_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/fileutils/dir_level.h"

typedef enum {
    FRUGAL_FILE_COPIED,
    FRUGAL_FILE_FAILED,
    FRUGAL_FILE_STOPPED /* call it again to continue */
} frugal_file_result;

typedef struct {
    int from; /* -1: closed */
    int to;
    bool created;    /* the target did not exist before */
    off_t size;      /* bytes of the source */
    off_t remaining; /* bytes that are not copied yet */
    int method;      /* the cheapest way of copying that these file systems support; kept from file to file */
} frugal_file_copy;

void frugal_fileutils_file_init(frugal_file_copy *copy);

/*
 * Opens a regular file, and creates the target with its mode. `fresh`: the target's folder is new, so the name cannot
 * exist there. Otherwise the name is checked first, and a regular file is overwritten. Returns 0 or an errno; after an
 * errno nothing is open.
 */
int frugal_fileutils_file_open(frugal_file_copy *copy, int from, const char *name, int to, const char *new_name,
                               bool fresh);

/* Copies as many bytes as the source had when it was opened, and closes both files. */
frugal_file_result frugal_fileutils_file_run(frugal_file_copy *copy, frugal_dir_stop *stop);

void frugal_fileutils_file_close(frugal_file_copy *copy);

#endif
