/* What the files of a tree share among themselves. */
#ifndef FRUGAL_TREE_INTERNAL_H
#define FRUGAL_TREE_INTERNAL_H

#include "tree.h"

/* -- tree_list.c -- */

/* What a worker reuses from one directory to the next. */
typedef struct {
    struct frugal_tree_found *found, *merged;
    size_t found_count, found_capacity;
    char *names;
    size_t names_used, names_room;
    char *batch; /* of the kernel's records */
} frugal_tree_scratch;

/* Reads an open directory into its node; false: out of memory. A failure that ends the listing is the node's error. */
bool frugal_tree_list(const frugal_tree_options *options, frugal_tree_node *node, int fd, frugal_tree_scratch *scratch);
void frugal_tree_scratch_free(frugal_tree_scratch *scratch);

/* -- tree_open.c -- */

/* A descriptor, or -1 and errno. */
int frugal_tree_open_node(frugal_tree *tree, frugal_tree_node *node);

/* Keeps a directory's descriptor for so many children, each of which is opened soon. */
void frugal_tree_keep_or_close(frugal_tree *tree, frugal_tree_node *node, int fd, size_t children);

/* -- tree_links.c -- */

/* Is this open directory to be listed? Decides for links, and knows each directory by its identity. */
bool frugal_tree_admits(frugal_tree *tree, frugal_tree_node *node, int fd);

/* After all real paths: true when all links are decided. */
bool frugal_tree_follow_links(frugal_tree *tree);

/* -- tree_walk.c -- */

bool frugal_tree_push(frugal_tree_stack *stack, frugal_tree_node *node);

/* Lists what is in the pool and all below it: true when that is done. */
bool frugal_tree_run_pool(frugal_tree *tree);

/* Out of memory: ends all workers. Returns false. */
bool frugal_tree_fail(frugal_tree *tree);

#endif
