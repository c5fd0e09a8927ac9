/* Grows lists. The only file in core that calls realloc. Does not depend on Ruby. */
#ifndef FRUGAL_GROW_H
#define FRUGAL_GROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * `list` is the address of a pointer that malloc returned, or of NULL. Returns false if out of memory; then the list
 * is unchanged.
 */
static inline bool
frugal_system_resize(void *list, size_t item_size, size_t count)
{
    void *memory, *resized;

    if (count > SIZE_MAX / item_size) return false;
    memcpy(&memory, list, sizeof(memory));
    resized = realloc(memory, count * item_size);
    if (resized == NULL) return false;
    memcpy(list, &resized, sizeof(resized));
    return true;
}

/*
 * Doubles the capacity of a list, and adds `more`. `room`, of any unsigned type, is the capacity. Returns false if out
 * of memory.
 */
#define FRUGAL_SYSTEM_GROW(list, room, more) \
    (frugal_system_resize(&(list), sizeof(*(list)), (size_t)(room)*2 + (more)) && ((room) = (room)*2 + (more), true))

#endif
