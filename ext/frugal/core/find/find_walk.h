/* Walks a tree in the order of Ruby's Find, one path at a time. Linux only. Does not depend on Ruby. */
#ifndef FRUGAL_FIND_WALK_H
#define FRUGAL_FIND_WALK_H

#include "core/find/dir_watch.h"

/*
 * The host yields a path, enters it if it is a directory, and then takes the next path:
 *
 *   frugal_find_root(&walk, path, length);
 *   do {
 *       yield(walk.path, walk.length);
 *       if (frugal_find_glance(&walk) == FRUGAL_FIND_UNKNOWN) frugal_find_enter(&walk);
 *   } while (frugal_find_next(&walk, &prefix_length));
 *
 * Stock Find calls lstat(2) for each path after it was yielded, because the host may have replaced it. This walk uses
 * the d_type of the directory's list instead, while that is certain to be up to date: opening a directory by its path
 * checks the type again; for any other file, the watches of the directories above it report a replacement. If these
 * cannot be watched, lstat(2) is called as in stock.
 */
typedef struct frugal_find_level frugal_find_level;
typedef struct frugal_find_root_watch frugal_find_root_watch;

typedef struct {
    char *path; /* the current path, with a NUL at its end */
    size_t length;
    size_t room;
    unsigned char type; /* d_type of the path; DT_UNKNOWN if it is not known or out of date */
    bool from_cwd;
    bool root_unreliable; /* the root's path is not watched, or was changed */
    bool watching;
    bool raising;       /* the host raises errors (ignore_error: false), so they are left to stock */
    size_t lstats;      /* number of lstats so far */
    size_t watch_after; /* number of lstats that cost as much as a watch; SIZE_MAX: never watch */
    frugal_find_level *levels;
    size_t depth;
    size_t levels_room;
    frugal_dir_watch watch;
    frugal_find_root_watch *root_watches; /* of the directories and links on the root's path */
    size_t root_watches_count;
    char *cwd;
    unsigned cwd_count; /* frugal_find_cwd_count() when `cwd` was read */
} frugal_find_walk;

enum {
    FRUGAL_FIND_NOTHING, /* not a directory, or an error that stock ignores */
    FRUGAL_FIND_ENTERED,
    FRUGAL_FIND_UNKNOWN, /* glance: a directory, or a path whose lstat may wait for the disk */
    FRUGAL_FIND_STOCK    /* the host has to run stock's code, which may raise */
};

void frugal_find_begin(frugal_find_walk *walk, size_t watch_after);
void frugal_find_free(frugal_find_walk *walk);

/* The bytes that the walk has allocated. */
size_t frugal_find_memory(const frugal_find_walk *walk);

/*
 * Leaves the tree, and closes the watch, which a forked child must not share. May block: see frugal_find_watch_close.
 */
void frugal_find_close(frugal_find_walk *walk);

/* Begins to walk a tree. Returns false if out of memory. */
bool frugal_find_root(frugal_find_walk *walk, const char *path, size_t length);

/*
 * Returns NOTHING if the path is certain to have no entries, else UNKNOWN or STOCK. Takes at most one short system
 * call, which never waits for a disk.
 */
int frugal_find_glance(frugal_find_walk *walk);

/* Opens and lists the path if it is a directory. Call it after glance has returned UNKNOWN. May wait for the disk. */
int frugal_find_enter(frugal_find_walk *walk);

/*
 * Puts the next path into walk->path, and the length of its directory with the slash into `prefix_length`. Returns
 * false at the end.
 */
bool frugal_find_next(frugal_find_walk *walk, size_t *prefix_length);

/* Ends the walk of this tree at any point. */
void frugal_find_leave(frugal_find_walk *walk);

#endif
