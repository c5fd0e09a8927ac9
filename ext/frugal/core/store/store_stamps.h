/*
 * Decides by one stat whether bytes that were read from a file are still valid. Does not depend on Ruby.
 *
 * The times of a file are as coarse as the clock's tick: a second write within the same tick may leave them unchanged.
 * So equal times prove that nothing was written
 * - always, if a change after a stat gets a new time (EXACT);
 * - if they were two ticks old when the bytes were read, and this kernel's clock
 *   set them (TICKS);
 * - if they were first seen 100 ms before the bytes were read, and another clock,
 *   which may be behind, may have set them (LAYERED);
 * - never, if the file system is unknown.
 */
#ifndef FRUGAL_STORE_STAMPS_H
#define FRUGAL_STORE_STAMPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "core/system/system.h"

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

/* The last known identity of a file, and when it was first seen. Initialize with zeros. */
typedef struct {
    frugal_identity identity;
    int64_t first_seen; /* ns, of the monotonic clock */
} frugal_sighting;

frugal_identity frugal_store_identity_of(const struct stat *st);

bool frugal_store_identity_same(const frugal_identity *one, const frugal_identity *other);

bool frugal_store_identity_same_file(const frugal_identity *one, const frugal_identity *other);

/*
 * Reports whether a later stat with this identity will prove that nothing was written after this call. No system call.
 */
bool frugal_store_identity_proves(frugal_sighting *sighting, frugal_times times, const frugal_identity *identity);

#endif
