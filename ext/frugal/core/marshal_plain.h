/* Values that are so simple that no loader is needed. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_MARSHAL_PLAIN_H
#define FRUGAL_MARSHAL_PLAIN_H

#include "marshal_index.h"

typedef struct {
    enum {
        FRUGAL_MARSHAL_PLAIN_NIL, FRUGAL_MARSHAL_PLAIN_TRUE, FRUGAL_MARSHAL_PLAIN_FALSE, FRUGAL_MARSHAL_PLAIN_INTEGER,
        FRUGAL_MARSHAL_PLAIN_STRING
    } type;
    int64_t integer;
    const unsigned char *text;
    uint32_t length;
    uint8_t encoding;
} frugal_marshal_plain;

/*
 * A root's value, if it is nil, true, false, a small integer, or a String of its
 * own without instance variables in UTF-8, US-ASCII or binary.
 */
bool frugal_marshal_index_plain(const frugal_marshal_index *index, uint32_t root, frugal_marshal_plain *plain);

/* Writes an integer below 2^30 as Marshal does, type and all; how many bytes, 6 at most. */
size_t frugal_marshal_write_small(unsigned char *to, int32_t integer);

#endif
