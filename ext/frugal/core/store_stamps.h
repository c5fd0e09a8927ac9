/*
 * Whether bytes that were read from a file are still what it holds, told by one
 * stat. Plain C: knows nothing of Ruby.
 *
 * A file's times are as fine as the clock's tick: what is written within one
 * tick of the last write may leave them as they were. So times are trusted
 * - at once where a change after a stat gets a time of its own (EXACT);
 * - if they were two ticks old as the bytes were read, where they are from the
 *   clock of this kernel (TICKS);
 * - if they had been seen 100 ms before the bytes were read, where that clock may
 *   be another one, and behind (LAYERED);
 * - never, where nothing proves one of these.
 */
#ifndef FRUGAL_STORE_STAMPS_H
#define FRUGAL_STORE_STAMPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "file_system.h"

typedef struct {
    uint64_t device;
    uint64_t inode;
    int64_t size;
    int64_t mtime; /* ns */
    int64_t ctime; /* ns */
    uint32_t mode;
    uint32_t owner;
    uint32_t group;
} frugal_identity;

/* Which identity a file was seen with, and since when; all zero at first. */
typedef struct {
    frugal_identity identity;
    int64_t seen; /* ns, of the clock that nobody sets */
} frugal_sight;

frugal_identity frugal_identity_of(const struct stat *st);

bool frugal_identity_same(const frugal_identity *one, const frugal_identity *other);

bool frugal_identity_same_file(const frugal_identity *one, const frugal_identity *other);

/* Whether a later stat that answers this identity proves that nothing was written since now. No call. */
bool frugal_sight_trust(frugal_sight *sight, frugal_times times, const frugal_identity *identity);

#endif
