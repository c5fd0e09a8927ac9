/*
 * The bytecode of a Ruby file, kept in a file of a cache together with what proves that it is still that of the source:
 * the witness. lib/frugal/autorun/boot.rb has the reasons. Does not depend on Ruby.
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

/* What was seen of a source. Its place is the path without symbolic links. */
typedef struct {
    frugal_identity identity;
    frugal_times times; /* what those of its file system prove; only if asked for */
    bool settled;       /* whatever is written from now on changes the identity; only if asked for */
    char place[PATH_MAX];
} frugal_boot_source;

typedef struct {
    unsigned char *bytes; /* the whole file, from malloc */
    const unsigned char *code;
    size_t size; /* of the code */
} frugal_boot_entry;

/* Looks at a source that can be read. Returns false where nothing is known of it. *Cost*: four system calls. */
bool frugal_boot_look(const char *path, bool settles, frugal_boot_source *source);

/*
 * Reads a file of the cache. Returns false, with nothing to free, unless it is whole, has this witness, and only its
 * owner, who is the user, can write to it. *Cost*: four system calls.
 */
bool frugal_boot_read(const char *path, const void *witness, size_t size, frugal_boot_entry *entry);

/*
 * Notes a file's name in a cache. Returns whether it was noted before; false, too, where the cache cannot be written.
 * *Cost*: a system call, and those that make folders: at most the four last ones.
 */
bool frugal_boot_note(const char *path);

/*
 * Writes a file of the cache by rename(2), and the folder that it is in, if that is missing. Returns 0 or an errno.
 * What is left of the file after an error is removed.
 */
int frugal_boot_write(const char *path, const void *witness, size_t witness_size, const void *code, size_t code_size);

/*
 * Removes what nobody has read for so many seconds from a cache with 256 folders. Without the times of reading (noatime)
 * that is what is as old.
 */
void frugal_boot_sweep(const char *folder, int64_t seconds);

#endif
