#ifndef KIT_ARENA_H
#define KIT_ARENA_H

#include <stddef.h>

/* Memory that is handed out piece by piece and given back all at once. */
struct kit_arena {
    struct kit_arena_block *blocks;
};

/* NULL when there is no memory. The piece is aligned for any type. */
void *kit_arena_take(struct kit_arena *arena, size_t bytes);

/* A copy of the bytes, with a NUL after them. */
char *kit_arena_copy(struct kit_arena *arena, const char *bytes, size_t length);

void kit_arena_free(struct kit_arena *arena);

#endif
