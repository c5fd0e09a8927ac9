#ifndef KIT_UTF8_H
#define KIT_UTF8_H

#include <stdint.h>

#include "slice.h"

#define KIT_UTF8_INVALID UINT32_MAX

/* Takes one code point off the front of *rest; KIT_UTF8_INVALID takes one
   byte. Overlong forms and surrogates are invalid. Needs a rest that is not
   empty. */
uint32_t kit_utf8_next(struct kit_slice *rest);

/* The number of code points; an invalid byte counts as one. */
size_t kit_utf8_length(struct kit_slice slice);

#endif
