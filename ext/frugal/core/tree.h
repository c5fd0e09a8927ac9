/*
 * A tree of directories, listed by several threads, and the same whatever their
 * number. Plain C: knows nothing of Ruby.
 *
 *   frugal_tree_open     opens the root                          tree_open.c
 *   frugal_tree_run      lists all below it, by its workers      tree_walk.c
 *                        one directory                           tree_list.c
 *                        links to directories                    tree_links.c
 *                        what a .gitignore leaves out            tree_ignore.c
 *   frugal_tree_next     what was listed, in pre-order           tree_read.c
 *   tree_refresh.h       what has changed since
 *   frugal_tree_free
 */
#ifndef FRUGAL_TREE_H
#define FRUGAL_TREE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "file_system.h"
#include "ignore_files.h"

enum { FRUGAL_TREE_MAX_THREADS = 16 };

/* What happens to a symbolic link to a directory. */
typedef enum {
    FRUGAL_FOLLOW_NEVER, /* it is listed */
    FRUGAL_FOLLOW_PATHS, /* it is entered, unless it leads to a directory that it lies in */
    FRUGAL_FOLLOW_ONCE   /* it is entered where nothing else leads to that directory */
} frugal_follow;

typedef struct {
    frugal_follow follow;
    bool hidden; /* list names that begin with a dot */
    bool sort;   /* siblings in byte order */
    bool stat;   /* times and sizes too */
    bool identity; /* knows each directory as it was before it was listed: for tree_refresh.h */
    bool gitignore; /* without what is ignored, as git reads that, and .git */
    int threads; /* at most; 0: as many as help */
    uint32_t depth; /* levels below the root; 0: all */
    const char *const *prune; /* fnmatch(3) patterns of names that are listed, not entered */
    size_t prune_count;
    const char *const *suffixes; /* only names that end so; NULL: all. What begins with a dot is no ending of another name. */
    size_t suffix_count;
    const char *prefix;          /* only names that begin so, in front of the suffix; NULL: all */
} frugal_tree_options;

typedef struct frugal_tree_node frugal_tree_node;

typedef struct {
    const char *name;
    frugal_tree_node *child; /* NULL: no directory, or not to be entered */
    uint32_t length;
    uint8_t type; /* DT_..., of a link itself */
    bool kept;    /* false: only entered, as its name has no such suffix */
} frugal_tree_entry;

/* What a file was known by, when it was read. Times: ns since 1970. */
typedef struct {
    dev_t device;
    ino_t inode;
    int64_t mtime, ctime;
    int64_t seen; /* since when it has had these, by the clock that nobody sets; where that is asked for */
    bool known; /* a later change shows in them */
} frugal_tree_stamp;

/* What a directory itself says of what lies below it, with options.gitignore. */
typedef struct {
    frugal_ignore_file own;     /* its .gitignore */
    frugal_tree_stamp stamp;    /* of that, with options.identity */
    frugal_ignore_file exclude; /* info/exclude of the repository that it is */
    char *exclude_path;         /* from the directory, or absolute; NULL: it is no repository */
} frugal_tree_rules;

/* A directory that is entered. Its entries, their names and nodes lie in one block. */
struct frugal_tree_node {
    frugal_tree_node *parent; /* NULL: the root */
    const char *name;         /* in the parent's block */
    uint32_t length;
    uint32_t depth;           /* the root's is 0 */
    bool link;                /* is reached by a symbolic link */
    bool entered;
    int error;                /* why it could not be listed, or only in part */
    int fd;                   /* open while children need it, else -1 */
    atomic_int waiting;       /* children that are not open yet */
    frugal_tree_stamp stamp;  /* device and inode where links are followed, all with options.identity */
    frugal_tree_rules *rules; /* NULL: it says nothing itself */
    uint32_t gone;            /* the number of the refresh that missed it */
    const frugal_tree_node *former; /* what it was before, whose children need no listing */
    void *block;
    frugal_tree_entry *entries;
    size_t count;
    frugal_tree_node *children; /* the nodes of the entries that have one, in their order */
    size_t child_count;
    int64_t *mtimes; /* ns since 1970, parallel to the entries; NULL without options.stat */
    int64_t *sizes;  /* bytes */
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
    char *path;   /* the root's */
    atomic_int error; /* why it could not be opened, or run on: ENOMEM */
    bool (*interrupted)(void *host); /* asked by the calling thread where it waits */
    void *host;
    /* the rest is the workers' own */
    atomic_bool cancelled;
    atomic_int descriptors; /* kept open for children */
    atomic_int most_descriptors;
    atomic_int hungry; /* workers that wait for directories */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    frugal_tree_stack pool; /* directories that nobody has taken */
    pthread_t helpers[FRUGAL_TREE_MAX_THREADS];
    int helper_count, idle;
    atomic_int workers, most_workers;
    bool finished;
    bool streams;
    pthread_cond_t news;
    frugal_tree_stack ready; /* listed, and not awaited yet, from next_ready on */
    size_t next_ready;
    frugal_tree_stack links; /* for FRUGAL_FOLLOW_ONCE: not yet decided, from next_link on */
    size_t next_link;
    bool following;
    frugal_ignore_above above; /* what the root lies in says, with options.gitignore */
    bool times_asked; /* of the root's file system, in this run */
    dev_t times_device;
    frugal_times times;
    bool checks; /* the workers ask for changes: tree_check.c */
    uint32_t refreshes;
    frugal_tree_stack changed, replaced;
    frugal_tree_identity *visited; /* open addressing */
    size_t visited_count, visited_capacity;
} frugal_tree;

/* False, with `error` set, where the root cannot be opened. Options and what they point to are borrowed. */
bool frugal_tree_open(frugal_tree *tree, const char *path, const frugal_tree_options *options);

/* True when all is listed; false when it was cancelled before, or out of memory (`error`). */
bool frugal_tree_run(frugal_tree *tree);

/*
 * Lists on other threads, while the calling one takes what is ready by await.
 * False where the system refuses a thread: then run does it. Not for
 * FRUGAL_FOLLOW_ONCE, whose order is made after all is listed.
 */
bool frugal_tree_start(frugal_tree *tree);

/* The next directory that was listed; NULL when there are no more, or when it was cancelled. */
const frugal_tree_node *frugal_tree_await(frugal_tree *tree);

/* Ends what start began, at its end or before. */
void frugal_tree_stop(frugal_tree *tree);

/* Makes a run return soon, also one that has not begun. One atomic store. */
void frugal_tree_cancel(frugal_tree *tree);

/* After a cancelled run: the next one goes on from there. */
void frugal_tree_resume(frugal_tree *tree);

/* Gives back all descriptors: nothing more can be listed, and what was stays. */
void frugal_tree_close(frugal_tree *tree);

void frugal_tree_free(frugal_tree *tree);

/* -- reading what was listed -- */

typedef struct {
    const frugal_tree_node *node;
    size_t next;
} frugal_tree_place;

/* Where a pass stands: one place for each level, and what to descend into. */
typedef struct {
    frugal_tree_place *places;
    size_t depth, capacity;
    const frugal_tree_node *below;
    bool all;    /* set after begin: entries too that are not kept */
    bool failed; /* out of memory: that was not the end */
} frugal_tree_cursor;

void frugal_tree_cursor_begin(frugal_tree_cursor *cursor, const frugal_tree *tree);

/* The next kept entry and its directory, or NULL at the end, and where it has failed. */
const frugal_tree_entry *frugal_tree_next(frugal_tree_cursor *cursor, const frugal_tree_node **node);
void frugal_tree_cursor_free(frugal_tree_cursor *cursor);

/* Bytes of a directory's path, and the path itself: no slash at the end, no NUL. */
size_t frugal_tree_path_length(const frugal_tree *tree, const frugal_tree_node *node);
void frugal_tree_path(const frugal_tree *tree, const frugal_tree_node *node, char *bytes, size_t length);

#endif
