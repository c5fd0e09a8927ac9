#include "core/find/cwd_changes.h"

#include <stdatomic.h>

static atomic_uint changes;
static atomic_bool complete;

void
frugal_find_count_cwd_change(void)
{
    atomic_fetch_add_explicit(&changes, 1, memory_order_relaxed);
}

void
frugal_find_trust_cwd_count(void)
{
    atomic_store_explicit(&complete, true, memory_order_relaxed);
}

bool
frugal_find_cwd_count_is_complete(void)
{
    return atomic_load_explicit(&complete, memory_order_relaxed);
}

unsigned
frugal_find_cwd_count(void)
{
    return atomic_load_explicit(&changes, memory_order_relaxed);
}
