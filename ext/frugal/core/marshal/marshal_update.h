/* Applies a transaction to a store's bytes, and changes as few of them as it can. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_MARSHAL_UPDATE_H
#define FRUGAL_MARSHAL_UPDATE_H

#include "core/marshal/marshal_index.h"

/* What a transaction did, and the new values. */
typedef struct {
    const uint32_t *changed; /* the roots whose values the first elements of `values` replace */
    uint32_t changed_count;
    const uint32_t *removed; /* ascending */
    uint32_t removed_count;
    uint32_t added_count; /* new roots: the other elements of `values`, a key and a value for each */
    frugal_marshal_index *values;
} frugal_marshal_update;

/* A span of the store's bytes that differs from before. The bytes behind the last patch have not moved. */
typedef struct {
    uint32_t from, length;
} frugal_marshal_patch;

enum frugal_marshal_outcome {
    FRUGAL_MARSHAL_DONE,
    FRUGAL_MARSHAL_REFUSED,  /* roots share objects: only Marshal.dump of the table is right. The index is invalid */
    FRUGAL_MARSHAL_EXHAUSTED /* no memory. The index is invalid */
};

/*
 * Makes `index` that of the new bytes, which it owns, and lists the changed
 * spans: `patches` ascends, and must have room for changed_count + 2.
 */
enum frugal_marshal_outcome frugal_marshal_index_update(frugal_marshal_index *index,
                                                        const frugal_marshal_update *update,
                                                        frugal_marshal_patch *patches, uint32_t *patch_count);

#endif
