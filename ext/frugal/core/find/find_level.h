/* One open directory of a find_walk, with the entries that it had when it was listed. */
#ifndef FRUGAL_FIND_LEVEL_H
#define FRUGAL_FIND_LEVEL_H

#include "core/find/find_walk.h"

typedef struct {
    uint64_t key; /* the name's first eight bytes, which suffice for most comparisons */
    uint32_t at;  /* offset of the name in `names` */
    unsigned char type;
} frugal_find_entry;

struct frugal_find_level {
    char *names;
    size_t names_used;
    size_t names_room;
    frugal_find_entry *entries; /* sorted */
    size_t count;
    size_t room;
    size_t next;
    size_t prefix_length;  /* length of its path with a slash at the end */
    size_t path_length;    /* length of its path as it was given or yielded */
    int watch;             /* the id of its watch; -1: none */
    bool local;            /* its file system is local, so inotify reports all changes */
    bool types_unreliable; /* the types of its entries may be out of date */
    bool path_unreliable;  /* its path may lead to another directory, so the levels below are unreliable too */
};

/*
 * The watch of a directory on the root's path, or of a link in such a directory. A change to it means that the path may
 * lead to another directory.
 */
struct frugal_find_root_watch {
    int watch;
    char *link; /* the name of the link; NULL: the directory itself is watched */
};

/* Lists an open directory into a level, sorted, without "." and "..". Returns false if out of memory. */
bool frugal_find_list(frugal_find_level *level, int fd);

/* The index of a name, or SIZE_MAX. */
size_t frugal_find_index(const frugal_find_level *level, const char *name);

static inline const char *
frugal_find_name(const frugal_find_level *level, size_t index)
{
    return level->names + level->entries[index].at;
}

/* Report whether a file system is local: only this kernel changes it, so inotify reports all changes. */
bool frugal_find_is_local_fd(int fd);
bool frugal_find_is_local_path(const char *path);

/* Starts to watch the root's path and the open levels. */
void frugal_find_start_watching(frugal_find_walk *walk);

/* Watches the directories on the root's path. Returns false if one of them cannot be watched. */
bool frugal_find_watch_root(frugal_find_walk *walk);
void frugal_find_unwatch_root(frugal_find_walk *walk);

/*
 * For a relative root, checks whether the working directory is still the same. Asks the kernel if `always`, or if the
 * host has reported a change or does not report changes.
 */
void frugal_find_check_cwd(frugal_find_walk *walk, bool always);

/* Applies all reported changes to the types of the open levels. */
void frugal_find_apply_changes(frugal_find_walk *walk);

/* The changes that the watch of a level reports. */
static inline int
frugal_find_watched_changes(size_t depth)
{
    /*
     * No level above the root can report the root's removal. The root's entries are removed first, so they are watched.
     */
    return FRUGAL_WATCH_ADDED | (depth == 0 ? FRUGAL_WATCH_REMOVED | FRUGAL_WATCH_MOVED : FRUGAL_WATCH_ONCE);
}

#endif
