#include "check.h"
#include "kit/buffer.h"
#include "kit/utf8.h"

void test_strings(void)
{
    struct kit_buffer buffer = { 0 };
    struct kit_slice rest = kit_slice("a,,bc"), part;

    CHECK(kit_slice_next(&rest, ',', &part) && kit_slice_equal(part, kit_slice("a")));
    CHECK(kit_slice_next(&rest, ',', &part) && part.length == 0);
    CHECK(kit_slice_next(&rest, ',', &part) && kit_slice_equal(part, kit_slice("bc")));
    CHECK(!kit_slice_next(&rest, ',', &part));
    CHECK(kit_slice_equal(kit_slice_trim(kit_slice(" \t x y\n")), kit_slice("x y")));

    for (int i = 0; i < 100; i++)
        CHECK(kit_buffer_add_char(&buffer, 'x'));
    CHECK(kit_buffer_add_number(&buffer, -42));
    CHECK(buffer.length == 103 && buffer.bytes[103] == '\0');
    kit_buffer_free(&buffer);

    CHECK(kit_utf8_length(kit_slice("Stra\xc3\x9f" "e \xe2\x82\xac")) == 8);
    rest = kit_slice("\xc0\xaf");
    CHECK(kit_utf8_next(&rest) == KIT_UTF8_INVALID && rest.length == 1);
    rest = kit_slice("\xf0\x9f\x94\xa7");
    CHECK(kit_utf8_next(&rest) == 0x1f527 && rest.length == 0);
}
