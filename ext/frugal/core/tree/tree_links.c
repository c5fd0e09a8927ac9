/* Decides which open directories are listed when links are followed, and remembers those that were visited. */
#include "core/tree/tree_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/*
 * Reports whether the directory is its own ancestor. Even a real directory may be, below a link to a directory above
 * the root.
 */
static bool
is_own_ancestor(const frugal_tree_node *node)
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
insert_visited(frugal_tree *tree, frugal_tree_identity identity)
{
    size_t mask = tree->visited_capacity - 1, i = identity_hash(identity.device, identity.inode) & mask;

    while (tree->visited[i].inode != 0) i = (i + 1) & mask;
    tree->visited[i] = identity;
}

bool
frugal_tree_mark_visited(frugal_tree *tree, dev_t device, ino_t inode)
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
            if (old[i].inode != 0) insert_visited(tree, old[i]);
        }
        free(old);
    }
    tree->visited_count++;
    insert_visited(tree, (frugal_tree_identity){ device, inode });
    return true;
}

bool
frugal_tree_should_list(frugal_tree *tree, frugal_tree_node *node, int fd)
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
        const frugal_tree_stamp *previous = node->previous ? &node->previous->stamp : NULL;

        frugal_tree_take_stamp(&node->stamp, previous, frugal_tree_times(tree, fd, st.st_dev), &st, now);
    }
    if (tree->options.follow == FRUGAL_FOLLOW_NEVER) return true;
    if (tree->options.follow == FRUGAL_FOLLOW_PATHS) return !is_own_ancestor(node);
    return !is_visited(tree, st.st_dev, st.st_ino);
}
