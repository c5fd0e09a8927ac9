/* What Marshal.load says to the same is in test/unit/marshal_index_test.rb; any bytes at all in marshal_fuzz.c. */
#include <string.h>

#include "check.h"
#include "marshal_update.h"

/* Bytes in memory of their own size, so that a read behind them is seen. */
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
    CHECK(REASON("\4\10{\0") == FRUGAL_MARSHAL_FINE);
    for (size_t size = 0; size < sizeof(STORE) - 1; size++) CHECK(reason(STORE, size) != FRUGAL_MARSHAL_FINE);
    CHECK(REASON("\4\11{\0") == FRUGAL_MARSHAL_FOREIGN);
    CHECK(REASON("\4\10[\0") == FRUGAL_MARSHAL_FOREIGN);
    CHECK(REASON("\4\10{\0000") == FRUGAL_MARSHAL_TRAILING);
    CHECK(REASON("\4\10{\6[\0000") == FRUGAL_MARSHAL_KEYS);
    CHECK(REASON("\4\10{\7i\0000i\0000") == FRUGAL_MARSHAL_KEYS);
    CHECK(REASON("\4\10{\6i\0@\0") == FRUGAL_MARSHAL_CYCLE);
    CHECK(REASON("\4\10{\6i\0@\6") == FRUGAL_MARSHAL_DANGLING);
    CHECK(REASON("\4\10{\6i\0;\0") == FRUGAL_MARSHAL_DANGLING);
    CHECK(REASON("\4\10{\6i\0?") == FRUGAL_MARSHAL_STRANGE);
    CHECK(REASON("\4\10{\6i\0[\372") == FRUGAL_MARSHAL_STRANGE);
    /* Lengths of more than there is. */
    CHECK(REASON("\4\10{\4\377\377\377\377i") == FRUGAL_MARSHAL_SHORT);
    CHECK(REASON("\4\10{\6i\0\"\4\377\377\377\377") == FRUGAL_MARSHAL_SHORT);
    CHECK(REASON("\4\10{\6i\0l+\4\377\377\377\177") == FRUGAL_MARSHAL_SHORT);
    CHECK(REASON("\4\10{\6i\0{\4\377\377\377\1770") == FRUGAL_MARSHAL_SHORT);

    char deep[2 * FRUGAL_MARSHAL_DEPTH + 7] = "\4\10{\6i";
    for (size_t at = 6; at < sizeof(deep) - 1; at += 2) memcpy(deep + at, "[\6", 2);
    CHECK(reason(deep, sizeof(deep)) == FRUGAL_MARSHAL_DEEP);
}

static bool
says(frugal_marshal_index *index, uint32_t root, const char *bytes, size_t size)
{
    frugal_marshal_bytes dump = { 0 };
    bool same;

    CHECK(frugal_marshal_extract(index, &root, 1, false, &dump));
    same = dump.used == size && memcmp(dump.bytes, bytes, size) == 0;
    free(dump.bytes);
    return same;
}

#define SAYS(index, root, bytes) CHECK(says(index, root, bytes, sizeof(bytes) - 1))

static void
check_roots(void)
{
    unsigned char *bytes = copy(STORE, sizeof(STORE) - 1);
    frugal_marshal_index index;
    frugal_marshal_key key = { .type = FRUGAL_MARSHAL_SYMBOLIC, .text = (const unsigned char *)"b", .length = 1 };

    CHECK(frugal_marshal_index_read(&index, bytes, sizeof(STORE) - 1, 1) == FRUGAL_MARSHAL_FINE);
    CHECK(index.count == 3 && index.object_count == 8 && index.symbols.count == 2);
    CHECK(frugal_marshal_index_find(&index, &key) == 1);
    key.type = FRUGAL_MARSHAL_TEXT;
    CHECK(frugal_marshal_index_find(&index, &key) == FRUGAL_MARSHAL_NONE);
    /* The key and the number come along, the symbols have other numbers. */
    SAYS(&index, 0, "\4\10{\6I\"\6k\6:\6ETf\0101.5");
    SAYS(&index, 1, "\4\10{\7I\"\6k\6:\6ETf\0101.5I\"\6l\6;\0T:\6b");
    SAYS(&index, 2, "\4\10I\"\6x\6:\6ET");
    frugal_marshal_index_free(&index);
    free(bytes);
}

/* {1 => [a = "x"], 2 => {a => 1}, 3 => a} */
static void
check_groups(void)
{
    static const char store[] = "\4\10{\10i\6[\6\"\6xi\7{\6@\7i\6i\10@\7";
    frugal_marshal_bytes dump = { 0 };
    frugal_marshal_index index;
    uint32_t pair[] = { 0, 2 };

    CHECK(frugal_marshal_index_read(&index, (const unsigned char *)store, sizeof(store) - 1, 1) == FRUGAL_MARSHAL_FINE);
    CHECK(index.roots[0].entangled && !index.roots[1].entangled && index.roots[2].entangled);
    CHECK(frugal_marshal_index_group(&index, 2) == 0 && frugal_marshal_index_group(&index, 1) == 1);
    CHECK(frugal_marshal_extract(&index, pair, 2, true, &dump));
    CHECK(dump.used == 11 && memcmp(dump.bytes, "\4\10[\7[\6\"\6x@\7", 11) == 0);
    free(dump.bytes);
    frugal_marshal_index_free(&index);
}

/* Updates root 1 by the first element of `values`, and adds what is behind. The outcome's patches must be these. */
static void
update(const char *values, size_t size, const frugal_marshal_patch *expected, uint32_t count, const char *store, size_t store_size)
{
    static const uint32_t changed = 1;
    frugal_marshal_patch patches[3];
    frugal_marshal_index index, list;
    frugal_marshal_update update = { .changed = &changed, .changed_count = 1, .values = &list };
    uint32_t told;

    CHECK(frugal_marshal_index_read(&index, (const unsigned char *)STORE, sizeof(STORE) - 1, 1) == FRUGAL_MARSHAL_FINE);
    CHECK(frugal_marshal_index_read_list(&list, (const unsigned char *)values, size) == FRUGAL_MARSHAL_FINE);
    update.added_count = (list.count - 1) / 2;
    CHECK(frugal_marshal_index_update(&index, &update, patches, &told) == FRUGAL_MARSHAL_DONE);
    CHECK(told == count && (count == 0 || memcmp(patches, expected, sizeof(*expected)) == 0));
    CHECK(index.size == store_size && memcmp(index.bytes, store, store_size) == 0);
    frugal_marshal_index_free(&list);
    frugal_marshal_index_free(&index);
}

#define UPDATE(values, from, length, count, store) \
    update(values, sizeof(values) - 1, &(frugal_marshal_patch){ from, length }, count, store, sizeof(store) - 1)

static void
check_updates(void)
{
    /* The same; of the same size; longer; with another root. */
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
    check_groups();
    check_updates();
    return 0;
}
