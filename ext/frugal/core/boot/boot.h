/*
 * Keeps the bytecode of a Ruby file in a file of a cache, together with the *witness*, which proves that the source has
 * not changed since. lib/frugal/autorun/boot.rb has the reasons. Does not depend on Ruby.
 *
 *   0  8  magic and version, "frugalB1"
 *   8  4  CRC-32 of all that follows
 *  12  4  bytes of the witness
 *  16  4  bytes of the bytecode
 *  20     the witness, then the bytecode
 *
 * Numbers are in the order of the machine, on which bytecode depends, too.
 */
#ifndef FRUGAL_BOOT_H
#define FRUGAL_BOOT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/store/store.h"

/* The state of a source file. Its `place` is the path without symbolic links. */
typedef struct {
    frugal_identity identity;
    frugal_times times; /* what timestamps prove on its file system; only with `settles` */
    bool settled;       /* every later change of the file will change its identity; only with `settles` */
    char place[PATH_MAX];
} frugal_boot_source;

typedef struct {
    unsigned char *bytes; /* the whole file, from malloc */
    const unsigned char *code;
    size_t size; /* of the code */
} frugal_boot_entry;

/*
 * Finds out the state of a source. Returns false if the file cannot be read or has no known place. *Cost*: four system
 * calls.
 */
bool frugal_boot_look(const char *path, bool settles, frugal_boot_source *source);

/*
 * Reads a file of the cache. Returns false, with nothing to free, unless the file is complete, has this witness,
 * belongs to the user, and cannot be written by others. *Cost*: five system calls.
 */
bool frugal_boot_read(const char *path, const void *witness, size_t size, frugal_boot_entry *entry);

/*
 * Notes a name by creating an empty file in a cache. Returns whether the file existed; also false if the cache cannot
 * be written. *Cost*: one system call, and those that make folders, at most the last four of the path.
 */
bool frugal_boot_note(const char *path);

/*
 * Writes a file of the cache by rename(2), and makes its missing folders. Returns 0 or an errno. After an error, the
 * incomplete file is removed.
 */
int frugal_boot_write(const char *path, const void *witness, size_t witness_size, const void *code, size_t code_size);

/*
 * Removes the files that were not read for `seconds` from a cache with 256 folders. If the file system does not record
 * reads (noatime), removes the files that were written before that.
 */
void frugal_boot_sweep(const char *folder, int64_t seconds);

#endif
