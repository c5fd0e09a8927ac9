#include "cwd_changes.h"

#include <stdatomic.h>

static atomic_uint changes;
static atomic_bool told;

void
frugal_cwd_changed(void)
{
    atomic_fetch_add_explicit(&changes, 1, memory_order_relaxed);
}

void
frugal_cwd_changes_are_told(void)
{
    atomic_store_explicit(&told, true, memory_order_relaxed);
}

bool
frugal_cwd_is_told(void)
{
    return atomic_load_explicit(&told, memory_order_relaxed);
}

unsigned
frugal_cwd_changes(void)
{
    return atomic_load_explicit(&changes, memory_order_relaxed);
}
