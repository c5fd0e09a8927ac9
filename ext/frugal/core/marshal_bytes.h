/* Marshal's bytes, written. Plain C. */
#ifndef FRUGAL_MARSHAL_BYTES_H
#define FRUGAL_MARSHAL_BYTES_H

#include "marshal_index.h"

void frugal_marshal_put(frugal_marshal_bytes *out, const void *bytes, size_t size);
void frugal_marshal_put_byte(frugal_marshal_bytes *out, unsigned char byte);
void frugal_marshal_put_long(frugal_marshal_bytes *out, uint32_t number);

/* A string or symbol up to its encoding: 'I' where it tells one, its type, its text. */
void frugal_marshal_put_text(frugal_marshal_bytes *out, unsigned char type, const unsigned char *bytes, const frugal_marshal_symbol *text);

#endif
