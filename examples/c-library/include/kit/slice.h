#ifndef KIT_SLICE_H
#define KIT_SLICE_H

#include <stdbool.h>
#include <stddef.h>

/* A part of a string that another object owns; it does not end in a NUL. */
struct kit_slice {
    const char *start;
    size_t length;
};

struct kit_slice kit_slice(const char *string);
bool kit_slice_equal(struct kit_slice a, struct kit_slice b);

/* Returns the slice without the spaces, tabs and line ends around it. */
struct kit_slice kit_slice_trim(struct kit_slice slice);

/* Removes the part up to the separator from the front of *rest.
   Returns false if nothing is left. */
bool kit_slice_next(struct kit_slice *rest, char separator, struct kit_slice *part);

#endif
