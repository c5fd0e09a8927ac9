/* test/unit/marshal_index_test.rb compares the index with Marshal.load; marshal_fuzz.c reads arbitrary bytes. */
#include <string.h>

#include "check.h"
#include "core/marshal/marshal_update.h"

/* Copies bytes to memory of exactly their size, so that a sanitizer detects a read behind them. */
static unsigned char *
copy(const char *bytes, size_t size)
{
    unsigned char *copied = malloc(size > 0 ? size : 1);

    CHECK(copied != NULL);
    memcpy(copied, bytes, size);
    return copied;
}

static enum frugal_marshal_reason
reason(const char *bytes, size_t size)
{
    unsigned char *copied = copy(bytes, size);
    frugal_marshal_index index;
    enum frugal_marshal_reason answer = frugal_marshal_index_read(&index, copied, size, 1);

    frugal_marshal_index_free(&index);
    free(copied);
    return answer;
}

#define REASON(bytes) reason(bytes, sizeof(bytes) - 1)

/* {"a" => {"k" => 1.5}, :b => {"k" => 1.5, "l" => :b}, 3 => "x"}, as Marshal.dump writes it. */
#define STORE "\4\10{\10I\"\6a\6:\6ET{\6I\"\6k\6;\0Tf\0101.5:\6b{\7@\10@\11I\"\6l\6;\0T;\6i\10I\"\6x\6;\0T"

static void
check_reasons(void)
{
    CHECK(REASON("\4\10{\0") == FRUGAL_MARSHAL_OK);
    for (size_t size = 0; size < sizeof(STORE) - 1; size++) CHECK(reason(STORE, size) != FRUGAL_MARSHAL_OK);
    CHECK(REASON("\4\11{\0") == FRUGAL_MARSHAL_WRONG_HEADER);
    CHECK(REASON("\4\10[\0") == FRUGAL_MARSHAL_WRONG_HEADER);
    CHECK(REASON("\4\10{\0000") == FRUGAL_MARSHAL_TRAILING);
    CHECK(REASON("\4\10{\6[\0000") == FRUGAL_MARSHAL_KEYS);
    CHECK(REASON("\4\10{\7i\0000i\0000") == FRUGAL_MARSHAL_KEYS);
    CHECK(REASON("\4\10{\6i\0@\0") == FRUGAL_MARSHAL_CYCLE);
    CHECK(REASON("\4\10{\6i\0@\6") == FRUGAL_MARSHAL_DANGLING);
    CHECK(REASON("\4\10{\6i\0;\0") == FRUGAL_MARSHAL_DANGLING);
    CHECK(REASON("\4\10{\6i\0?") == FRUGAL_MARSHAL_MALFORMED);
    CHECK(REASON("\4\10{\6i\0[\372") == FRUGAL_MARSHAL_MALFORMED);
    /* Lengths that exceed the bytes that are left. */
    CHECK(REASON("\4\10{\4\377\377\377\377i") == FRUGAL_MARSHAL_TRUNCATED);
    CHECK(REASON("\4\10{\6i\0\"\4\377\377\377\377") == FRUGAL_MARSHAL_TRUNCATED);
    CHECK(REASON("\4\10{\6i\0l+\4\377\377\377\177") == FRUGAL_MARSHAL_TRUNCATED);
    CHECK(REASON("\4\10{\6i\0{\4\377\377\377\1770") == FRUGAL_MARSHAL_TRUNCATED);

    char deep[2 * FRUGAL_MARSHAL_DEPTH + 7] = "\4\10{\6i";
    for (size_t at = 6; at < sizeof(deep) - 1; at += 2) memcpy(deep + at, "[\6", 2);
    CHECK(reason(deep, sizeof(deep)) == FRUGAL_MARSHAL_TOO_DEEP);
}

static bool
extracts(frugal_marshal_index *index, uint32_t root, const char *bytes, size_t size)
{
    frugal_marshal_bytes dump = { 0 };
    bool same;

    CHECK(frugal_marshal_extract(index, &root, 1, false, &dump));
    same = dump.used == size && memcmp(dump.bytes, bytes, size) == 0;
    free(dump.bytes);
    return same;
}

#define EXTRACTS(index, root, bytes) CHECK(extracts(index, root, bytes, sizeof(bytes) - 1))

static void
check_roots(void)
{
    unsigned char *bytes = copy(STORE, sizeof(STORE) - 1);
    frugal_marshal_index index;
    frugal_marshal_key key = { .type = FRUGAL_MARSHAL_SYMBOLIC, .text = (const unsigned char *)"b", .length = 1 };

    CHECK(frugal_marshal_index_read(&index, bytes, sizeof(STORE) - 1, 1) == FRUGAL_MARSHAL_OK);
    CHECK(index.count == 3 && index.object_count == 8 && index.symbols.count == 2);
    CHECK(frugal_marshal_index_find(&index, &key) == 1);
    key.type = FRUGAL_MARSHAL_TEXT;
    CHECK(frugal_marshal_index_find(&index, &key) == FRUGAL_MARSHAL_NONE);
    /* The linked key and number are copied, and the symbols are renumbered. */
    EXTRACTS(&index, 0, "\4\10{\6I\"\6k\6:\6ETf\0101.5");
    EXTRACTS(&index, 1, "\4\10{\7I\"\6k\6:\6ETf\0101.5I\"\6l\6;\0T:\6b");
    EXTRACTS(&index, 2, "\4\10I\"\6x\6:\6ET");
    frugal_marshal_index_free(&index);
    free(bytes);
}

#define REREAD(store, expected) \
    outdated = index; \
    CHECK(frugal_marshal_index_reread(&index, &outdated, (const unsigned char *)store, sizeof(store) - 1, 2) == \
          expected)

/* Reads in the memory of another index: with more roots, with fewer, and of a store that was refused. */
static void
check_reread(void)
{
    static const char groups[] = "\4\10{\10i\6[\6\"\6xi\7{\6@\7i\6i\10@\7";
    frugal_marshal_key key = { .type = FRUGAL_MARSHAL_INTEGER, .integer = 3 };
    frugal_marshal_index index, outdated;

    CHECK(frugal_marshal_index_read(&index, (const unsigned char *)"\4\10{\0", 4, 1) == FRUGAL_MARSHAL_OK);
    for (int turn = 0; turn < 2; turn++) {
        REREAD(groups, FRUGAL_MARSHAL_OK);
        CHECK(index.groups != NULL && frugal_marshal_index_group(&index, 2) == 0);
        REREAD(STORE, FRUGAL_MARSHAL_OK);
        CHECK(index.groups == NULL && index.count == 3 && index.object_count == 8 && index.symbols.count == 2);
        CHECK(frugal_marshal_index_find(&index, &key) == 2);
        EXTRACTS(&index, 1, "\4\10{\7I\"\6k\6:\6ETf\0101.5I\"\6l\6;\0T:\6b");
        REREAD("\4\10{\7i\0000i\0000", FRUGAL_MARSHAL_KEYS);
        CHECK(outdated.roots == NULL && outdated.slots == NULL);
        REREAD("\4\10{\0", FRUGAL_MARSHAL_OK);
        CHECK(frugal_marshal_index_find(&index, &key) == FRUGAL_MARSHAL_NONE);
    }
    frugal_marshal_index_free(&index);
}

/* {1 => [a = "x"], 2 => {a => 1}, 3 => a} */
static void
check_groups(void)
{
    static const char store[] = "\4\10{\10i\6[\6\"\6xi\7{\6@\7i\6i\10@\7";
    frugal_marshal_bytes dump = { 0 };
    frugal_marshal_index index;
    uint32_t pair[] = { 0, 2 };

    CHECK(frugal_marshal_index_read(&index, (const unsigned char *)store, sizeof(store) - 1, 1) == FRUGAL_MARSHAL_OK);
    CHECK(index.roots[0].shares_objects && !index.roots[1].shares_objects && index.roots[2].shares_objects);
    CHECK(frugal_marshal_index_group(&index, 2) == 0 && frugal_marshal_index_group(&index, 1) == 1);
    CHECK(frugal_marshal_extract(&index, pair, 2, true, &dump));
    CHECK(dump.used == 11 && memcmp(dump.bytes, "\4\10[\7[\6\"\6x@\7", 11) == 0);
    free(dump.bytes);
    frugal_marshal_index_free(&index);
}

/* Updates root 1 by the first element of `values`, and adds the others as roots. Checks the patches and the store. */
static void
update(const char *values, size_t size, const frugal_marshal_patch *expected, uint32_t count, const char *store,
       size_t store_size)
{
    static const uint32_t changed = 1;
    frugal_marshal_patch patches[3];
    frugal_marshal_index index, list;
    frugal_marshal_update update = { .changed = &changed, .changed_count = 1, .values = &list };
    uint32_t patch_count;

    CHECK(frugal_marshal_index_read(&index, (const unsigned char *)STORE, sizeof(STORE) - 1, 1) == FRUGAL_MARSHAL_OK);
    CHECK(frugal_marshal_index_read_list(&list, (const unsigned char *)values, size) == FRUGAL_MARSHAL_OK);
    update.added_count = (list.count - 1) / 2;
    CHECK(frugal_marshal_index_update(&index, &update, patches, &patch_count) == FRUGAL_MARSHAL_DONE);
    CHECK(patch_count == count && (count == 0 || memcmp(patches, expected, sizeof(*expected)) == 0));
    CHECK(index.size == store_size && memcmp(index.bytes, store, store_size) == 0);
    frugal_marshal_index_free(&list);
    frugal_marshal_index_free(&index);
}

#define UPDATE(values, from, length, count, store) \
    update(values, sizeof(values) - 1, &(frugal_marshal_patch){ from, length }, count, store, sizeof(store) - 1)

static void
check_updates(void)
{
    /* The same value; one of the same size; a longer one; a new value and a new root. */
    UPDATE("\4\10[\6{\7I\"\6k\6:\6ETf\0101.5I\"\6l\6;\0T:\6b", 0, 0, 0, STORE);
    UPDATE("\4\10[\6{\7I\"\6k\6:\6ETf\0101.5I\"\6m\6;\0T:\6b", 31, 16, 1,
           "\4\10{\10I\"\6a\6:\6ET{\6I\"\6k\6;\0Tf\0101.5:\6b{\7@\10@\11I\"\6m\6;\0T;\6i\10I\"\6x\6;\0T");
    UPDATE("\4\10[\6I\"\10new\6:\6ET", 31, 20, 1,
           "\4\10{\10I\"\6a\6:\6ET{\6I\"\6k\6;\0Tf\0101.5:\6bI\"\10new\6;\0Ti\10I\"\6x\6;\0T");
    UPDATE("\4\10[\10I\"\10new\6:\6ETi\11[\0", 3, 52, 1,
           "\4\10{\11I\"\6a\6:\6ET{\6I\"\6k\6;\0Tf\0101.5:\6bI\"\10new\6;\0Ti\10I\"\6x\6;\0Ti\11[\0");
}

int
main(void)
{
    check_reasons();
    check_roots();
    check_reread();
    check_groups();
    check_updates();
    return 0;
}
