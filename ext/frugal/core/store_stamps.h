/*
 * Whether bytes that were read from a file are still what it holds, told by one
 * stat. Plain C: knows nothing of Ruby.
 *
 * A file's times are as fine as the clock's tick: what is written within one
 * tick of the last write may leave them as they were. So times are believed
 * when they were old already as the bytes were read; or at once where the
 * kernel gives the first change after a look at a file a time of its own.
 */
#ifndef FRUGAL_STORE_STAMPS_H
#define FRUGAL_STORE_STAMPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

typedef enum {
    FRUGAL_STAMPS_UNKNOWN, /* of another machine, or too coarse: never believed */
    FRUGAL_STAMPS_TICKS,   /* believed once they are older than two ticks */
    FRUGAL_STAMPS_EXACT    /* multigrain (Linux 6.13 and later): believed at once */
} frugal_stamps;

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

/* What the file system of an open file makes of times. One call, fstatfs. */
frugal_stamps frugal_stamps_of(int fd);

frugal_identity frugal_identity_of(const struct stat *st);

bool frugal_identity_same(const frugal_identity *one, const frugal_identity *other);

bool frugal_identity_same_file(const frugal_identity *one, const frugal_identity *other);

/* Whether a later stat that answers this identity proves that nothing was written since now. No call. */
bool frugal_stamps_trust(frugal_stamps stamps, const frugal_identity *identity);

#endif
