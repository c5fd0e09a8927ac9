/*
 * An excerpt is a separate log in memory. It contains the calling thread's events from begin to end, and the
 * definitions that these events need. The measurement does not change the log of the process.
 *
 * A definition refers only to earlier definitions. So one backward pass marks the needed definitions, and one forward
 * pass copies them with their new numbers. One thread measures at a time (lib/frugal/cost.rb).
 */
#define _GNU_SOURCE
#include "log.h"
#include <string.h>
#include <sys/mman.h>

#define NEEDED 1

static uint64_t counts[CALL_COUNT]; /* these include events for which there was no room */
static uint64_t first_offset;       /* of the chunk that the thread wrote to at begin */
static uint32_t first_used;

struct place {
    const uint32_t *words; /* of a definition: kind, size, contents */
    uint32_t number;       /* 0: not needed; after copying, its number in the excerpt */
};

struct excerpt {
    struct place *definitions; /* by their number, from 1 */
    uint32_t count;
    size_t definition_bytes, event_bytes;
};

/* A process that measures itself sees its waits only if it is also profiled, so an excerpt has none. */
static bool
is_in_excerpts(unsigned call)
{
    return call != CALL_wait;
}

void
frugal_excerpt_count(unsigned call)
{
    if (is_in_excerpts(call)) counts[call]++;
}

void
frugal_excerpt_begin(void)
{
    const struct header *header = frugal_log_header();
    const struct thread *thread = &frugal_thread;
    bool known = thread->chunk && thread->log_generation == frugal_log_generation();

    memset(counts, 0, sizeof counts);
    first_offset = known ? (uint64_t)((const char *)thread->chunk - (const char *)header) : header->next;
    first_used = known ? thread->chunk->used : 0;
}

/* Visits the events of the thread, without those of children that shared its memory. */
static void
each_event(void (*visit)(struct excerpt *, const struct event *, void *), struct excerpt *excerpt, void *data)
{
    const char *log = (const char *)frugal_log_header();
    const struct chunk *chunk;

    for (uint64_t at = first_offset; at < frugal_log_header()->next; at += chunk->size) {
        chunk = (const struct chunk *)(log + at);
        if (chunk->kind != CHUNK_EVENTS || chunk->tid != frugal_thread.tid) continue;
        uint32_t from = at == first_offset ? first_used : 0;
        for (; from < chunk->used; from += sizeof(struct event)) {
            const struct event *event = (const struct event *)(const void *)(chunk->bytes + from);

            if (!event->pid && is_in_excerpts(event->call)) visit(excerpt, event, data);
        }
    }
}

static void
find_definitions(struct excerpt *excerpt)
{
    const char *log = (const char *)frugal_log_header();
    const struct chunk *chunk;
    uint32_t number = 0;

    for (uint64_t at = HEADER_SIZE; at < frugal_log_header()->next; at += chunk->size) {
        chunk = (const struct chunk *)(log + at);
        if (chunk->kind != CHUNK_DEFINITIONS) continue;
        for (uint32_t from = 0; from < chunk->used && number < excerpt->count;) {
            const uint32_t *words = (const uint32_t *)(const void *)(chunk->bytes + from);
            excerpt->definitions[++number].words = words;
            from += 8 + ((words[1] + 3) & ~3u);
        }
    }
}

/* Returns a bit for each word of the definition that is the number of another definition; all bits: all words. */
static uint32_t
references(uint32_t kind)
{
    switch (kind) {
    case DEFINITION_PATH: return 1;
    case DEFINITION_FRAME: return 1 | 4;
    case DEFINITION_STACK: return UINT32_MAX;
    case DEFINITION_LABEL: return 1 | 2;
    default: return 0;
    }
}

static bool
is_reference(uint32_t which, uint32_t word)
{
    return which == UINT32_MAX || (word < 31 && which >> word & 1);
}

static void
need_of_event(struct excerpt *excerpt, const struct event *event, void *unused)
{
    const uint32_t needed[] = { event->path, event->to, event->stack, event->group };

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) excerpt->definitions[needed[i]].number = NEEDED;
    excerpt->event_bytes += sizeof *event;
}

/* The label of a frame is defined after the frame, so all labels are taken. There are few. */
static void
need_of_definitions(struct excerpt *excerpt)
{
    for (uint32_t number = excerpt->count; number > 0; number--) {
        const uint32_t *words = excerpt->definitions[number].words;
        if (words[0] == DEFINITION_LABEL) excerpt->definitions[number].number = NEEDED;
        if (!excerpt->definitions[number].number) continue;
        uint32_t which = references(words[0]);
        for (uint32_t word = 0; which && word < words[1] / 4; word++)
            if (is_reference(which, word)) excerpt->definitions[words[2 + word]].number = NEEDED;
        excerpt->definition_bytes += 8 + ((words[1] + 3) & ~3u);
    }
    excerpt->definitions[0].number = 0;
}

static struct chunk *
begin_chunk(char *at, uint32_t kind, size_t size)
{
    struct chunk *chunk = (struct chunk *)(void *)at;

    chunk->kind = kind;
    chunk->size = (uint32_t)(sizeof *chunk + size);
    chunk->used = (uint32_t)size;
    chunk->tid = frugal_thread.tid;
    return chunk;
}

static void
copy_definitions(struct excerpt *excerpt, char *to)
{
    uint32_t next = 0;

    for (uint32_t number = 1; number <= excerpt->count; number++) {
        struct place *definition = &excerpt->definitions[number];
        if (!definition->number) continue;
        definition->number = ++next;
        uint32_t *copy = (uint32_t *)(void *)to, which = references(definition->words[0]);
        memcpy(copy, definition->words, 8 + definition->words[1]);
        for (uint32_t word = 0; which && word < copy[1] / 4; word++)
            if (is_reference(which, word)) copy[2 + word] = excerpt->definitions[copy[2 + word]].number;
        to += 8 + ((copy[1] + 3) & ~3u);
    }
}

static void
copy_event(struct excerpt *excerpt, const struct event *event, void *at)
{
    struct event *copy = *(struct event **)at;

    *copy = *event;
    copy->path = excerpt->definitions[event->path].number;
    copy->to = excerpt->definitions[event->to].number;
    copy->stack = excerpt->definitions[event->stack].number;
    copy->group = excerpt->definitions[event->group].number;
    *(struct event **)at = copy + 1;
}

/* Returns the log of the excerpt, or NULL without memory. */
static char *
write_excerpt(struct excerpt *excerpt, size_t *size)
{
    *size = HEADER_SIZE + 2 * sizeof(struct chunk) + excerpt->definition_bytes + excerpt->event_bytes;
    char *log = frugal_log_memory(*size);
    if (!log) return NULL;
    struct header *header = (struct header *)(void *)log;
    memcpy(header, frugal_log_header(), HEADER_SIZE);
    header->next = *size;
    header->dropped = 0;
    for (int call = 0; call < CALL_COUNT; call++) {
        header->counts[call] = counts[call];
        header->dropped += counts[call];
    }
    header->dropped -= excerpt->event_bytes / sizeof(struct event);
    struct chunk *chunk = begin_chunk(log + HEADER_SIZE, CHUNK_DEFINITIONS, excerpt->definition_bytes);
    copy_definitions(excerpt, chunk->bytes);
    chunk = begin_chunk((char *)chunk + chunk->size, CHUNK_EVENTS, excerpt->event_bytes);
    void *at = chunk->bytes;
    each_event(copy_event, excerpt, &at);
    return log;
}

/* Returns the excerpt, which the caller unmaps; NULL without memory. */
char *
frugal_excerpt_end(size_t *size)
{
    struct excerpt excerpt = { 0 };
    char *log = NULL;

    frugal_lock();
    excerpt.count = frugal_log_definition_count();
    size_t bytes = (excerpt.count + 1) * sizeof *excerpt.definitions;
    excerpt.definitions = frugal_log_memory(bytes);
    if (excerpt.definitions) {
        find_definitions(&excerpt);
        each_event(need_of_event, &excerpt, NULL);
        need_of_definitions(&excerpt);
        log = write_excerpt(&excerpt, size);
        munmap(excerpt.definitions, bytes);
    }
    frugal_unlock();
    return log;
}
