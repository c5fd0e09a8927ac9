/* A store's bytes, changed as little as a changed root needs. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_MARSHAL_UPDATE_H
#define FRUGAL_MARSHAL_UPDATE_H

#include "marshal_index.h"

/* What a transaction did, and the values for it. */
typedef struct {
    const uint32_t *changed; /* roots that have another value: the first elements of `values` */
    uint32_t changed_count;
    const uint32_t *removed; /* ascending */
    uint32_t removed_count;
    uint32_t added_count;    /* a key and a value each: the elements behind those */
    frugal_marshal_index *values;
} frugal_marshal_update;

/* Bytes of the store that are others than before. What is behind the last one has not moved. */
typedef struct {
    uint32_t from, length;
} frugal_marshal_patch;

enum frugal_marshal_outcome {
    FRUGAL_MARSHAL_DONE,
    FRUGAL_MARSHAL_REFUSED,  /* objects are shared across roots: only a dump of the whole is right; the index is of no more use */
    FRUGAL_MARSHAL_EXHAUSTED /* no memory; the same */
};

/*
 * Makes the index that of the new bytes, its own, and tells where these differ:
 * in `patches`, which has room for changed_count + 2 and is ascending.
 */
enum frugal_marshal_outcome frugal_marshal_index_update(frugal_marshal_index *index, const frugal_marshal_update *update,
                                                        frugal_marshal_patch *patches, uint32_t *patch_count);

#endif
