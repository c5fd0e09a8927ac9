/* Frees a tree, and checks that it has counted as much memory as it has freed. */
#ifndef FRUGAL_TEST_FREE_TREE_H
#define FRUGAL_TEST_FREE_TREE_H

#include "check.h"
#include "core/tree/tree.h"

static inline void
free_tree(frugal_tree *tree)
{
    frugal_tree_free(tree);
    CHECK(atomic_load(&tree->memory) == 0);
}

#endif
