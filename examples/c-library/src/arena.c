#include "kit/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 4096 };

struct kit_arena_block {
    struct kit_arena_block *next;
    size_t used;
    size_t size;
    max_align_t memory[];
};

static struct kit_arena_block *add_block(struct kit_arena *arena, size_t bytes)
{
    size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    struct kit_arena_block *block = malloc(sizeof *block + size);

    if (!block)
        return NULL;
    *block = (struct kit_arena_block){ arena->blocks, 0, size };
    return arena->blocks = block;
}

void *kit_arena_take(struct kit_arena *arena, size_t bytes)
{
    struct kit_arena_block *block = arena->blocks;
    void *piece;

    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (!block || block->size - block->used < bytes)
        block = add_block(arena, bytes);
    if (!block)
        return NULL;
    piece = (char *)block->memory + block->used;
    block->used += bytes;
    return piece;
}

char *kit_arena_copy(struct kit_arena *arena, const char *bytes, size_t length)
{
    char *copy = kit_arena_take(arena, length + 1);

    if (!copy)
        return NULL;
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

void kit_arena_free(struct kit_arena *arena)
{
    while (arena->blocks) {
        struct kit_arena_block *next = arena->blocks->next;

        free(arena->blocks);
        arena->blocks = next;
    }
}
