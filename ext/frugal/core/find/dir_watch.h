/* Reports changes to directories by inotify(7). Linux only. Does not depend on Ruby. */
#ifndef FRUGAL_DIR_WATCH_H
#define FRUGAL_DIR_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/find/poll_ring.h"

/*
 * An inotify descriptor, and a ring that shows without a system call whether there are new events. If the system lacks
 * or forbids rings, an epoll descriptor answers that in a third of the time of a read. The kernel queues an event, and
 * notifies ring or epoll, before the system call that caused the event returns. So every later check sees the change.
 */
typedef struct {
    int inotify;
    int epoll;
    frugal_poll_ring ring;
    unsigned forks;
} frugal_dir_watch;

/* Kinds of changes. REMOVED without a name is about the watched directory itself. */
enum {
    FRUGAL_WATCH_ADDED = 1,   /* an entry was created in it, or moved into it */
    FRUGAL_WATCH_REMOVED = 2, /* an entry was removed, or moved out of it */
    FRUGAL_WATCH_MOVED = 4,   /* the directory itself was moved or removed */
    FRUGAL_WATCH_ONCE = 8     /* a flag for frugal_find_watch_add: fail if the directory is watched already */
};

/* One change. `overflow`: events were lost, or the file system was unmounted, so anything may have changed. */
typedef struct {
    int id;
    int what;
    bool overflow;
    bool directory;
    const char *name; /* "" if the change is about the watched directory itself */
} frugal_dir_change;

void frugal_find_watch_init(frugal_dir_watch *watch);

/* Returns false if the system does not support watches, or refuses another one. */
bool frugal_find_watch_open(frugal_dir_watch *watch);

/* Closes the watch. May block: the kernel needs 8 to 20 ms if a directory was added just before. */
void frugal_find_watch_close(frugal_dir_watch *watch);

/*
 * Watches a directory. Does not follow the path if it is a link. Returns an id that is never used again, or -1 with
 * errno set. Watching a directory again adds to `what`, and returns the same id.
 */
int frugal_find_watch_add(frugal_dir_watch *watch, const char *path, int what);
void frugal_find_watch_remove(frugal_dir_watch *watch, int id);

/*
 * Reports whether the watch was opened before this process forked. Parent and child share its event queue, so the
 * child must not read or change it, only close it.
 */
bool frugal_find_watch_is_inherited(const frugal_dir_watch *watch);

/*
 * Calls `report` for each change since the last call. Without changes, takes no system call, or one if there is no
 * ring.
 */
void frugal_find_watch_changes(frugal_dir_watch *watch, void (*report)(void *host, const frugal_dir_change *),
                               void *host);

#endif
