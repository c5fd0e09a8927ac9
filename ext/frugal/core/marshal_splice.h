/* One root of a store's bytes, replaced or appended where no other is touched by it. Plain C. */
#ifndef FRUGAL_MARSHAL_SPLICE_H
#define FRUGAL_MARSHAL_SPLICE_H

#include "marshal_index.h"

typedef struct {
    bool fits;             /* if not, nothing was done: other roots link to what would go, or to what it would renumber */
    bool changed;          /* if not, it was there already */
    bool moves;            /* the bytes behind it */
    uint32_t from, length; /* where it is now */
} frugal_marshal_splice;

/* A root's value becomes an element of `values`. False: no memory, and the index is of no more use. */
bool frugal_marshal_replace(frugal_marshal_index *index, uint32_t which, frugal_marshal_index *values, uint32_t element, frugal_marshal_splice *told);

/* An element becomes the key and the next the value of a new root, the last one. Does not fit: maybe a key that is there already. */
bool frugal_marshal_append(frugal_marshal_index *index, frugal_marshal_index *values, uint32_t element, bool *fits);

#endif
