/* Declarations shared by the files of core/tree. Other folders do not include this header. */
#ifndef FRUGAL_TREE_INTERNAL_H
#define FRUGAL_TREE_INTERNAL_H

#include <sys/stat.h>

#include "core/tree/tree_walk.h"

/* -- tree_list.c -- */

/* Buffers that a worker reuses from one directory to the next. */
typedef struct {
    struct frugal_tree_found *found, *merged;
    size_t found_count, found_capacity;
    char *names;
    size_t names_used, names_room;
    char *batch;                       /* of the kernel's directory records */
    bool has_rules, has_repository;    /* the directory has a regular file .gitignore; it has a .git */
    struct frugal_tree_bases *bases;   /* for tree_check.c */
    struct frugal_tree_levels *levels; /* for tree_ignore.c */
} frugal_tree_buffers;

/* Reads an open directory into its node. Returns false if out of memory; any other error is stored in node->error. */
bool frugal_tree_list(frugal_tree *tree, frugal_tree_node *node, int fd, frugal_tree_buffers *buffers);
void frugal_tree_buffers_free(frugal_tree_buffers *buffers);

/* -- tree_open.c -- */

/* How often an open is tried again after EMFILE or ENFILE: other workers close descriptors soon. */
enum { FRUGAL_TREE_DESCRIPTOR_TRIES = 200 };

/* Initializes the tree without opening its root. Returns false if out of memory; call frugal_tree_free in any case. */
bool frugal_tree_prepare(frugal_tree *tree, const char *path, const frugal_tree_options *options);

/* Sets the limits of descriptors and threads for a run. The run lowers a limit when the system grants less. */
void frugal_tree_reset_limits(frugal_tree *tree);

/* Returns false, with tree->error set, if the root cannot be opened. */
bool frugal_tree_open_root(frugal_tree *tree);

/*
 * Opens a node by its path from the root, which may exceed PATH_MAX. Not for the root itself. Returns a descriptor, or
 * -1 with errno set.
 */
int frugal_tree_open_from_root(frugal_tree *tree, const frugal_tree_node *node, int flags);

/* Called after EMFILE or ENFILE: from now on no directory is kept open for its children. Sleeps 0.1 ms. */
void frugal_tree_back_off(frugal_tree *tree);

/* Opens a node from its parent. Returns a descriptor, or -1 with errno set. */
int frugal_tree_open_node(frugal_tree *tree, frugal_tree_node *node);

/*
 * Keeps a directory open until its `children` are opened, or closes it if it has none or too many directories are open.
 */
void frugal_tree_keep_or_close(frugal_tree *tree, frugal_tree_node *node, int fd, size_t children);

/* -- tree_links.c -- */

/*
 * Reports whether this open directory is to be listed: always, unless `follow` forbids listing it again. Fills in
 * node->stamp.
 */
bool frugal_tree_should_list(frugal_tree *tree, frugal_tree_node *node, int fd);

/* Adds a directory to the visited ones. Returns false if out of memory. */
bool frugal_tree_mark_visited(frugal_tree *tree, dev_t device, ino_t inode);

/* -- tree_ignore.c -- */

/*
 * Reads the .gitignore and the info/exclude of an open directory, and collects the rules of the directories above it
 * into buffers->levels. Returns false if out of memory.
 */
bool frugal_tree_read_rules(frugal_tree *tree, frugal_tree_node *node, int fd, frugal_tree_buffers *buffers);

/* Reports whether any rules apply to the directory that was read last, and whether they ignore one of its names. */
bool frugal_tree_has_levels(const frugal_tree_buffers *buffers);
bool frugal_tree_ignores(frugal_tree_buffers *buffers, const char *name, size_t length, bool directory);
bool frugal_tree_rules_equal(const frugal_tree_rules *one, const frugal_tree_rules *other);

/*
 * Reports whether the rules may have changed since they were read. `path` leads from the descriptor `from` to the
 * .gitignore of a directory that was not listed again.
 */
bool frugal_tree_rules_may_differ(const frugal_tree_rules *rules, int from, const char *path);
void frugal_tree_rules_free(frugal_tree_rules *rules);
size_t frugal_tree_rules_memory(const frugal_tree_rules *rules);
void frugal_tree_levels_free(struct frugal_tree_levels *levels);

/* -- tree_read.c -- */

void frugal_tree_free_below(frugal_tree *tree, frugal_tree_node *top);

/* -- tree_stamp.c -- */

/*
 * Fills in the stamp of a directory that is about to be listed, or of a .gitignore. `times` is the kind of timestamps
 * of its file system, `now` the time right before `st` was read. `previous` is the file's last stamp, or NULL.
 */
void frugal_tree_take_stamp(frugal_tree_stamp *stamp, const frugal_tree_stamp *previous, frugal_times times,
                            const struct stat *st, int64_t now);

/*
 * The kind of timestamps of an open directory's file system. The root's is cached for one run; any other takes two
 * calls.
 */
frugal_times frugal_tree_times(frugal_tree *tree, int fd, dev_t device);
int64_t frugal_tree_now(void);

/* Compare a stamp with a new stat: the first compares device and inode, the second the times. */
bool frugal_tree_is_same(const frugal_tree_stamp *stamp, const struct stat *st);
bool frugal_tree_has_changed(const frugal_tree_stamp *stamp, const struct stat *st);

/* -- tree_check.c -- */

/*
 * Stats all listed subdirectories of this one, and adds those that need listing to tree->changed or tree->replaced.
 * Returns false if out of memory.
 */
bool frugal_tree_check(frugal_tree *tree, frugal_tree_node *node, frugal_tree_stack *stack,
                       frugal_tree_buffers *buffers);
void frugal_tree_bases_free(struct frugal_tree_bases *bases);

/* -- tree_stack.c -- */

bool frugal_tree_push(frugal_tree_stack *stack, frugal_tree_node *node);

/* Sets tree->error to ENOMEM and cancels all workers. Always returns false. */
bool frugal_tree_fail(frugal_tree *tree);

/* -- tree_walk.c -- */

/*
 * Lists the directories in the pool and all below them. Returns true when that is complete, false when it was
 * cancelled.
 */
bool frugal_tree_run_pool(frugal_tree *tree);

#endif
