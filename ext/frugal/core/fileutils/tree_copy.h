/*
 * Copies a file, or a directory with all its entries, in the order of FileUtils: a directory before its entries, and
 * these in the kernel's order. An entry that fails, or is neither a directory, a regular file nor a link, is handed
 * over to the caller when the copy reaches it, without any of it being copied. Does not depend on Ruby.
 */
#ifndef FRUGAL_TREE_COPY_H
#define FRUGAL_TREE_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/fileutils/dir_level.h"
#include "core/fileutils/file_copy.h"

/* How many nested directories are open at a time, each with its target. */
enum { FRUGAL_COPY_LEVELS = 32 };

typedef enum {
    FRUGAL_COPY_DONE,
    FRUGAL_COPY_HANDED_OVER, /* the caller has to copy `path` and all below it */
    FRUGAL_COPY_STOPPED      /* call it again to continue */
} frugal_copy_result;

typedef struct {
    frugal_dir_level source;
    int target;    /* opened with O_PATH, if the system has it */
    bool fresh;    /* this copy created the target */
    size_t length; /* of its path in tree_copy.path */
} frugal_copy_level;

typedef struct {
    char *from;
    char *to;
    char *path;        /* of the current entry, relative to both roots; empty: the root */
    size_t room;       /* allocated bytes of `path`, with its NUL */
    size_t max_length; /* the longest `path` that the kernel accepts */
    frugal_dir_stop stop;
    bool started;
    bool exhausted; /* out of descriptors or memory: all that remains is handed over */
    frugal_file_copy file;
    size_t depth;
    frugal_copy_level levels[FRUGAL_COPY_LEVELS];
} frugal_tree_copy;

/* Returns false if out of memory. */
bool frugal_fileutils_copy_init(frugal_tree_copy *copy, const char *from, const char *to);

/* Continues until the copy is done, was stopped, or has to hand an entry over. */
frugal_copy_result frugal_fileutils_copy_next(frugal_tree_copy *copy);

void frugal_fileutils_copy_free(frugal_tree_copy *copy);

/* The bytes that the copy has allocated. Must not be called while the copy runs. */
size_t frugal_fileutils_copy_memory(const frugal_tree_copy *copy);

#endif
