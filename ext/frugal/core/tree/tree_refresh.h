/*
 * A refresh of a tree: finds the paths that were added and removed since the last refresh. Does not depend on Ruby.
 *
 *   frugal_tree_refresh_prepare  initializes a tree, which is empty until its first refresh
 *   frugal_tree_refresh_begin    opens its root
 *   frugal_tree_refresh_run      stats each directory, lists those that have changed, and compares the lists
 *   frugal_tree_refresh_keep     makes the new lists the state of the tree
 *   frugal_tree_refresh_end      frees the refresh
 *
 * The tree does not change before frugal_tree_refresh_keep: a refresh that ends without it has no effect.
 */
#ifndef FRUGAL_TREE_REFRESH_H
#define FRUGAL_TREE_REFRESH_H

#include "core/tree/tree_walk.h"

/* Paths, each with a NUL at its end, in no particular order. */
typedef struct {
    char *bytes;
    size_t used, room, count;
} frugal_tree_path_list;

/* A directory that is listed again: its node in the tree, and the new node with the new list. */
typedef struct {
    frugal_tree_node *old_node;
    frugal_tree_node new_node;
} frugal_tree_relisted;

typedef struct {
    frugal_tree *tree;
    enum { FRUGAL_REFRESH_CHECKS, FRUGAL_REFRESH_LISTS, FRUGAL_REFRESH_COMPARES } stage;
    bool missing;                       /* the root does not exist */
    frugal_ignore_above above;          /* the previous rules above the root */
    bool rules_replaced, rules_changed; /* tree->above was read again; it differs from `above` */
    bool kept;
    bool lists_changes;             /* fill in `added` and `removed` */
    frugal_tree_relisted *relisted; /* sorted by depth, the deepest last */
    size_t count;
    frugal_tree_path_list added, removed;
} frugal_tree_refresh;

/*
 * Initializes a tree that is empty before its first refresh. Sets the options follow, sort and identity that a refresh
 * needs. Returns false if out of memory; call frugal_tree_free in any case.
 */
bool frugal_tree_refresh_prepare(frugal_tree *tree, const char *path, const frugal_tree_options *options);

/* Opens the root. Returns false, with tree->error set, if that fails. A root that does not exist counts as empty. */
bool frugal_tree_refresh_begin(frugal_tree_refresh *refresh, frugal_tree *tree, bool lists_changes);

/*
 * Returns true when the refresh is complete. False with tree->error set if out of memory; false without it if the run
 * was cancelled: then call it again.
 */
bool frugal_tree_refresh_run(frugal_tree_refresh *refresh);

/* Makes the new lists the state of the tree. Cannot fail. */
void frugal_tree_refresh_keep(frugal_tree_refresh *refresh);
void frugal_tree_refresh_end(frugal_tree_refresh *refresh);

#endif
