/*
 * Definitions: the names of a log, each of which is written once. A table in memory finds existing definitions. The
 * lock is held in all of these functions.
 */
#define _GNU_SOURCE
#include "hash.h"
#include "log.h"
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

/* An entry of the table of definitions. `bytes` points into the file. */
struct entry {
    uint64_t hash;
    const char *bytes;
    uint32_t id, size;
};

static struct chunk *definitions;
static uint32_t definition_count, chunk_size = FIRST_CHUNK;
static struct entry *table;
static size_t table_size;

uint32_t
frugal_log_definition_count(void)
{
    return definition_count;
}

/* Discards all definitions, for a new log. */
void
frugal_definitions_reset(void)
{
    definitions = NULL;
    definition_count = 0;
    chunk_size = FIRST_CHUNK;
    if (table) munmap(table, table_size * sizeof(*table));
    table = NULL;
    table_size = 0;
}

static bool
grow_table(void)
{
    size_t size = table_size ? table_size * 2 : 4096;
    struct entry *bigger = frugal_log_memory(size * sizeof(*bigger));

    if (!bigger) return false;
    for (size_t i = 0; i < table_size; i++) {
        if (!table[i].id) continue;
        size_t at = table[i].hash & (size - 1);
        while (bigger[at].id) at = (at + 1) & (size - 1);
        bigger[at] = table[i];
    }
    struct entry *before = table;
    size_t size_before = table_size;
    table = bigger;
    table_size = size;
    if (before) munmap(before, size_before * sizeof(*before));
    return true;
}

/* Returns the bytes after the new definition's header, or NULL. */
static char *
add_definition(enum definition kind, size_t size)
{
    size_t whole = 8 + ((size + 3) & ~(size_t)3);

    if (!definitions || atomic_load_explicit(&definitions->used, memory_order_relaxed) + whole + sizeof(*definitions) >
                            definitions->size) {
        if (whole + sizeof(struct chunk) > chunk_size) return NULL;
        struct chunk *chunk = frugal_log_allocate(CHUNK_DEFINITIONS, &chunk_size);
        if (!chunk) return NULL;
        definitions = chunk;
    }
    char *at = definitions->bytes + definitions->used;
    uint32_t head[2] = { kind, (uint32_t)size };
    memcpy(at, head, sizeof head);
    return at + 8;
}

static void
publish_definition(size_t size)
{
    atomic_store_explicit(&definitions->used, definitions->used + 8 + ((size + 3) & ~(size_t)3), memory_order_release);
    definition_count++;
}

/* Called when a signal handler jumped out of a change. The order of the writes keeps the log valid, but the last
 * definition may be written and not yet counted. So this function counts all definitions again. */
void
frugal_log_jumped(void)
{
    const struct header *header = frugal_log_header();
    uint32_t count = 0;

    if (!header) return;
    for (uint64_t at = HEADER_SIZE; at < header->next;) {
        const struct chunk *chunk = (const struct chunk *)((const char *)header + at);
        uint32_t used = chunk->kind == CHUNK_DEFINITIONS ? chunk->used : 0, size;
        for (uint32_t place = 0; place < used; place += 8 + ((size + 3) & ~3u), count++)
            memcpy(&size, chunk->bytes + place + 4, sizeof size);
        at += chunk->size;
    }
    definition_count = count;
}

/* Returns the definition with this head and these bytes, and creates it if it is new; NULL without room. */
static const struct entry *
define(enum definition kind, const void *head, size_t head_size, const void *bytes, size_t size)
{
    if (!frugal_log_header()) return NULL;
    if ((definition_count + 1) * 2 > table_size && !grow_table()) return NULL;

    uint64_t hash = frugal_hash(bytes, size, head_size ? frugal_hash(head, head_size, kind) : kind);
    size_t at = hash & (table_size - 1), whole = head_size + size;
    for (; table[at].id; at = (at + 1) & (table_size - 1)) {
        const struct entry *entry = &table[at];
        if (entry->hash == hash && entry->size == whole && ((const uint32_t *)(entry->bytes - 8))[0] == kind &&
            memcmp(entry->bytes, head, head_size) == 0 && memcmp(entry->bytes + head_size, bytes, size) == 0)
            return entry;
    }
    char *place = add_definition(kind, whole);
    if (!place) return NULL;
    if (head_size) memcpy(place, head, head_size);
    memcpy(place + head_size, bytes, size);
    publish_definition(whole);
    table[at] = (struct entry){ .hash = hash, .bytes = place, .size = (uint32_t)whole };
    atomic_signal_fence(memory_order_seq_cst);
    table[at].id = definition_count;
    return &table[at];
}

uint32_t
frugal_log_define(enum definition kind, const void *head, size_t head_size, const void *bytes, size_t size)
{
    const struct entry *entry = define(kind, head, head_size, bytes, size);

    return entry ? entry->id : 0;
}

uint32_t
frugal_log_string(const char *bytes, size_t size)
{
    return frugal_log_define(DEFINITION_STRING, "", 0, bytes, size);
}

/* Returns the string's definition. Sets `kept` to its bytes in the log, which do not move. */
uint32_t
frugal_log_kept_string(const char *bytes, size_t size, const char **kept)
{
    const struct entry *entry = define(DEFINITION_STRING, "", 0, bytes, size);

    *kept = entry ? entry->bytes : NULL;
    return entry ? entry->id : 0;
}
