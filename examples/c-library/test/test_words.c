#include <string.h>

#include "check.h"
#include "kit/hash.h"
#include "kit/words.h"

void test_words(void)
{
    struct kit_map counts = { 0 };
    struct kit_buffer report = { 0 };

    CHECK(kit_hash("", 0) == UINT64_C(0xcbf29ce484222325));
    CHECK(kit_map_get(&counts, kit_slice("nut")) == NULL);
    CHECK(kit_words_count(&counts, kit_slice("nut bolt nut  washer bolt nut\n")));
    CHECK(counts.length == 3);
    CHECK(kit_words_report(&counts, &report));
    CHECK(strcmp(report.bytes, "nut 3\nbolt 2\nwasher 1\n") == 0);
    kit_buffer_free(&report);
    kit_map_free(&counts);
}
