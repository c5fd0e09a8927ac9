#include "memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_uint remaining;
static atomic_bool failed;

void *test_malloc(size_t size);
void *test_calloc(size_t count, size_t size);
void *test_realloc(void *memory, size_t size);

void
fail_allocation(unsigned number)
{
    remaining = number;
    failed = false;
}

bool
allocation_failed(void)
{
    return failed;
}

static bool
fails(void)
{
    unsigned now = remaining;

    while (now > 0 && !atomic_compare_exchange_weak(&remaining, &now, now - 1)) continue;
    if (now != 1) return false;
    errno = ENOMEM;
    failed = true;
    return true;
}

void *
test_malloc(size_t size)
{
    return fails() ? NULL : malloc(size);
}

void *
test_calloc(size_t count, size_t size)
{
    return fails() ? NULL : calloc(count, size);
}

void *
test_realloc(void *memory, size_t size)
{
    return fails() ? NULL : realloc(memory, size);
}
