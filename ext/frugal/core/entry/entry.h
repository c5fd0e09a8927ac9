/*
 * The bytes of an entry's file: reads them, and finds the newest valid record. lib/frugal/entries/format.rb describes
 * the format.
 */
#ifndef FRUGAL_CORE_ENTRY_H
#define FRUGAL_CORE_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum {
    FRUGAL_ENTRY_HEAD = 16,
    FRUGAL_ENTRY_FLAG_AT = 15, /* 1 if the file is about to be deleted or replaced */
    FRUGAL_ENTRY_ID = 6,
    FRUGAL_ENTRY_RECORD_HEAD = 32,
    FRUGAL_ENTRY_ROOM = 16385
};

/* -- the checksum -- */

/* Must be called once before any other function of this header. */
void frugal_entry_init(void);

/* The same CRC-32 as zlib's. `crc` is the checksum of the preceding bytes, or 0. */
uint32_t frugal_entry_checksum(uint32_t crc, const unsigned char *bytes, size_t size);

/* The same, as processors without polynomial multiplication compute it; for tests. */
uint32_t frugal_entry_checksum_by_tables(uint32_t crc, const unsigned char *bytes, size_t size);

/* -- a record -- */

typedef struct {
    const unsigned char *bytes; /* in the content */
    size_t size;
    uint64_t sequence;
    uint64_t expires_at;
    uint32_t idle;
    uint8_t serializer;
    uint8_t slot;
    bool settled; /* the other slot is empty, or has the previous record: neither slot was being written */
} frugal_entry_record;

/* Whether the content begins with the head of the entry of a key. `id` is the first bytes of the key's SHA-256. */
bool frugal_entry_belongs(const unsigned char *content, size_t size, const unsigned char id[FRUGAL_ENTRY_ID]);

/*
 * Finds the newest valid record in a content whose head is valid. Returns whether there is one. If the file was written
 * twice while it was read without a lock, the record may be an older one: then it is not settled.
 */
bool frugal_entry_decode(const unsigned char *content, size_t size, frugal_entry_record *record);

/* -- a file -- */

/* What a file contains. Only FOUND has a record. */
typedef enum {
    FRUGAL_ENTRY_FOUND,
    FRUGAL_ENTRY_EMPTY,    /* never written */
    FRUGAL_ENTRY_FOREIGN,  /* not an entry of this key */
    FRUGAL_ENTRY_DAMAGED,  /* no valid record */
    FRUGAL_ENTRY_HUGE,     /* larger than `largest`, and therefore not read */
    FRUGAL_ENTRY_SPECIAL,  /* not a regular file */
    FRUGAL_ENTRY_UNLINKED, /* it has been deleted or replaced */
    FRUGAL_ENTRY_CHANGING  /* another process was writing it each time that it was read */
} frugal_entry_state;

typedef struct {
    int fd;                            /* open */
    unsigned char id[FRUGAL_ENTRY_ID]; /* of the key */
    bool examines;                     /* whether to fstat(2) first, to find HUGE, SPECIAL and UNLINKED */
    int reads;                         /* at most; 1 under the lock, when no other process writes */
    size_t largest;                    /* if the file is larger, only its first FRUGAL_ENTRY_ROOM bytes are read */
    struct stat st;                    /* only with `examines` */
    int error;                         /* 0 or an errno; then nothing below is valid */
    frugal_entry_state state;
    frugal_entry_record record; /* in `bytes` */
    unsigned char *bytes;       /* `first`, or allocated by malloc */
    size_t used;
    unsigned char first[FRUGAL_ENTRY_ROOM];
} frugal_entry_image;

/*
 * Reads the whole file and finds its newest valid record: one read(2) for a file that fits into `first`. While another
 * process writes the file, reads it again, until the record is settled or the bytes stay the same.
 */
void frugal_entry_read(frugal_entry_image *image);

/*
 * Reads a file again under the lock, without fstat(2). `size` bytes were read before. Returns false if a complete read
 * is needed: the file has grown, is marked as deleted, or has no valid record.
 */
bool frugal_entry_reread(frugal_entry_image *image, size_t size);

/* Frees the allocated bytes. */
void frugal_entry_free(frugal_entry_image *image);

#endif
