/*
 * Lists a tree completely: first all real directories, then the links. With FRUGAL_FOLLOW_ONCE a directory is listed
 * once: links wait until all real directories are listed, and are then decided one by one, in pre-order. So the link
 * that enters a directory does not depend on the order in which threads run.
 */
#include "core/tree/tree_internal.h"

#include <stdlib.h>

/* Pre-order over the nodes below `top`: marks directories as visited, and adds links to tree->links. */
static bool
gather_links(frugal_tree *tree, frugal_tree_node *top)
{
    frugal_tree_stack stack = { 0 };
    bool ok = frugal_tree_push(&stack, top);

    while (ok && stack.count > 0) {
        frugal_tree_node *node = stack.nodes[--stack.count];

        if (node->link && node != top) {
            ok = frugal_tree_push(&tree->links, node);
            continue;
        }
        if (!node->entered) continue;
        ok = frugal_tree_mark_visited(tree, node->stamp.device, node->stamp.inode);
        for (size_t i = node->count; ok && i-- > 0;) {
            if (node->entries[i].child != NULL) ok = frugal_tree_push(&stack, node->entries[i].child);
        }
    }
    free(stack.nodes);
    return ok || frugal_tree_fail(tree);
}

static bool
follow_links(frugal_tree *tree)
{
    if (!tree->links_gathered) {
        tree->links_gathered = true;
        if (!gather_links(tree, &tree->root)) return false;
    }
    while (tree->next_link < tree->links.count) {
        frugal_tree_node *link = tree->links.nodes[tree->next_link];

        if (!link->entered && tree->pool.count == 0 && !frugal_tree_push(&tree->pool, link)) {
            return frugal_tree_fail(tree);
        }
        if (!frugal_tree_run_pool(tree)) return false;
        if (link->entered && !gather_links(tree, link)) return false;
        tree->next_link++;
    }
    return true;
}

bool
frugal_tree_run(frugal_tree *tree)
{
    if (!tree->links_gathered && !frugal_tree_run_pool(tree)) return false;
    return tree->options.follow != FRUGAL_FOLLOW_ONCE || follow_links(tree);
}
