#ifndef KIT_ARENA_H
#define KIT_ARENA_H

#include <stddef.h>

/* Memory that is allocated piece by piece and freed all at once. */
struct kit_arena {
    struct kit_arena_block *blocks;
};

/* Returns a piece that is aligned for any type; NULL if there is no memory. */
void *kit_arena_take(struct kit_arena *arena, size_t bytes);

/* Returns a copy of the bytes, with a NUL after them. */
char *kit_arena_copy(struct kit_arena *arena, const char *bytes, size_t length);

void kit_arena_free(struct kit_arena *arena);

#endif
