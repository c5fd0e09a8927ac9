#ifndef KIT_VECTOR_H
#define KIT_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

/* An array of pointers that grows. { 0 } is an empty vector. */
struct kit_vector {
    void **items;
    size_t length;
    size_t capacity;
};

bool kit_vector_push(struct kit_vector *vector, void *item);
void *kit_vector_pop(struct kit_vector *vector); /* NULL if empty */
void kit_vector_sort(struct kit_vector *vector, int (*order)(const void *, const void *));
void kit_vector_free(struct kit_vector *vector);

#endif
