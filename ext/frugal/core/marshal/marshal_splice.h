/* Replaces or appends one root in a store's bytes, if that affects no other root. Does not depend on Ruby. */
#ifndef FRUGAL_MARSHAL_SPLICE_H
#define FRUGAL_MARSHAL_SPLICE_H

#include "core/marshal/marshal_index.h"

typedef struct {
    bool fits;             /* false: nothing was done, since links of other roots would break */
    bool changed;          /* false: the new value is the old one */
    bool moves;            /* the bytes after the value have moved */
    uint32_t from, length; /* where the value is now */
} frugal_marshal_splice;

/* Replaces a root's value by an element of `values`. Returns false if out of memory; then the index is invalid. */
bool frugal_marshal_replace(frugal_marshal_index *index, uint32_t which, frugal_marshal_index *values, uint32_t element,
                            frugal_marshal_splice *result);

/*
 * Appends a root: an element of `values` is its key, and the next one its value. `fits` becomes false if the key cannot
 * be looked up, if another root has it, or if the number of roots needs another byte. Returns false if out of memory;
 * then the index is invalid.
 */
bool frugal_marshal_append(frugal_marshal_index *index, frugal_marshal_index *values, uint32_t element, bool *fits);

#endif
