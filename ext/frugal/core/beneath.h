/*
 * Regular files beneath a directory. Unless all links are followed, none outside
 * it is opened, whatever links lie there or come there meanwhile. Plain C: knows
 * nothing of Ruby.
 */
#ifndef FRUGAL_BENEATH_H
#define FRUGAL_BENEATH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Which links are followed: none; those that stay beneath the root; all, wherever they lead. */
typedef enum { FRUGAL_LINKS_NONE, FRUGAL_LINKS_INSIDE, FRUGAL_LINKS_ALL } frugal_beneath_links;

/* May be used by several threads at a time, and after a fork. */
typedef struct {
    char *path;       /* of the root */
    frugal_beneath_links follow;
    int64_t good_for; /* ms for which the root is taken to be where it was */
    atomic_int fd;    /* of the root; -1 until it could be opened */
    atomic_bool gone; /* the root was not there when it was last looked for */
    _Atomic int64_t looked;
    _Atomic uint64_t device, inode;
} frugal_beneath;

/* False: out of memory. Opens nothing yet: the root may come later. */
bool frugal_beneath_prepare(frugal_beneath *beneath, const char *path, frugal_beneath_links follow, int64_t good_for);

void frugal_beneath_free(frugal_beneath *beneath);

/*
 * Opens what `path` names, a regular file, for reading: names and slashes, no
 * "." nor "..". The descriptor is close-on-exec; -1 with errno set is a failure.
 * Never waits for a fifo. One system call where nothing is there.
 */
int frugal_beneath_open(frugal_beneath *beneath, const char *path, struct stat *st);

/*
 * The same name by name, from an open directory on, by openat(2) alone; `flags`
 * are those of the last name, and `follow` is for links that stay beneath the
 * directory. For systems without openat2(2).
 */
int frugal_beneath_steps(int root, const char *path, bool follow, int flags);

#endif
