/*
 * Removes a file, or a directory and all in it, in the order in which FileUtils
 * does: entries as the kernel lists them, a directory after them. Links are
 * removed and never followed, also if one takes a directory's place meanwhile.
 * Plain C: knows nothing of Ruby.
 */
#ifndef FRUGAL_TREE_REMOVE_H
#define FRUGAL_TREE_REMOVE_H

#include <stdbool.h>
#include <stddef.h>

#include "dir_level.h"

/* Directories that are open at a time, one in another. Below, it is left to the caller. */
enum { FRUGAL_REMOVE_LEVELS = 64 };

typedef enum {
    FRUGAL_REMOVE_DONE,
    FRUGAL_REMOVE_LEFT,   /* something failed, or is not to be done here; nothing is open */
    FRUGAL_REMOVE_STOPPED /* call again to go on */
} frugal_remove_end;

typedef enum { FRUGAL_REMOVED_NOTHING, FRUGAL_REMOVED_FILE, FRUGAL_REMOVED_DIRECTORY } frugal_removed;

typedef struct {
    char *root;      /* as it was given */
    char *directory; /* the same without slashes at its end */
    bool force;      /* what cannot be removed stays, and the rest goes */
    bool skip;       /* with force, so does a directory that may not be read */
    size_t longest;  /* bytes that a path may have below the root; longer ones are left */
    frugal_dir_stop stop;

    frugal_removed removed; /* what the root was */
    bool begun;
    bool removes;    /* something was removed: the system lets us */
    size_t depth;
    size_t length;
    frugal_dir_level levels[FRUGAL_REMOVE_LEVELS]; /* the first keeps its entries until the end */
} frugal_tree_remove;

/* False where memory is out. */
bool frugal_tree_remove_init(frugal_tree_remove *remove, const char *root, size_t length);

frugal_remove_end frugal_tree_remove_run(frugal_tree_remove *remove);

void frugal_tree_remove_free(frugal_tree_remove *remove);

#endif
