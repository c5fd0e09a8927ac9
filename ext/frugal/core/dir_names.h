/* The names in a directory, in the kernel's order. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_DIR_NAMES_H
#define FRUGAL_DIR_NAMES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Names lie one after the other, each ended by a NUL: `used` bytes in all.
 * Where the host can only be asked whether it wants the read to end, it sets
 * `interrupted` after init; it is asked between the kernel's batches.
 */
typedef struct {
    int fd;
    int error;
    char *names;
    size_t used;
    size_t room;
    void *stream; /* where the system has no getdents64 */
    atomic_bool cancelled;
    bool (*interrupted)(void *host);
    void *host;
} frugal_dir_names;

void frugal_dir_names_init(frugal_dir_names *dir);

/* By one open(2); false with `error` set where that failed. */
bool frugal_dir_names_open(frugal_dir_names *dir, const char *path);

/*
 * Reads on. Returns true at the end, with the directory closed. False with
 * `error` set is a failure; false with error 0 is a cancelled call.
 */
bool frugal_dir_names_read(frugal_dir_names *dir);

/* Makes a read return soon, also one that has not begun. From any thread. */
void frugal_dir_names_cancel(frugal_dir_names *dir);

/* After a cancelled read: the next one goes on from there. */
void frugal_dir_names_resume(frugal_dir_names *dir);

/* Closes and frees what is still open and allocated. */
void frugal_dir_names_free(frugal_dir_names *dir);

#endif
