/*
 * What has come and gone in a tree since the last time: a refresh. Plain C.
 *
 *   frugal_tree_watch            a tree of which nothing is known yet
 *   frugal_tree_refresh_begin    opens its root
 *   frugal_tree_refresh_run      asks for each directory, lists those that changed, compares
 *   frugal_tree_refresh_keep     makes what was found the tree's state
 *   frugal_tree_refresh_end
 *
 * Up to keep, the tree stays as it was: a refresh that is given up has not been.
 */
#ifndef FRUGAL_TREE_REFRESH_H
#define FRUGAL_TREE_REFRESH_H

#include "tree.h"

/* Each ended by a NUL, in no order. */
typedef struct {
    char *bytes;
    size_t used, room, count;
} frugal_tree_texts;

/* A directory that is listed again, and what it becomes. */
typedef struct {
    frugal_tree_node *old;
    frugal_tree_node now;
} frugal_tree_relisted;

typedef struct {
    frugal_tree *tree;
    enum { FRUGAL_REFRESH_CHECKS, FRUGAL_REFRESH_LISTS, FRUGAL_REFRESH_COMPARES } stage;
    bool missing; /* there is no root */
    frugal_ignore_above above; /* what the root lay in said */
    bool looked, resettled;    /* what it says is asked; it is something else */
    bool kept;
    bool tells;   /* compare with what was known */
    frugal_tree_relisted *relisted; /* the deeper, the later */
    size_t count;
    frugal_tree_texts added, removed;
} frugal_tree_refresh;

/* For follow == FRUGAL_FOLLOW_NEVER; sorts, and knows identities. False: out of memory; to be freed in any case. */
bool frugal_tree_watch(frugal_tree *tree, const char *path, const frugal_tree_options *options);

/* False, with tree->error set, where the root cannot be opened. One that is not there is an empty one. */
bool frugal_tree_refresh_begin(frugal_tree_refresh *refresh, frugal_tree *tree, bool tells);

/* True when all is found; false when it was cancelled before, and to be run again, or out of memory (tree->error). */
bool frugal_tree_refresh_run(frugal_tree_refresh *refresh);

/* Cannot fail. */
void frugal_tree_refresh_keep(frugal_tree_refresh *refresh);
void frugal_tree_refresh_end(frugal_tree_refresh *refresh);

#endif
