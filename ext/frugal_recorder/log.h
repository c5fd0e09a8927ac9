/*
 * The layout of a log:
 *
 *   header | chunk | chunk | ...
 *
 * A chunk of events belongs to one thread; a chunk of definitions to the process. The size of a chunk is in its header.
 * `used` grows only after the bytes before it are complete. The reader is lib/frugal/profile/log.rb.
 */
#ifndef FRUGAL_RECORDER_LOG_H
#define FRUGAL_RECORDER_LOG_H

#include "recorder.h"
#include <stdatomic.h>

#define HEADER_SIZE 16384
#define FIRST_CHUNK 16384
#define CHUNK_EVENTS 1
#define CHUNK_DEFINITIONS 2

struct header {
    char magic[8];
    uint32_t version, header_size;
    uint32_t pid, ppid;
    uint64_t started;
    uint64_t capacity;
    _Atomic uint64_t next; /* the end of the last chunk */
    _Atomic uint64_t dropped;
    uint32_t calls, event_size;
    uint32_t argv_size, names_size;
    char ruby[64];
    _Atomic uint64_t counts[128];
    char names[2048];
    char argv[HEADER_SIZE - 8 - 6 * 4 - 4 * 8 - 2 * 4 - 64 - 128 * 8 - 2048];
};
_Static_assert(sizeof(struct header) == HEADER_SIZE, "the reader knows this size");
_Static_assert(CALL_COUNT <= 128, "counts has room for each call");
_Static_assert(sizeof(struct event) == 64, "the reader knows this size");

struct chunk {
    uint32_t kind, size;
    _Atomic uint32_t used; /* bytes after this header */
    uint32_t tid;
    char bytes[];
};

/* Returns the log of this process, or NULL. */
HIDDEN struct header *frugal_log_header(void);
/* Returns a new chunk of `size` bytes, and the size for the next one; NULL without room. The lock is held. */
HIDDEN struct chunk *frugal_log_allocate(uint32_t kind, uint32_t *size);
/* Returns memory without a file, or NULL if there is not enough. */
HIDDEN void *frugal_log_memory(size_t size);

/* log_definitions.c */
HIDDEN uint32_t frugal_log_definition_count(void);

#endif
