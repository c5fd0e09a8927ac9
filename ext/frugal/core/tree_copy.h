/*
 * Copies a file, or a directory and all in it, in the order in which FileUtils
 * does: a directory before its entries, these as the kernel lists them. What
 * fails, and whatever is neither directory, regular file nor link, is handed to
 * the caller in its turn, as it was before. Plain C: knows nothing of Ruby.
 */
#ifndef FRUGAL_TREE_COPY_H
#define FRUGAL_TREE_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "dir_level.h"
#include "file_copy.h"

/* Directories that are open at a time, one in another, each with its copy. */
enum { FRUGAL_COPY_LEVELS = 32 };

typedef enum {
    FRUGAL_COPY_DONE,
    FRUGAL_COPY_HANDED, /* the caller is to copy `path`, and all below it */
    FRUGAL_COPY_STOPPED /* call again to go on */
} frugal_copy_end;

typedef struct {
    frugal_dir_level source;
    int target; /* O_PATH, where there is such a thing */
    bool fresh; /* we made it */
    size_t length; /* of its path */
} frugal_copy_level;

typedef struct {
    char *from;
    char *to;
    char *path;     /* of the present entry, below both; empty: the root */
    size_t room;    /* for it, with its NUL */
    size_t longest; /* bytes that it may have */
    frugal_dir_stop stop;
    bool begun;
    bool closed;    /* descriptors ran out: all that is left is handed over */
    frugal_file_copy file;
    size_t depth;
    frugal_copy_level levels[FRUGAL_COPY_LEVELS];
} frugal_tree_copy;

/* False where memory is out. */
bool frugal_tree_copy_init(frugal_tree_copy *copy, const char *from, const char *to);

/* Goes on until something is to be said. */
frugal_copy_end frugal_tree_copy_next(frugal_tree_copy *copy);

void frugal_tree_copy_free(frugal_tree_copy *copy);

#endif
