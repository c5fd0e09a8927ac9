/*
 * Removes a file, or a directory with all its entries, in the order of FileUtils: the entries in the kernel's order,
 * then the directory. A link is removed and never followed, even if it replaces a directory meanwhile. Does not depend
 * on Ruby.
 */
#ifndef FRUGAL_TREE_REMOVE_H
#define FRUGAL_TREE_REMOVE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/fileutils/dir_level.h"

/* How many nested directories are open at a time. A deeper tree is handed over to the caller. */
enum { FRUGAL_REMOVE_LEVELS = 64 };

typedef enum {
    FRUGAL_REMOVE_DONE,
    FRUGAL_REMOVE_HANDED_OVER, /* an error, or too deep: the caller has to remove the rest; nothing is open */
    FRUGAL_REMOVE_STOPPED      /* call it again to continue */
} frugal_remove_result;

typedef enum { FRUGAL_REMOVED_NOTHING, FRUGAL_REMOVED_FILE, FRUGAL_REMOVED_DIRECTORY } frugal_removed;

typedef struct {
    char *root;        /* the path as it was passed */
    char *directory;   /* the same path without slashes at its end */
    bool force;        /* ignore errors, and remove as much as possible */
    bool skip;         /* with `force`: also ignore directories that cannot be read */
    size_t max_length; /* the longest path below the root that the kernel accepts; longer ones are handed over */
    frugal_dir_stop stop;

    frugal_removed removed; /* the kind of file that the root was */
    bool started;
    bool has_removed; /* something was removed, so unlinkat is available */
    size_t depth;
    size_t length;
    frugal_dir_level levels[FRUGAL_REMOVE_LEVELS]; /* the first level's list of entries stays valid until the end */
} frugal_tree_remove;

/* Returns false if out of memory. */
bool frugal_fileutils_remove_init(frugal_tree_remove *remove, const char *root, size_t length);

frugal_remove_result frugal_fileutils_remove_run(frugal_tree_remove *remove);

void frugal_fileutils_remove_free(frugal_tree_remove *remove);

#endif
