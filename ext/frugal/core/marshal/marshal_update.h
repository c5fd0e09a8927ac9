/* Applies a transaction to a store's bytes, and changes as few bytes as possible. Does not depend on Ruby. */
#ifndef FRUGAL_MARSHAL_UPDATE_H
#define FRUGAL_MARSHAL_UPDATE_H

#include "core/marshal/marshal_index.h"

/* The changes of a transaction, and the new values. */
typedef struct {
    const uint32_t *changed; /* the roots whose values the first elements of `values` replace */
    uint32_t changed_count;
    const uint32_t *removed; /* ascending */
    uint32_t removed_count;
    uint32_t added_count; /* new roots: the other elements of `values`, a key and a value for each */
    frugal_marshal_index *values;
} frugal_marshal_update;

/* A span of the store's bytes that differs from before. The bytes after the last patch have not moved. */
typedef struct {
    uint32_t from, length;
} frugal_marshal_patch;

enum frugal_marshal_outcome {
    FRUGAL_MARSHAL_DONE,
    FRUGAL_MARSHAL_REFUSED,  /* roots share objects, so the table needs Marshal.dump. The index is invalid */
    FRUGAL_MARSHAL_EXHAUSTED /* out of memory. The index is invalid */
};

/*
 * Makes `index` the index of the new bytes, which it owns, and lists the changed spans in ascending order. `patches`
 * must have room for changed_count + 2.
 */
enum frugal_marshal_outcome frugal_marshal_index_update(frugal_marshal_index *index,
                                                        const frugal_marshal_update *update,
                                                        frugal_marshal_patch *patches, uint32_t *patch_count);

#endif
