#ifndef KIT_UTF8_H
#define KIT_UTF8_H

#include <stdint.h>

#include "slice.h"

#define KIT_UTF8_INVALID UINT32_MAX

/* Removes one code point from the front of *rest and returns it. If it is
   invalid, removes one byte and returns KIT_UTF8_INVALID. Overlong forms and
   surrogates are invalid. *rest must not be empty. */
uint32_t kit_utf8_next(struct kit_slice *rest);

/* Returns the number of code points; an invalid byte counts as one. */
size_t kit_utf8_length(struct kit_slice slice);

#endif
