/* Values that can be made without Marshal.load. Does not depend on Ruby. */
#ifndef FRUGAL_MARSHAL_SCALAR_H
#define FRUGAL_MARSHAL_SCALAR_H

#include "core/marshal/marshal_index.h"

typedef struct {
    enum {
        FRUGAL_MARSHAL_SCALAR_NIL,
        FRUGAL_MARSHAL_SCALAR_TRUE,
        FRUGAL_MARSHAL_SCALAR_FALSE,
        FRUGAL_MARSHAL_SCALAR_INTEGER,
        FRUGAL_MARSHAL_SCALAR_STRING
    } type;
    int64_t integer;
    const unsigned char *text;
    uint32_t length;
    uint8_t encoding;
} frugal_marshal_scalar;

/*
 * Reads a root's value if it is nil, true, false, a small integer, or a String in UTF-8, US-ASCII or binary that has no
 * instance variables and that no other root shares. Returns false for any other value.
 */
bool frugal_marshal_index_scalar(const frugal_marshal_index *index, uint32_t root, frugal_marshal_scalar *scalar);

/* Writes an integer below 2^30 as Marshal.dump does, with its type byte. Returns the number of bytes, at most 6. */
size_t frugal_marshal_write_small(unsigned char *to, int32_t integer);

#endif
