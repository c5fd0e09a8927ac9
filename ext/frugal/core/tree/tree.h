/*
 * A tree of directories, listed by several threads. The result does not depend on their number. Does not depend on
 * Ruby.
 *
 *   frugal_tree_open     opens the root                          tree_open.c
 *   frugal_tree_run      lists all below it, then links          tree_run.c
 *                        the worker threads                      tree_walk.c
 *                        one directory                           tree_list.c
 *                        links to directories                    tree_links.c
 *                        entries that a .gitignore excludes      tree_ignore.c
 *   frugal_tree_next     iterates over the entries in pre-order  tree_read.c
 *   frugal_tree_refresh  finds the changes since the last time   tree_refresh.c
 *                        which directories have changed          tree_check.c
 *   frugal_tree_free     frees the tree                          tree_read.c
 */
#ifndef FRUGAL_CORE_TREE_H
#define FRUGAL_CORE_TREE_H

#include "core/tree/tree_refresh.h"
#include "core/tree/tree_walk.h"

#endif
