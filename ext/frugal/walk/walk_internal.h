/*
 * The shared declarations of this folder:
 *
 *   walk_object.c    the object and its options
 *   walk.c           lists a tree
 *   walk_glob.c      answers simple patterns of Dir.glob
 *   walk_paths.c     returns paths, columns and failures of a listed tree
 *   tree_snapshot.c  finds the changes of a tree since it was last listed
 */
#ifndef FRUGAL_WALK_INTERNAL_H
#define FRUGAL_WALK_INTERNAL_H

#include <ruby/encoding.h>
#include <stdbool.h>
#include <sys/types.h>

#include "binding.h"
#include "core/tree/tree.h"
#include "probe/probe.h"

/* An entry and its directory. */
typedef struct {
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;
} tree_item;

typedef struct {
    frugal_tree tree;
    frugal_tree_options options;
    frugal_probe_thread thread; /* the thread that lists the tree */
    VALUE path;                 /* of the root, as given */
    char **texts;               /* the strings to which `options` points */
    long text_count;
    const char **prune, **suffixes;
    rb_encoding *encoding; /* of paths */
    size_t cut;            /* number of bytes to remove from the beginning of each path */
    bool opened, running, done;
    pid_t pid;                       /* of the process that runs the walk */
    const frugal_tree_node *awaited; /* the next directory of a stream */
    tree_item *items;                /* all listed entries, or NULL before the first `at` */
    size_t count;                    /* of listed entries */
    size_t reported;                 /* see native_memory.h */
} tree_walk;

/* Builds the paths of entries. The path of a directory is written once for all its entries. */
typedef struct {
    const tree_walk *walk;
    const frugal_tree_node *node;
    char *bytes;
    size_t length, room;
    VALUE memory; /* a temporary String that has `bytes` */
} path_writer;

/* A walk with its options, before anything is opened. */
VALUE frugal_walk_new(VALUE klass, VALUE path, VALUE options);
tree_walk *frugal_walk_get(VALUE self);

/* A walk for the names that begin and end with these texts. */
VALUE frugal_walk_new_for(VALUE klass, VALUE root, frugal_tree_text first, frugal_tree_text last, bool sort);

/*
 * Lists the tree below a folder that was already read, without counting its entries. The walk closes the folder's
 * descriptor.
 */
void frugal_walk_list(VALUE self, frugal_tree_folder *folder);

/* The encoding of listed paths, if the root or pattern has this encoding. */
rb_encoding *frugal_walk_encoding(rb_encoding *encoding);

/* Reports the memory of the tree to the garbage collector. Needs the VM lock, and the process that listed it. */
void frugal_walk_report(tree_walk *walk);

/* Sets the number of listed entries. */
void frugal_walk_count(tree_walk *walk);

/* Frees a cursor. Raises NoMemoryError if it ran out of memory. */
void frugal_walk_end(frugal_tree_cursor *cursor);

/* The path of an entry, as a new String. */
VALUE frugal_walk_path(path_writer *writer, const frugal_tree_node *node, const frugal_tree_entry *entry);
void frugal_walk_object_init(void);
void frugal_walk_paths_init(VALUE tree);
void frugal_walk_snapshot_init(VALUE module, VALUE tree);

#endif
