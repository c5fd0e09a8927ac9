#include "kit/map.h"

#include <stdlib.h>

#include "kit/hash.h"

/* Returns the entry of the key, or the free entry for it. */
static struct kit_map_entry *find(const struct kit_map *map, struct kit_slice key)
{
    size_t mask = map->capacity - 1;
    size_t position = kit_hash(key.start, key.length) & mask;

    while (map->entries[position].key.start && !kit_slice_equal(map->entries[position].key, key))
        position = (position + 1) & mask;
    return &map->entries[position];
}

static bool grow(struct kit_map *map)
{
    struct kit_map bigger = *map;

    bigger.capacity = map->capacity ? map->capacity * 2 : 16;
    bigger.entries = calloc(bigger.capacity, sizeof *bigger.entries);
    if (!bigger.entries)
        return false;
    for (size_t i = 0; i < map->capacity; i++)
        if (map->entries[i].key.start)
            *find(&bigger, map->entries[i].key) = map->entries[i];
    free(map->entries);
    *map = bigger;
    return true;
}

bool kit_map_set(struct kit_map *map, struct kit_slice key, void *value)
{
    struct kit_map_entry *entry;

    if (map->length * 4 >= map->capacity * 3 && !grow(map))
        return false;
    entry = find(map, key);
    if (!entry->key.start) {
        char *copy = kit_arena_copy(&map->keys, key.start, key.length);

        if (!copy)
            return false;
        entry->key = (struct kit_slice){ copy, key.length };
        map->length++;
    }
    entry->value = value;
    return true;
}

void *kit_map_get(const struct kit_map *map, struct kit_slice key)
{
    return map->length ? find(map, key)->value : NULL;
}

const struct kit_map_entry *kit_map_next(const struct kit_map *map, size_t *position)
{
    while (*position < map->capacity) {
        const struct kit_map_entry *entry = &map->entries[(*position)++];

        if (entry->key.start)
            return entry;
    }
    return NULL;
}

void kit_map_free(struct kit_map *map)
{
    free(map->entries);
    kit_arena_free(&map->keys);
    *map = (struct kit_map){ 0 };
}
