/* The order of a tree's paths as Ruby's Find gives them, one at a time. Plain C; Linux only. */
#ifndef FRUGAL_FIND_WALK_H
#define FRUGAL_FIND_WALK_H

#include "dir_watch.h"

/*
 * The host yields a path, then asks what is below it, then goes on to the next:
 *
 *   frugal_find_root(&walk, path, length);
 *   do {
 *       yield(walk.path, walk.length);
 *       if (frugal_find_glance(&walk) == FRUGAL_FIND_UNKNOWN) frugal_find_enter(&walk);
 *   } while (frugal_find_next(&walk));
 *
 * Stock asks lstat(2) for each path after it was yielded, as the host may have
 * made it something else. Here the listing's own d_type counts as long as it
 * must still be true: a directory is opened by its path, which asks anew; of
 * anything else the watched directories above it say whether it was replaced.
 * Where they cannot be watched, lstat(2) is asked as in stock.
 */
typedef struct frugal_find_level frugal_find_level;
typedef struct frugal_find_bound frugal_find_bound;

typedef struct {
    char *path; /* ends in NUL */
    size_t length;
    size_t room;
    unsigned char type; /* d_type of the path, as far as it is known */
    bool from_cwd;
    bool root_lost; /* what the root's own path leads to is not watched */
    bool watching;
    bool raising;      /* errors of a path are the host's business */
    size_t asked;      /* lstats so far, or due */
    size_t watch_after; /* that many pay for a watch; SIZE_MAX: never watch */
    frugal_find_level *levels;
    size_t depth;
    size_t levels_room;
    frugal_dir_watch watch;
    frugal_find_bound *bounds; /* what the root's path goes through */
    size_t bounds_count;
    char *cwd;
    unsigned cwd_changes; /* when that was asked */
} frugal_find_walk;

enum {
    FRUGAL_FIND_NOTHING, /* nothing below it: no directory, or an error that stock passes over */
    FRUGAL_FIND_ENTERED,
    FRUGAL_FIND_UNKNOWN, /* glance: a directory, or a question that may wait for the disk */
    FRUGAL_FIND_STOCK    /* enter: the host has to ask, and to raise what comes */
};

void frugal_find_init(frugal_find_walk *walk, size_t watch_after);
void frugal_find_free(frugal_find_walk *walk);

/* Frees what a forked child must not share, and waits for the kernel to forget the watches. */
void frugal_find_close(frugal_find_walk *walk);

/* Begins a tree. False: out of memory. */
bool frugal_find_root(frugal_find_walk *walk, const char *path, size_t length);

/* At most one short system call; never waits for a disk. */
int frugal_find_glance(frugal_find_walk *walk);

/* What glance left open. May wait for the disk. */
int frugal_find_enter(frugal_find_walk *walk);

/* The next path into `path`, its directory's length with the slash into `stem`. False at the end. */
bool frugal_find_next(frugal_find_walk *walk, size_t *stem);

/* Leaves the tree where it is. */
void frugal_find_leave(frugal_find_walk *walk);

#endif
