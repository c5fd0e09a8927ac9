/*
 * Allocations that fail when a test wants them to. The core is compiled with
 * -Dmalloc=test_malloc (and so on), and linked with memory.c.
 *
 *   fail_allocation(3); // the third one from here on returns NULL
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>

/* 0: none fails. */
void fail_allocation(unsigned number);

/* Reports whether one has failed since fail_allocation. */
bool allocation_failed(void);

#endif
