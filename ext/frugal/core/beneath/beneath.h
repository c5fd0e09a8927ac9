/*
 * Opens regular files beneath a directory. Unless FRUGAL_LINKS_ALL is used, it never opens a file outside that
 * directory, whatever links exist or are created meanwhile. Does not depend on Ruby.
 */
#ifndef FRUGAL_BENEATH_H
#define FRUGAL_BENEATH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "core/beneath/url_path.h"

/* Which links are followed: none; those that stay beneath the root; all. */
typedef enum { FRUGAL_LINKS_NONE, FRUGAL_LINKS_INSIDE, FRUGAL_LINKS_ALL } frugal_beneath_links;

/* Several threads may use it at the same time, also after a fork. */
typedef struct {
    char *path; /* of the root */
    frugal_beneath_links follow;
    int64_t valid_ms;    /* how long the root is used before its path is checked again */
    atomic_int fd;       /* of the root; -1 until the root is opened */
    atomic_bool missing; /* the root did not exist when it was checked last */
    _Atomic int64_t checked_at;
    _Atomic uint64_t device, inode;
} frugal_beneath;

/* Does not open the root, which may be created later. Returns false if out of memory. */
bool frugal_beneath_prepare(frugal_beneath *beneath, const char *path, frugal_beneath_links follow, int64_t valid_ms);

void frugal_beneath_free(frugal_beneath *beneath);

/*
 * Opens a regular file for reading. `path` consists of names and slashes, without "." and "..". Returns a descriptor
 * with close-on-exec, or -1 with errno set. Never waits for a FIFO. Takes one system call if nothing exists there.
 */
int frugal_beneath_open(frugal_beneath *beneath, const char *path, struct stat *st);

/*
 * Opens a path beneath an open directory by openat(2), name by name, for systems without openat2(2). `flags` are used
 * for the last name. `follow`: links that stay beneath the directory are followed.
 */
int frugal_beneath_open_stepwise(int root, const char *path, bool follow, int flags);

#endif
