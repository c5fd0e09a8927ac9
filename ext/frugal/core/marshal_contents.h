/* What an index has, by what it is: its symbols, and those strings and numbers that several roots link to. Plain C. */
#ifndef FRUGAL_MARSHAL_CONTENTS_H
#define FRUGAL_MARSHAL_CONTENTS_H

#include "marshal_index.h"

/* The first symbol or object of the store that is as this one of `other`, or NONE. The object is not of kind OTHER. */
uint32_t frugal_marshal_find_symbol(const frugal_marshal_index *store, const frugal_marshal_index *other, const frugal_marshal_symbol *symbol);
uint32_t frugal_marshal_find_object(const frugal_marshal_index *store, const frugal_marshal_index *other, const frugal_marshal_object *object);

/* Makes the table that they look in, where there is none. False: no memory. */
bool frugal_marshal_contents_make(frugal_marshal_index *store);
void frugal_marshal_contents_drop(frugal_marshal_index *store);

/* How many bytes a number or a class takes, that was scanned before. */
uint32_t frugal_marshal_value_length(const unsigned char *bytes, uint32_t at);

/* Bytes, and what they are of: equal contents, equal objects. */
typedef struct {
    const unsigned char *bytes;
    uint32_t length;
    uint8_t tag;
} frugal_marshal_content;

frugal_marshal_content frugal_marshal_content_of(const unsigned char *bytes, const frugal_marshal_object *object);
bool frugal_marshal_content_equal(const frugal_marshal_content *one, const frugal_marshal_content *other);

#endif
