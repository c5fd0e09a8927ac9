/*
 * A fuzzer for the index of a store: whatever the bytes are, an index is made or
 * refused, and all that it writes can be read again, also after each of a chain
 * of updates. test/core/marshal_fuzz_test.rb runs it with clang's libFuzzer for a
 * few seconds. To run it longer:
 *
 *   MARSHAL_FUZZ_SECONDS=3600 ruby -Itest test/core/marshal_fuzz_test.rb
 *
 * The input is
 * - one byte: which allocation fails, or 0 for none;
 * - two bytes: the size of the store; then the store;
 * - any number of updates: one byte for the roots to change and one for the roots
 *   to remove (by their numbers modulo 8), two for the size of a dump, and the dump
 *   of an Array: the new values, then a key and a value for each new root.
 */
#include <string.h>

#include "check.h"
#include "core/marshal/marshal_scalar.h"
#include "core/marshal/marshal_update.h"
#include "memory.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { MOST_ROOTS = 64 };

/* Checks a condition that only a failed allocation may make false. */
static bool
works(bool condition)
{
    CHECK(condition || allocation_failed());
    return condition;
}

/* -- what an index returns -- */

static void
check_list(const frugal_marshal_bytes *dump, uint32_t count)
{
    frugal_marshal_index again;

    if (works(frugal_marshal_index_read_list(&again, dump->bytes, dump->used) == FRUGAL_MARSHAL_OK)) {
        CHECK(again.count == count);
    }
    frugal_marshal_index_free(&again);
}

static void
check_roots(const frugal_marshal_index *index)
{
    for (uint32_t root = 0; root < index->count; root++) {
        frugal_marshal_key key;
        frugal_marshal_scalar scalar;

        frugal_marshal_index_key(index, root, &key);
        CHECK(frugal_marshal_index_find(index, &key) == root);
        CHECK(frugal_marshal_index_group(index, root) <= root);
        if (!frugal_marshal_index_scalar(index, root, &scalar) || scalar.type != FRUGAL_MARSHAL_SCALAR_STRING) continue;
        CHECK(scalar.text > index->bytes && scalar.text + scalar.length <= index->bytes + index->size);
    }
}

/* Extracts each single root, each group, and all roots together. */
static void
check_dumps(frugal_marshal_index *index)
{
    uint32_t *roots = malloc((index->count + 1) * sizeof(*roots)), count;
    frugal_marshal_bytes dump = { 0 };

    CHECK(roots != NULL);
    for (uint32_t root = 0; root <= index->count; root++) {
        if (root < index->count && frugal_marshal_index_group(index, root) != root) continue;
        count = 0;
        for (uint32_t other = 0; other < index->count; other++) {
            if (root == index->count || frugal_marshal_index_group(index, other) == root) roots[count++] = other;
        }
        CHECK(root == index->count || count == 1 || index->roots[root].shares_objects);
        dump.used = 0;
        if (!works(frugal_marshal_extract(index, roots, count, true, &dump))) break;
        check_list(&dump, count);
    }
    free(dump.bytes);
    free(roots);
}

/* An updated index equals a new index of the same bytes, except that it may be more cautious. */
static void
check_same(frugal_marshal_index *one, frugal_marshal_index *other)
{
    frugal_marshal_bytes dump = { 0 }, again = { 0 };

    CHECK(one->count == other->count && one->object_count == other->object_count);
    CHECK(one->symbols.count == other->symbols.count);
    CHECK(one->has_times || !other->has_times);
    for (uint32_t i = 0; i < one->count; i++) {
        const frugal_marshal_root *root = one->roots + i, *fresh = other->roots + i;

        CHECK(root->key == fresh->key && root->value == fresh->value);
        CHECK(root->objects == fresh->objects && root->symbols == fresh->symbols);
        CHECK(root->key_objects == fresh->key_objects && root->key_symbols == fresh->key_symbols);
        CHECK(root->object_link_end >= fresh->object_link_end);
        CHECK(root->shares_objects || !fresh->shares_objects);
        CHECK(root->runs_code || !fresh->runs_code);
        if (root->shares_objects) continue;
        dump.used = again.used = 0;
        if (!works(frugal_marshal_extract(one, &i, 1, false, &dump))) break;
        if (!works(frugal_marshal_extract(other, &i, 1, false, &again))) break;
        CHECK(dump.used == again.used && memcmp(dump.bytes, again.bytes, dump.used) == 0);
    }
    for (uint32_t i = 0; i < one->object_count; i++) {
        CHECK(one->objects[i].at == other->objects[i].at && one->objects[i].kind == other->objects[i].kind);
        CHECK(one->objects[i].linked || !other->objects[i].linked);
        CHECK(one->objects[i].owner == FRUGAL_MARSHAL_NONE || one->objects[i].owner <= one->count);
    }
    for (uint32_t i = 0; i < one->symbols.count; i++) {
        const frugal_marshal_symbol *symbol = one->symbols.list + i, *fresh = other->symbols.list + i;

        CHECK(symbol->text == fresh->text && symbol->length == fresh->length && symbol->encoding == fresh->encoding);
        CHECK(symbol->linked || !fresh->linked);
    }
    free(dump.bytes);
    free(again.bytes);
}

/* -- updates -- */

/* The patches turn the old bytes into those of the index. */
static void
check_patches(unsigned char *file, uint32_t was, const frugal_marshal_index *index, const frugal_marshal_patch *patches,
              uint32_t count)
{
    uint32_t end = was;

    for (uint32_t i = 0; i < count; i++) {
        CHECK(patches[i].from <= end && patches[i].length <= index->size - patches[i].from);
        CHECK(i == 0 || patches[i].from >= patches[i - 1].from);
        memcpy(file + patches[i].from, index->bytes + patches[i].from, patches[i].length);
        if (patches[i].from + patches[i].length > end) end = patches[i].from + patches[i].length;
    }
    CHECK(end >= index->size && memcmp(file, index->bytes, index->size) == 0);
}

static bool
choose(const frugal_marshal_index *index, const unsigned char *how, frugal_marshal_update *update, uint32_t *changed,
       uint32_t *removed)
{
    uint32_t added;

    for (uint32_t root = 0; root < index->count && root < MOST_ROOTS; root++) {
        if (how[1] >> root % 8 & 1) removed[update->removed_count++] = root;
        else if (how[0] >> root % 8 & 1 && update->changed_count < update->values->count) {
            changed[update->changed_count++] = root;
        }
    }
    added = update->values->count - update->changed_count;
    if (added % 2 == 1 && update->changed_count == 0) return false;
    if (added % 2 == 1) update->changed_count--;
    update->added_count = (added + 1) / 2;
    update->changed = changed;
    update->removed = removed;
    return true;
}

/* False: the index is invalid. */
static bool
check_update(frugal_marshal_index *index, frugal_marshal_index *values, const unsigned char *how)
{
    uint32_t changed[MOST_ROOTS], removed[MOST_ROOTS], count, was = index->size;
    frugal_marshal_patch patches[MOST_ROOTS + 2];
    frugal_marshal_update update = { .values = values };
    enum frugal_marshal_outcome outcome;
    frugal_marshal_index fresh;
    unsigned char *file;

    if (!choose(index, how, &update, changed, removed)) return true;
    file = malloc((size_t)was + 65536);
    CHECK(file != NULL);
    memcpy(file, index->bytes, was);
    outcome = frugal_marshal_index_update(index, &update, patches, &count);
    CHECK(outcome != FRUGAL_MARSHAL_EXHAUSTED || allocation_failed());
    if (outcome == FRUGAL_MARSHAL_DONE) {
        CHECK(index->size < was + 65536);
        check_patches(file, was, index, patches, count);
        if (works(frugal_marshal_index_read(&fresh, index->bytes, index->size, 3) == FRUGAL_MARSHAL_OK)) {
            check_same(index, &fresh);
        }
        frugal_marshal_index_free(&fresh);
    }
    free(file);
    return outcome == FRUGAL_MARSHAL_DONE;
}

static size_t
size_at(const unsigned char *data, size_t left)
{
    size_t size = (size_t)data[0] | (size_t)data[1] << 8;

    return size < left - 2 ? size : left - 2;
}

static void
check_index(frugal_marshal_index *index, const unsigned char *data, size_t size)
{
    bool valid = true;

    while (valid) {
        frugal_marshal_index values;
        size_t dump;

        check_roots(index);
        check_dumps(index);
        if (size < 4) return;
        dump = size_at(data + 2, size - 2);
        valid = frugal_marshal_index_read_list(&values, data + 4, dump) == FRUGAL_MARSHAL_OK &&
                check_update(index, &values, data);
        frugal_marshal_index_free(&values);
        data += 4 + dump;
        size -= 4 + dump;
    }
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    frugal_marshal_index index;
    size_t store;

    if (size < 3) return 0;
    fail_allocation(data[0]);
    store = size_at(data + 1, size - 1);
    data += 3;
    size -= 3;
    if (frugal_marshal_index_read(&index, data, store, 3) == FRUGAL_MARSHAL_OK) {
        check_index(&index, data + store, size - store);
    }
    frugal_marshal_index_free(&index);
    fail_allocation(0);
    return 0;
}
