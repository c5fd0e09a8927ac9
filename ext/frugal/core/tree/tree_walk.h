/* A tree of directories: its options and nodes, and the functions that list and read it. */
#ifndef FRUGAL_TREE_WALK_H
#define FRUGAL_TREE_WALK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/ignore/ignore.h"
#include "core/system/system.h"
#include "core/tree/tree_folder.h"

enum { FRUGAL_TREE_MAX_THREADS = 16 };

/* What happens to a symbolic link to a directory. */
typedef enum {
    FRUGAL_FOLLOW_NEVER, /* it is listed as an entry, and not entered */
    FRUGAL_FOLLOW_PATHS, /* it is entered, unless it leads to one of the directories above it */
    FRUGAL_FOLLOW_ONCE   /* it is entered, unless its directory is listed by another path */
} frugal_follow;

typedef struct {
    frugal_follow follow;
    bool hidden;              /* list names that begin with a dot */
    bool sort;                /* siblings in byte order */
    bool stat;                /* times and sizes too */
    bool identity;            /* fill in each directory's stamp: for tree_refresh.h */
    bool gitignore;           /* leave out .git and the entries that git ignores */
    int threads;              /* at most; 0: the default */
    uint32_t depth;           /* levels below the root; 0: all */
    const char *const *prune; /* fnmatch(3) patterns of names that are listed, not entered */
    size_t prune_count;
    const char *const *suffixes; /* only names with one of these suffixes; ".c" itself does not have ".c"; NULL: all */
    size_t suffix_count;
    const char *prefix; /* only names that begin with this, before the suffix; NULL: all */
} frugal_tree_options;

typedef struct frugal_tree_node frugal_tree_node;

typedef struct {
    const char *name;
    frugal_tree_node *child; /* NULL: not a directory, or not entered */
    uint32_t length;
    uint8_t type; /* DT_...; for a link DT_LNK */
    bool kept;    /* false: the name does not match the options; it is only entered */
} frugal_tree_entry;

/* The identity and times of a file when it was read. Times are in ns since 1970. */
typedef struct {
    dev_t device;
    ino_t inode;
    int64_t mtime, ctime;
    int64_t first_seen; /* CLOCK_MONOTONIC when these times were first seen, on FRUGAL_TIMES_LAYERED; else 0 */
    bool reliable;      /* a later change is certain to change the times */
} frugal_tree_stamp;

/* The ignore rules in a directory itself, with options.gitignore. */
typedef struct {
    frugal_ignore_file own;     /* its .gitignore */
    frugal_tree_stamp stamp;    /* of the .gitignore, with options.identity */
    frugal_ignore_file exclude; /* the info/exclude of the repository in this directory */
    char *exclude_path;         /* relative to the directory, or absolute; NULL: not a repository */
    bool has_git;               /* there is a .git, which is or may become a repository */
} frugal_tree_rules;

/* A directory that is entered. One block holds its entries, their names and their nodes. */
struct frugal_tree_node {
    frugal_tree_node *parent; /* NULL: the root */
    const char *name;         /* in the parent's block */
    uint32_t length;
    uint32_t depth; /* levels below the root, which has 0 */
    bool link;      /* it is a symbolic link to a directory */
    bool entered;
    int error;                        /* errno, if it could not be listed completely */
    int fd;                           /* open until all children are opened, else -1 */
    atomic_int unopened_children;     /* counts down to 0 */
    frugal_tree_stamp stamp;          /* only device and inode if links are followed; all with options.identity */
    frugal_tree_rules *rules;         /* NULL: it has no rules of its own */
    uint32_t handled_in_refresh;      /* the last refresh that found it removed, or compared it already */
    const frugal_tree_node *previous; /* its previous node: children that it has too are not listed again */
    void *block;
    frugal_tree_entry *entries;
    size_t count;
    frugal_tree_node *children; /* the nodes of entries, in the same order */
    size_t child_count;
    int64_t *mtimes; /* ns since 1970, one for each entry; NULL without options.stat */
    int64_t *sizes;  /* bytes */
    size_t memory;   /* of the block and the rules, in bytes */
};

typedef struct {
    frugal_tree_node **nodes;
    size_t count, capacity;
} frugal_tree_stack;

typedef struct {
    dev_t device;
    ino_t inode;
} frugal_tree_identity;

typedef struct {
    frugal_tree_options options;
    frugal_tree_node root;
    char *path;                      /* of the root */
    const frugal_tree_folder *begun; /* the beginning of the root's list, until the root is listed; NULL: none */
    atomic_int error;                /* errno if the root could not be opened; ENOMEM if out of memory */
    bool (*interrupted)(void *host); /* the calling thread calls it while it waits: does the host want to interrupt? */
    void *host;
    /* the remaining members are private to core/tree */
    atomic_bool cancelled;
    atomic_int descriptors; /* how many are kept open for children */
    atomic_int max_descriptors;
    atomic_int waiting_workers; /* how many workers wait for directories */
    pthread_mutex_t lock;
    pthread_cond_t wake;    /* the pool has changed, or a worker has ended */
    frugal_tree_stack pool; /* directories that no worker has taken yet */
    pthread_t helpers[FRUGAL_TREE_MAX_THREADS];
    int helper_count, idle;
    atomic_int workers, max_workers;
    bool finished;
    bool streaming;
    pthread_cond_t ready_changed;
    frugal_tree_stack ready; /* listed directories; await has not returned those from next_ready on */
    size_t next_ready;
    frugal_tree_stack links; /* for FRUGAL_FOLLOW_ONCE; those from next_link on are not decided yet */
    size_t next_link;
    bool links_gathered;       /* `links` is filled */
    frugal_ignore_above above; /* the rules above the root, with options.gitignore */
    bool times_cached;         /* times_device and times are valid in this run */
    dev_t times_device;
    frugal_times times;
    bool checking; /* the workers check for changes instead of listing: tree_check.c */
    uint32_t refresh_number;
    frugal_tree_stack changed, replaced; /* to be listed again: changed directories, and others with the same name */
    frugal_tree_identity *visited;       /* a hash table with open addressing; empty where the inode is 0 */
    size_t visited_count, visited_capacity;
    atomic_size_t memory; /* of all nodes, in bytes */
} frugal_tree;

/* Opens the root. Returns false, with `error` set, if that fails. The options, and what they point to, are borrowed. */
bool frugal_tree_open(frugal_tree *tree, const char *path, const frugal_tree_options *options);

/*
 * Does the same as frugal_tree_open, with a folder that was already read as the root. Only for options without
 * gitignore. The folder is borrowed until the root is listed; frugal_tree_close closes its descriptor.
 */
bool frugal_tree_adopt(frugal_tree *tree, frugal_tree_folder *folder, const frugal_tree_options *options);

/*
 * Returns true when all directories are listed; false if the run was cancelled, or if out of memory (`error` is set).
 */
bool frugal_tree_run(frugal_tree *tree);

/*
 * Lists on other threads, while the calling thread takes the listed directories by frugal_tree_await. Returns false if
 * the system refuses a thread: then call frugal_tree_run. Not for FRUGAL_FOLLOW_ONCE, which decides links after all
 * else is listed.
 */
bool frugal_tree_start(frugal_tree *tree);

/* Waits for the next listed directory. Returns NULL when there are no more, or when the walk was cancelled. */
const frugal_tree_node *frugal_tree_await(frugal_tree *tree);

/* Ends the threads of frugal_tree_start, whether or not they have finished. */
void frugal_tree_stop(frugal_tree *tree);

/* Makes a run return soon, even one that has not begun. It is one atomic store, so any thread may call it. */
void frugal_tree_cancel(frugal_tree *tree);

/* Call it after a cancelled run: the next run continues from there. */
void frugal_tree_resume(frugal_tree *tree);

/* Closes all descriptors. Nothing more can be listed; the lists stay. */
void frugal_tree_close(frugal_tree *tree);

void frugal_tree_free(frugal_tree *tree);

/*
 * The bytes that the tree has allocated, without the buffers of its workers, which are freed at the end of a run. May
 * be called while workers run, but not after a fork that left them behind.
 */
size_t frugal_tree_memory(frugal_tree *tree);

/* -- reading the listed entries -- */

typedef struct {
    const frugal_tree_node *node;
    size_t next;
} frugal_tree_place;

/* The position of a pass over the tree: one place for each level, and the directory to descend into next. */
typedef struct {
    frugal_tree_place *places;
    size_t depth, capacity;
    const frugal_tree_node *below;
    bool all;    /* set it after begin to get all entries, not only kept ones */
    bool failed; /* out of memory: the pass is not complete */
} frugal_tree_cursor;

void frugal_tree_cursor_begin(frugal_tree_cursor *cursor, const frugal_tree *tree);

/* Returns the next kept entry, and its directory in `node`; NULL at the end, or with cursor->failed set. */
const frugal_tree_entry *frugal_tree_next(frugal_tree_cursor *cursor, const frugal_tree_node **node);
void frugal_tree_cursor_free(frugal_tree_cursor *cursor);

/* The length of a directory's path, and the path itself, without a slash or a NUL at its end. */
size_t frugal_tree_path_length(const frugal_tree *tree, const frugal_tree_node *node);
void frugal_tree_path(const frugal_tree *tree, const frugal_tree_node *node, char *bytes, size_t length);

#endif
