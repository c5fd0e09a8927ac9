#ifndef KIT_MAP_H
#define KIT_MAP_H

#include "arena.h"
#include "slice.h"

/* A map of strings to pointers: open addressing, linear probing, never shrinks.
   { 0 } is an empty map. The keys are copied. */
struct kit_map {
    struct kit_map_entry *entries;
    size_t length;
    size_t capacity;
    struct kit_arena keys;
};

struct kit_map_entry {
    struct kit_slice key; /* start is NULL if the entry is free */
    void *value;
};

/* Sets or replaces the value of a key. Returns false if there is no memory. */
bool kit_map_set(struct kit_map *map, struct kit_slice key, void *value);

void *kit_map_get(const struct kit_map *map, struct kit_slice key); /* NULL if missing */

/* Returns the next entry, NULL after the last one. Start with *position at 0. */
const struct kit_map_entry *kit_map_next(const struct kit_map *map, size_t *position);

void kit_map_free(struct kit_map *map);

#endif
