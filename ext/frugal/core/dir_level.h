/* One directory of a tree on the way: open, its entries listed with their types. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_DIR_LEVEL_H
#define FRUGAL_DIR_LEVEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int fd;           /* -1: closed */
    bool listed;
    const char *name; /* in the level above */
    char *entries;    /* each a byte of DT_..., and a name that ends in a NUL; "." and ".." left out */
    size_t used;
    size_t room;
    size_t at;        /* where the next entry begins */
    void *stream;     /* where the system has no getdents64 */
} frugal_dir_level;

typedef struct {
    unsigned char type; /* DT_..., of a link itself; DT_UNKNOWN where the file system does not tell */
    const char *name;
} frugal_dir_entry;

/*
 * What asks a long run to end, from any thread. Where the host can only be asked
 * whether it wants that, it sets `interrupted`; it is asked now and then.
 */
typedef struct {
    atomic_bool cancelled;
    bool (*interrupted)(void *host);
    void *host;
    unsigned steps;
} frugal_dir_stop;

void frugal_dir_stop_init(frugal_dir_stop *stop);
bool frugal_dir_stopped(frugal_dir_stop *stop);

/* Makes a level of an open directory; what it was before must be closed. Memory is kept from use to use. */
void frugal_dir_level_begin(frugal_dir_level *level, int fd, const char *name);

/*
 * Lists all entries, in the kernel's order, before any of them is touched.
 * Returns 0, an errno, or -1 where it was stopped: then call it again.
 */
int frugal_dir_level_list(frugal_dir_level *level, frugal_dir_stop *stop);

/* Takes the next entry; false at the end. */
bool frugal_dir_level_next(frugal_dir_level *level, frugal_dir_entry *entry);

void frugal_dir_level_close(frugal_dir_level *level);

/* Also what it has allocated. */
void frugal_dir_level_free(frugal_dir_level *level);

#endif
