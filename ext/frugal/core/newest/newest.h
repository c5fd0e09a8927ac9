/*
 * How many files match patterns of the form "folder", any depth, "*.ending", and the newest of their mtimes. A
 * development server needs both before each request. The folders are listed once; after that, each folder and each file
 * is only statted, as long as the times prove that the lists are still right. Does not depend on Ruby.
 *
 *   frugal_newest_begin  starts a question
 *   frugal_newest_run    answers it; call it again if it was cancelled
 *   frugal_newest_end    ends the question, answered or not
 */
#ifndef FRUGAL_NEWEST_H
#define FRUGAL_NEWEST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "core/probe/probe.h"
#include "core/tree/tree.h"

typedef enum {
    FRUGAL_NEWEST_ANSWERED,
    FRUGAL_NEWEST_UNKNOWN, /* a path was removed meanwhile, or descriptors are scarce: the next question may succeed */
    FRUGAL_NEWEST_FAULT,   /* a path cannot be read: see `error` */
    FRUGAL_NEWEST_CANCELLED,
    FRUGAL_NEWEST_NO_MEMORY
} frugal_newest_status;

/* The names below a folder that end with one of the endings. Names and folders that begin with a dot are left out. */
typedef struct {
    const char *path; /* without a slash at its end */
    const char *const *endings;
    size_t ending_count;
} frugal_newest_folder;

/* A path that is statted. */
typedef struct {
    size_t offset; /* of the path in the text of all paths */
    const char *path;
    size_t matches; /* how many patterns it matches */
    size_t given;   /* how often it is among `files` */
    bool folder;    /* it is listed, and its stamp proves the list */
    bool missing;   /* the folder did not exist when it was to be listed */
    frugal_tree_stamp stamp;
} frugal_newest_item;

/* The kernel's answer for an item. */
typedef struct {
    frugal_tree_stamp stamp; /* without `first_seen` and `reliable` */
    struct timespec mtime;
    bool folder;
} frugal_newest_times;

typedef struct {
    const frugal_newest_folder *folders; /* borrowed, like `files` */
    const char *const *files;            /* count if they exist */
    size_t folder_count, file_count;
    bool quiet;                      /* an unreadable folder below the first counts as empty */
    bool unique;                     /* each path counts once, however many patterns it matches */
    bool (*interrupted)(void *host); /* the calling thread calls it while it waits: does the host want to interrupt? */
    void *host;
    /* the answer */
    size_t count;
    struct timespec newest; /* of the mtimes that are not after `now`; 1970 if there is none */
    bool any;               /* there is such an mtime */
    int error;              /* errno, after FRUGAL_NEWEST_FAULT */
    /* the remaining members are private to core/newest */
    struct timespec now;
    enum { FRUGAL_NEWEST_STATS, FRUGAL_NEWEST_LISTS, FRUGAL_NEWEST_LISTED } stage;
    frugal_tree *trees;     /* one for each folder */
    atomic_size_t prepared; /* how many of them are initialized */
    atomic_bool cancelled;
    size_t next_tree;
    frugal_tree_refresh refresh; /* of trees[next_tree] */
    bool refreshing;
    bool provable;             /* the stamps of all folders are reliable */
    frugal_newest_item *items; /* first the items that count, then the folders that do not */
    size_t item_count, item_room, counting;
    char *text;
    size_t text_used, text_room;
    frugal_stat_item *asked; /* the items, in the same order */
    frugal_newest_times *times;
    frugal_stat_batch batch;
    bool asking; /* the batch is not complete */
} frugal_newest;

/* Files with an mtime after `now` are counted, but their mtimes are ignored. */
void frugal_newest_begin(frugal_newest *newest, struct timespec now);

frugal_newest_status frugal_newest_run(frugal_newest *newest);

/* Makes a run return soon, even one that has not begun. Any thread may call it. */
void frugal_newest_cancel(frugal_newest *newest);

/* Call it before each run. */
void frugal_newest_resume(frugal_newest *newest);

void frugal_newest_end(frugal_newest *newest);

void frugal_newest_free(frugal_newest *newest);

/* The bytes that the question has allocated by malloc. */
size_t frugal_newest_memory(frugal_newest *newest);

#endif
