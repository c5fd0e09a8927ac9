/*
 * One open directory while a tree is removed or copied, and the list of its entries with their types. Does not depend
 * on Ruby.
 */
#ifndef FRUGAL_DIR_LEVEL_H
#define FRUGAL_DIR_LEVEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int fd; /* -1: closed */
    bool listed;
    const char *name; /* its name, stored in the level above */
    char *entries;    /* for each entry one byte DT_... and its name with a NUL; without "." and ".." */
    size_t used;
    size_t room;
    size_t at;    /* offset of the next entry */
    void *stream; /* a DIR, on systems without getdents64 */
} frugal_dir_level;

typedef struct {
    unsigned char type; /* DT_...; for a link DT_LNK; DT_UNKNOWN if the file system does not report it */
    const char *name;
} frugal_dir_entry;

/*
 * Stops a long run. Any thread may set `cancelled`. A host that may want to stop a run sets `interrupted`, which is
 * called from time to time.
 */
typedef struct {
    atomic_bool cancelled;
    bool (*interrupted)(void *host);
    void *host;
    unsigned steps;
} frugal_dir_stop;

void frugal_fileutils_stop_init(frugal_dir_stop *stop);
bool frugal_fileutils_stopped(frugal_dir_stop *stop);

/* Initializes a level with an open directory. The level must be closed; its memory is used again. */
void frugal_fileutils_level_begin(frugal_dir_level *level, int fd, const char *name);

/*
 * Lists all entries in the kernel's order, before any of them is removed or copied. Returns 0, an errno, or -1 if it
 * was stopped; then call it again to continue.
 */
int frugal_fileutils_level_list(frugal_dir_level *level, frugal_dir_stop *stop);

/* Returns the next entry in `entry`; false at the end. */
bool frugal_fileutils_level_next(frugal_dir_level *level, frugal_dir_entry *entry);

void frugal_fileutils_level_close(frugal_dir_level *level);

/* Closes the level and frees its memory. */
void frugal_fileutils_level_free(frugal_dir_level *level);

#endif
