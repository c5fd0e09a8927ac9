#include <string.h>

#include "check.h"
#include "kit/arena.h"
#include "kit/vector.h"

void test_memory(void)
{
    struct kit_arena arena = { 0 };
    struct kit_vector vector = { 0 };
    char *big = kit_arena_take(&arena, 100000);

    CHECK(big && memset(big, 1, 100000));
    CHECK(strcmp(kit_arena_copy(&arena, "spanner", 4), "span") == 0);
    for (int i = 0; i < 1000; i++)
        CHECK(kit_vector_push(&vector, kit_arena_take(&arena, 24)));
    CHECK(vector.length == 1000);
    CHECK(kit_vector_pop(&vector) != kit_vector_pop(&vector));
    kit_vector_free(&vector);
    CHECK(kit_vector_pop(&vector) == NULL);
    kit_arena_free(&arena);
}
