/* What the files of a walk share: walk.c lists, walk_paths.c tells what was listed. */
#ifndef FRUGAL_WALK_H
#define FRUGAL_WALK_H

#include "frugal.h"
#include <ruby/encoding.h>
#include <stdbool.h>
#include <sys/types.h>

#include "core/tree.h"

/* An entry, found by its number. */
typedef struct {
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;
} tree_item;

typedef struct {
    frugal_tree tree;
    frugal_tree_options options;
    VALUE path;     /* as it was given */
    char **texts;   /* that the options point to */
    long text_count;
    const char **prune, **suffixes;
    rb_encoding *encoding;
    size_t cut; /* bytes that are left out of each path, of the root's and its slash */
    bool opened, running, done;
    pid_t pid;
    const frugal_tree_node *awaited; /* while it streams */
    tree_item *items;
    size_t count;
} tree_walk;

/* Writes the paths of one directory's entries after its own, which is written once. */
typedef struct {
    const tree_walk *walk;
    const frugal_tree_node *node;
    char *bytes;
    size_t length, room;
    VALUE memory;
} path_writer;

/* With its options, of which nothing is opened yet. */
VALUE frugal_walk_new(VALUE klass, VALUE path, VALUE options);
tree_walk *frugal_walk_get(VALUE self);
void frugal_walk_count(tree_walk *walk);
/* Frees it; NoMemoryError where it has failed. */
void frugal_walk_end(frugal_tree_cursor *cursor);
VALUE frugal_walk_path(path_writer *writer, const frugal_tree_node *node, const frugal_tree_entry *entry);
void frugal_walk_paths_init(VALUE tree);
void frugal_tree_snapshot_init(VALUE tree);

#endif
