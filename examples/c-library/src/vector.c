#include "kit/vector.h"

#include <stdlib.h>

bool kit_vector_push(struct kit_vector *vector, void *item)
{
    if (vector->length == vector->capacity) {
        size_t capacity = vector->capacity ? vector->capacity * 2 : 8;
        void **items = realloc(vector->items, capacity * sizeof *items);

        if (!items)
            return false;
        vector->items = items;
        vector->capacity = capacity;
    }
    vector->items[vector->length++] = item;
    return true;
}

void *kit_vector_pop(struct kit_vector *vector)
{
    return vector->length ? vector->items[--vector->length] : NULL;
}

void kit_vector_sort(struct kit_vector *vector, int (*order)(const void *, const void *))
{
    if (vector->length)
        qsort(vector->items, vector->length, sizeof *vector->items, order);
}

void kit_vector_free(struct kit_vector *vector)
{
    free(vector->items);
    *vector = (struct kit_vector){ 0 };
}
