/* Tells whether directories were changed since they were put under watch. Plain C; Linux only. */
#ifndef FRUGAL_DIR_WATCH_H
#define FRUGAL_DIR_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An inotify descriptor, and an epoll descriptor that answers "nothing new" in
 * a third of the time that a read takes. The kernel queues an event before the
 * call that caused it returns: what was done before a question shows in it.
 */
typedef struct {
    int events;
    int ready;
    unsigned forks;
} frugal_dir_watch;

/* What is told. GONE and LEFT also come as the directory's own fate, without a name. */
enum {
    FRUGAL_WATCH_CAME = 1,  /* something was made in it, or moved into it */
    FRUGAL_WATCH_LEFT = 2,  /* something in it was removed, or moved out of it */
    FRUGAL_WATCH_MOVED = 4, /* the directory itself was moved or removed */
    FRUGAL_WATCH_NEW = 8    /* asked for: refuse a directory that is watched already */
};

/* One change. With `lost`, events did not fit or a file system is gone: anything may have changed. */
typedef struct {
    int id;
    int what;
    bool lost;
    bool directory;
    const char *name; /* "" where it is about the watched directory */
} frugal_dir_change;

void frugal_dir_watch_init(frugal_dir_watch *watch);

/* False where the system has no such thing, or no more of it. */
bool frugal_dir_watch_open(frugal_dir_watch *watch);

/* May wait: the kernel ends 8 to 20 ms later, if a directory was watched just before. */
void frugal_dir_watch_close(frugal_dir_watch *watch);

/*
 * Watches a directory, its last link not followed; returns an id, or -1 with
 * errno. An id is never given twice. Watching one again adds to `what`.
 */
int frugal_dir_watch_add(frugal_dir_watch *watch, const char *path, int what);
void frugal_dir_watch_remove(frugal_dir_watch *watch, int id);

/*
 * Whether this process is a fork of the one that opened the watch. They share
 * its queue, so that the fork must only close it: every question is then "lost".
 */
bool frugal_dir_watch_foreign(const frugal_dir_watch *watch);

/* Calls `tell` for each change since the last call. One system call where there is none. */
void frugal_dir_watch_changes(frugal_dir_watch *watch, void (*tell)(void *host, const frugal_dir_change *), void *host);

#endif
