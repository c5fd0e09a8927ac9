/* Reads the names in a directory, in the kernel's order. Does not depend on Ruby. */
#ifndef FRUGAL_DIR_NAMES_H
#define FRUGAL_DIR_NAMES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The names follow each other, each with a NUL at its end: `used` bytes in all. If the host may want to stop a read, it
 * sets `interrupted` after init; that function is called between the kernel's batches.
 */
typedef struct {
    int fd;
    int error;
    char *names;
    size_t used;
    size_t room;
    void *stream; /* a DIR, on systems without getdents64 */
    atomic_bool cancelled;
    bool (*interrupted)(void *host);
    void *host;
} frugal_dir_names;

void frugal_probe_names_init(frugal_dir_names *dir);

/* Opens a directory by one open(2). Returns false, with `error` set, if that fails. */
bool frugal_probe_names_open(frugal_dir_names *dir, const char *path);

/*
 * Reads the remaining names. Returns true at the end, with the directory closed; false with `error` set on an error,
 * or with error 0 if it was cancelled.
 */
bool frugal_probe_names_read(frugal_dir_names *dir);

/* Makes a read return soon, even one that has not begun. Any thread may call it. */
void frugal_probe_names_cancel(frugal_dir_names *dir);

/* Call it after a cancelled read: the next read continues from there. */
void frugal_probe_names_resume(frugal_dir_names *dir);

/* Closes the directory and frees the names. */
void frugal_probe_names_free(frugal_dir_names *dir);

#endif
