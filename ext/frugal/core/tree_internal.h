/* What the files of a tree share among themselves. */
#ifndef FRUGAL_TREE_INTERNAL_H
#define FRUGAL_TREE_INTERNAL_H

#include <sys/stat.h>

#include "tree.h"

/* -- tree_list.c -- */

/* What a worker reuses from one directory to the next. */
typedef struct {
    struct frugal_tree_found *found, *merged;
    size_t found_count, found_capacity;
    char *names;
    size_t names_used, names_room;
    char *batch; /* of the kernel's records */
    bool has_rules, has_repository; /* a .gitignore is in it; a .git */
    struct frugal_tree_bases *bases; /* of checks */
    struct frugal_tree_levels *levels; /* of rules */
} frugal_tree_scratch;

/* Reads an open directory into its node; false: out of memory. A failure that ends the listing is the node's error. */
bool frugal_tree_list(frugal_tree *tree, frugal_tree_node *node, int fd, frugal_tree_scratch *scratch);
void frugal_tree_scratch_free(frugal_tree_scratch *scratch);

/* -- tree_open.c -- */

/* When descriptors run out, others of the walk's come back soon. */
enum { FRUGAL_TREE_DESCRIPTOR_TRIES = 200 };

/* All but the root's descriptor; false: out of memory. To be freed in any case. */
bool frugal_tree_prepare(frugal_tree *tree, const char *path, const frugal_tree_options *options);

/* As many descriptors and threads as help: a run that got less of them leaves it at that. */
void frugal_tree_hope(frugal_tree *tree);

/* False, with `error` set, where it cannot be opened. */
bool frugal_tree_open_root(frugal_tree *tree);

/* By its path, however long that is; the node is not the root. A descriptor, or -1 and errno. */
int frugal_tree_open_from_root(frugal_tree *tree, const frugal_tree_node *node, int flags);

/* For others' sake when they ran out: keeps none from now on, and waits a little. */
void frugal_tree_spare_descriptors(frugal_tree *tree);

/* A descriptor, or -1 and errno. */
int frugal_tree_open_node(frugal_tree *tree, frugal_tree_node *node);

/* Keeps a directory's descriptor for so many children, each of which is opened soon. */
void frugal_tree_keep_or_close(frugal_tree *tree, frugal_tree_node *node, int fd, size_t children);

/* -- tree_links.c -- */

/* Is this open directory to be listed? Decides for links, and knows each directory by its identity. */
bool frugal_tree_admits(frugal_tree *tree, frugal_tree_node *node, int fd);

/* After all real paths: true when all links are decided. */
bool frugal_tree_follow_links(frugal_tree *tree);

/* -- tree_ignore.c -- */

/* Reads what an open directory says, as its scratch has it, and gathers what those above say; false: out of memory. */
bool frugal_tree_read_rules(frugal_tree *tree, frugal_tree_node *node, int fd, frugal_tree_scratch *scratch);

/* Is there anything to ask? Then: is this name of that directory ignored? */
bool frugal_tree_has_levels(const frugal_tree_scratch *scratch);
bool frugal_tree_ignores(frugal_tree_scratch *scratch, const char *name, size_t length, bool directory);
bool frugal_tree_rules_equal(const frugal_tree_rules *one, const frugal_tree_rules *other);

/* May they be other ones by now? `path`, of an unlisted directory's .gitignore from there, has to be asked for. */
bool frugal_tree_rules_may_differ(const frugal_tree_rules *rules, int from, const char *path);
void frugal_tree_rules_free(frugal_tree_rules *rules);
void frugal_tree_levels_free(struct frugal_tree_levels *levels);

/* -- tree_read.c -- */

void frugal_tree_free_below(frugal_tree_node *top);

/* -- tree_check.c -- */

/*
 * Takes down what a directory is, as it is about to be listed: on a file system of
 * such times, at that moment. `former` is what was taken down before, or NULL.
 */
void frugal_tree_know(frugal_tree_stamp *stamp, const frugal_tree_stamp *former, frugal_times times,
                      const struct stat *st, int64_t now);

/* What the times of an open directory's file system prove: two calls, once in a run for the root's file system. */
frugal_times frugal_tree_times(frugal_tree *tree, int fd, dev_t device);
int64_t frugal_tree_now(void);

/* Is this what was taken down? */
bool frugal_tree_is_same(const frugal_tree_stamp *stamp, const struct stat *st);
bool frugal_tree_has_changed(const frugal_tree_stamp *stamp, const struct stat *st);

/* Asks for all directories in this one; false: out of memory. */
bool frugal_tree_check(frugal_tree *tree, frugal_tree_node *node, frugal_tree_stack *stack, frugal_tree_scratch *scratch);
void frugal_tree_bases_free(struct frugal_tree_bases *bases);

/* -- tree_refresh.c -- */

/* Was a directory of this name there before? */
bool frugal_tree_is_former(const frugal_tree_node *node, const frugal_tree_node *child);

/* -- tree_walk.c -- */

bool frugal_tree_push(frugal_tree_stack *stack, frugal_tree_node *node);

/* Lists what is in the pool and all below it: true when that is done. */
bool frugal_tree_run_pool(frugal_tree *tree);

/* Out of memory: ends all workers. Returns false. */
bool frugal_tree_fail(frugal_tree *tree);

#endif
