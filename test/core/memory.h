/*
 * Memory that runs out when a test says so: the core is compiled with
 * -Dmalloc=test_malloc, and so on, where this is linked.
 *
 *   fail_allocation(3); // the third one from here on answers NULL
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>

/* 0: none will. */
void fail_allocation(unsigned number);

/* Whether it has, since that was said. */
bool allocation_failed(void);

#endif
