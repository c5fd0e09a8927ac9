#include "core/marshal/marshal_update.h"

#include <stdlib.h>
#include <string.h>

#include "core/marshal/marshal_contents.h"
#include "core/marshal/marshal_splice.h"
#include "core/marshal/marshal_write.h"

typedef frugal_marshal_index index_t;
typedef enum frugal_marshal_outcome outcome;

static void
add_patch(frugal_marshal_patch *patches, uint32_t *count, uint32_t from, uint32_t length)
{
    uint32_t at = (*count)++;

    for (; at > 0 && patches[at - 1].from > from; at--) patches[at] = patches[at - 1];
    patches[at] = (frugal_marshal_patch){ .from = from, .length = length };
}

/* Reports whether a root that the update touches shares objects with others. */
static bool
any_shares_objects(const index_t *index, const frugal_marshal_update *update)
{
    for (uint32_t i = 0; i < update->values->count; i++) {
        if (update->values->roots[i].shares_objects) return true;
    }
    for (uint32_t i = 0; i < update->changed_count; i++) {
        if (index->roots[update->changed[i]].shares_objects) return true;
    }
    for (uint32_t i = 0; i < update->removed_count; i++) {
        if (index->roots[update->removed[i]].shares_objects) return true;
    }
    return false;
}

/*
 * Writes the complete store. `element_of` has, for each root, the element of the values that replaces its value, or
 * NONE. The first `appended` new roots are in the index.
 */
static bool
write_store(index_t *index, const frugal_marshal_update *update, const uint32_t *element_of, uint32_t appended,
            frugal_marshal_bytes *out)
{
    frugal_marshal_writer old = { .source = index, .out = out, .objects = 1 };
    frugal_marshal_writer new = { .source = update->values, .out = out, .store = index };
    uint32_t removed = 0, added = update->changed_count + 2 * appended;

    if (!frugal_marshal_contents_make(index)) return false;
    if (!frugal_marshal_write_begin(index) || !frugal_marshal_write_begin(update->values)) return false;
    frugal_marshal_put(out, "\4\10{", 3);
    frugal_marshal_put_long(out, index->count - update->removed_count + update->added_count - appended);
    for (uint32_t root = 0; root < index->count; root++) {
        if (removed < update->removed_count && update->removed[removed] == root) {
            removed++;
            continue;
        }
        if (element_of[root] == FRUGAL_MARSHAL_NONE) {
            frugal_marshal_write_root(&old, root, true);
            continue;
        }
        frugal_marshal_write_key(&old, root);
        new.objects = old.objects;
        new.symbols = old.symbols;
        frugal_marshal_write_root(&new, element_of[root], false);
        old.objects = new.objects;
        old.symbols = new.symbols;
    }
    new.objects = old.objects;
    new.symbols = old.symbols;
    for (; added < update->values->count; added += 2) {
        new.as_key = true;
        frugal_marshal_write_root(&new, added, false);
        new.as_key = false;
        frugal_marshal_write_root(&new, added + 1, false);
    }
    frugal_marshal_write_end(index);
    frugal_marshal_write_end(update->values);
    return !old.failed && !new.failed && !out->failed;
}

/* Writes and reads the complete store. The patch begins at the first byte that differs. */
static outcome
rebuild(index_t *index, const frugal_marshal_update *update, uint32_t appended, frugal_marshal_patch *patches,
        uint32_t *count)
{
    uint32_t *element_of = malloc(((size_t)index->count + 1) * sizeof(*element_of)), same = 0;
    frugal_marshal_bytes out = { 0 };
    enum frugal_marshal_reason reason = FRUGAL_MARSHAL_NO_MEMORY;
    index_t rebuilt = { 0 };

    if (element_of == NULL) return FRUGAL_MARSHAL_EXHAUSTED;
    for (uint32_t i = 0; i < index->count; i++) element_of[i] = FRUGAL_MARSHAL_NONE;
    for (uint32_t i = 0; i < update->changed_count; i++) element_of[update->changed[i]] = i;
    if (write_store(index, update, element_of, appended, &out)) {
        reason = frugal_marshal_index_read(&rebuilt, out.bytes, out.used, index->seed);
    }
    free(element_of);
    if (reason != FRUGAL_MARSHAL_OK) {
        free(out.bytes);
        frugal_marshal_index_free(&rebuilt);
        return reason == FRUGAL_MARSHAL_NO_MEMORY ? FRUGAL_MARSHAL_EXHAUSTED : FRUGAL_MARSHAL_REFUSED;
    }
    rebuilt.own = out;
    while (same < index->size && same < out.used && index->bytes[same] == out.bytes[same]) same++;
    if (*count > 0 && patches[0].from < same) same = patches[0].from;
    patches[0] = (frugal_marshal_patch){ .from = same, .length = (uint32_t)out.used - same };
    *count = 1;
    frugal_marshal_index_free(index);
    *index = rebuilt;
    return FRUGAL_MARSHAL_DONE;
}

/*
 * Appends the new roots. `fits` becomes false at the first root that cannot be appended; `appended` counts the others.
 */
static outcome
append(index_t *index, const frugal_marshal_update *update, uint32_t *appended, bool *fits)
{
    for (; *appended < update->added_count; ++*appended) {
        uint32_t element = update->changed_count + 2 * *appended;

        if (!frugal_marshal_append(index, update->values, element, fits)) return FRUGAL_MARSHAL_EXHAUSTED;
        if (!*fits) break;
    }
    return FRUGAL_MARSHAL_DONE;
}

outcome
frugal_marshal_index_update(index_t *index, const frugal_marshal_update *update, frugal_marshal_patch *patches,
                            uint32_t *patch_count)
{
    bool moved = false, fits = update->removed_count == 0;
    uint32_t appended = 0, size;

    *patch_count = 0;
    index->has_times = index->has_times || update->values->has_times;
    if (any_shares_objects(index, update)) return FRUGAL_MARSHAL_REFUSED;
    for (uint32_t i = 0; i < update->changed_count && fits; i++) {
        frugal_marshal_splice splice;

        if (!frugal_marshal_replace(index, update->changed[i], update->values, i, &splice)) {
            return FRUGAL_MARSHAL_EXHAUSTED;
        }
        fits = splice.fits;
        if (!splice.changed) continue;
        moved = moved || splice.moves;
        add_patch(patches, patch_count, splice.from, splice.length);
    }
    size = index->size;
    if (fits && append(index, update, &appended, &fits) != FRUGAL_MARSHAL_DONE) return FRUGAL_MARSHAL_EXHAUSTED;
    if (appended > 0) {
        add_patch(patches, patch_count, size, index->size - size);
        add_patch(patches, patch_count, 3, index->roots[0].key - 3); /* the number of roots */
    }
    if (!fits) return rebuild(index, update, appended, patches, patch_count);
    if (moved) {
        patches[0].length = index->size - patches[0].from;
        *patch_count = 1;
    }
    return FRUGAL_MARSHAL_DONE;
}
