/*
 * Links to directories. Where each directory is visited once, links wait until
 * all real paths are known, and are then decided one after the other, in order:
 * which of them enters a directory must not depend on threads.
 */
#include "tree_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Is it its own ancestor? A real directory may be, below a link to what is above the root. */
static bool
leads_back(const frugal_tree_node *node)
{
    for (const frugal_tree_node *above = node->parent; above != NULL; above = above->parent) {
        if (above->stamp.device == node->stamp.device && above->stamp.inode == node->stamp.inode) return true;
    }
    return false;
}

static size_t
identity_hash(dev_t device, ino_t inode)
{
    return (size_t)(((uint64_t)inode ^ (uint64_t)device << 40) * UINT64_C(0x9E3779B97F4A7C15) >> 20);
}

static bool
is_visited(const frugal_tree *tree, dev_t device, ino_t inode)
{
    size_t mask = tree->visited_capacity - 1;

    if (tree->visited_capacity == 0) return false;
    for (size_t i = identity_hash(device, inode) & mask; tree->visited[i].inode != 0; i = (i + 1) & mask) {
        if (tree->visited[i].inode == inode && tree->visited[i].device == device) return true;
    }
    return false;
}

static void
place_visited(frugal_tree *tree, frugal_tree_identity identity)
{
    size_t mask = tree->visited_capacity - 1, i = identity_hash(identity.device, identity.inode) & mask;

    while (tree->visited[i].inode != 0) i = (i + 1) & mask;
    tree->visited[i] = identity;
}

static bool
visit(frugal_tree *tree, dev_t device, ino_t inode)
{
    if (is_visited(tree, device, inode)) return true;
    if ((tree->visited_count + 1) * 2 > tree->visited_capacity) {
        frugal_tree_identity *old = tree->visited;
        size_t old_capacity = tree->visited_capacity, capacity = old_capacity ? old_capacity * 2 : 256;
        frugal_tree_identity *larger = calloc(capacity, sizeof(*larger));

        if (larger == NULL) return false;
        tree->visited = larger;
        tree->visited_capacity = capacity;
        for (size_t i = 0; i < old_capacity; i++) {
            if (old[i].inode != 0) place_visited(tree, old[i]);
        }
        free(old);
    }
    tree->visited_count++;
    place_visited(tree, (frugal_tree_identity){ device, inode });
    return true;
}

/* Is this open directory to be listed? Decides for links, and knows each directory by its identity. */
bool
frugal_tree_admits(frugal_tree *tree, frugal_tree_node *node, int fd)
{
    struct stat st;
    int64_t now = tree->options.identity ? frugal_tree_now() : 0;

    if (tree->options.follow == FRUGAL_FOLLOW_NEVER && !tree->options.identity) return true;
    if (fstat(fd, &st) != 0) {
        node->error = errno;
        return false;
    }
    node->stamp.device = st.st_dev;
    node->stamp.inode = st.st_ino;
    if (tree->options.identity) {
        const frugal_tree_stamp *former = node->former ? &node->former->stamp : NULL;

        frugal_tree_know(&node->stamp, former, frugal_tree_times(tree, fd, st.st_dev), &st, now);
    }
    if (tree->options.follow == FRUGAL_FOLLOW_NEVER) return true;
    if (tree->options.follow == FRUGAL_FOLLOW_PATHS) return !leads_back(node);
    return !is_visited(tree, st.st_dev, st.st_ino);
}

/* Pre-order, over what lies below a node: its directories are visited, its links are to be decided. */
static bool
gather_links(frugal_tree *tree, frugal_tree_node *top)
{
    frugal_tree_stack stack = { 0 };
    bool room = frugal_tree_push(&stack, top);

    while (room && stack.count > 0) {
        frugal_tree_node *node = stack.nodes[--stack.count];

        if (node->link && node != top) {
            room = frugal_tree_push(&tree->links, node);
            continue;
        }
        if (!node->entered) continue;
        room = visit(tree, node->stamp.device, node->stamp.inode);
        for (size_t i = node->count; room && i-- > 0;) {
            if (node->entries[i].child != NULL) room = frugal_tree_push(&stack, node->entries[i].child);
        }
    }
    free(stack.nodes);
    return room || frugal_tree_fail(tree);
}

bool
frugal_tree_follow_links(frugal_tree *tree)
{
    if (!tree->following) {
        tree->following = true;
        if (!gather_links(tree, &tree->root)) return false;
    }
    while (tree->next_link < tree->links.count) {
        frugal_tree_node *link = tree->links.nodes[tree->next_link];

        if (!link->entered && tree->pool.count == 0 && !frugal_tree_push(&tree->pool, link)) return frugal_tree_fail(tree);
        if (!frugal_tree_run_pool(tree)) return false;
        if (link->entered && !gather_links(tree, link)) return false;
        tree->next_link++;
    }
    return true;
}
