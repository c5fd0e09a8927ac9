/*
 * Any bytes at all as a store: an index is made or not, and all that it writes
 * is read again. test/core/marshal_fuzz_test.rb runs it with clang's libFuzzer for
 * a few seconds; for longer, and with another corpus:
 *
 *   MARSHAL_FUZZ_SECONDS=3600 ruby -Itest test/core/marshal_fuzz_test.rb
 *
 * Input: two bytes, the size of the store; the store; a byte, whether its last
 * root is removed; and a dump of an Array, the values of an update.
 */
#include <string.h>

#include "check.h"
#include "marshal_update.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
check_list(const frugal_marshal_bytes *dump, uint32_t count)
{
    frugal_marshal_index again;

    CHECK(frugal_marshal_index_read_list(&again, dump->bytes, dump->used) == FRUGAL_MARSHAL_FINE);
    CHECK(again.count == count);
    frugal_marshal_index_free(&again);
}

static void
check_keys(const frugal_marshal_index *index)
{
    for (uint32_t root = 0; root < index->count; root++) {
        frugal_marshal_key key;

        frugal_marshal_index_key(index, root, &key);
        CHECK(frugal_marshal_index_find(index, &key) == root);
        CHECK(frugal_marshal_index_group(index, root) <= root);
    }
}

/* Each root that stands alone, and all of them together. */
static void
check_dumps(frugal_marshal_index *index)
{
    uint32_t *all = malloc((index->count + 1) * sizeof(*all));
    frugal_marshal_bytes dump = { 0 };

    CHECK(all != NULL);
    for (uint32_t root = 0; root < index->count; root++) {
        all[root] = root;
        if (index->roots[root].entangled) continue;
        dump.used = 0;
        CHECK(frugal_marshal_extract(index, &root, 1, true, &dump));
        check_list(&dump, 1);
    }
    dump.used = 0;
    CHECK(frugal_marshal_extract(index, all, index->count, true, &dump));
    check_list(&dump, index->count);
    free(dump.bytes);
    free(all);
}

/* An index that was updated knows what one of the new bytes knows. */
static void
check_same(frugal_marshal_index *one, frugal_marshal_index *other)
{
    frugal_marshal_bytes dump = { 0 }, again = { 0 };

    CHECK(one->count == other->count && one->object_count == other->object_count && one->symbols.count == other->symbols.count);
    for (uint32_t i = 0; i < one->count; i++) {
        CHECK(one->roots[i].key == other->roots[i].key && one->roots[i].value == other->roots[i].value);
        CHECK(one->roots[i].objects == other->roots[i].objects && one->roots[i].symbols == other->roots[i].symbols);
        CHECK(one->roots[i].entangled || !other->roots[i].entangled);
        CHECK(one->roots[i].code || !other->roots[i].code);
        if (one->roots[i].entangled) continue;
        dump.used = again.used = 0;
        CHECK(frugal_marshal_extract(one, &i, 1, false, &dump) && frugal_marshal_extract(other, &i, 1, false, &again));
        CHECK(dump.used == again.used && memcmp(dump.bytes, again.bytes, dump.used) == 0);
    }
    for (uint32_t i = 0; i < one->object_count; i++) {
        CHECK(one->objects[i].at == other->objects[i].at && one->objects[i].kind == other->objects[i].kind);
        CHECK(one->objects[i].linked || !other->objects[i].linked);
    }
    free(dump.bytes);
    free(again.bytes);
}

static void
check_update(frugal_marshal_index *index, frugal_marshal_index *values, bool remove)
{
    uint32_t roots[8], last = index->count - 1, count = 0, added;
    frugal_marshal_patch patches[10];
    frugal_marshal_update update = { .changed = roots, .removed = &last, .removed_count = remove && index->count > 0, .values = values };
    frugal_marshal_index fresh;

    while (count < 8 && count < values->count && count + update.removed_count < index->count) {
        roots[count] = count;
        count++;
    }
    added = values->count - count;
    if (added % 2 == 1 && count > 0) {
        count--;
        added++;
    }
    if (added % 2 == 1) return;
    update.changed_count = count;
    update.added_count = added / 2;
    if (frugal_marshal_index_update(index, &update, patches, &count) != FRUGAL_MARSHAL_DONE) return;
    CHECK(frugal_marshal_index_read(&fresh, index->bytes, index->size, 3) == FRUGAL_MARSHAL_FINE);
    check_same(index, &fresh);
    check_keys(index);
    frugal_marshal_index_free(&fresh);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    frugal_marshal_index index, values;
    size_t store;

    if (size < 2) return 0;
    store = (size_t)data[0] | (size_t)data[1] << 8;
    data += 2;
    size -= 2;
    if (store > size) store = size;
    if (frugal_marshal_index_read(&index, data, store, 3) == FRUGAL_MARSHAL_FINE) {
        check_keys(&index);
        check_dumps(&index);
        if (size - store > 1) {
            if (frugal_marshal_index_read_list(&values, data + store + 1, size - store - 1) == FRUGAL_MARSHAL_FINE) {
                check_update(&index, &values, data[store] & 1);
            }
            frugal_marshal_index_free(&values);
        }
    }
    frugal_marshal_index_free(&index);
    return 0;
}
