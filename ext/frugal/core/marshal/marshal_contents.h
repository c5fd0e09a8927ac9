/*
 * Finds a symbol, String or number of an index by its content. The table has all symbols, and the Strings and numbers
 * that another root links to. Does not depend on Ruby.
 */
#ifndef FRUGAL_MARSHAL_CONTENTS_H
#define FRUGAL_MARSHAL_CONTENTS_H

#include "core/marshal/marshal_index.h"

/*
 * The first symbol or object of `store` with the same content as this symbol or object of `other`, or
 * FRUGAL_MARSHAL_NONE. The object must not be of kind OTHER.
 */
uint32_t frugal_marshal_find_symbol(const frugal_marshal_index *store, const frugal_marshal_index *other,
                                    const frugal_marshal_symbol *symbol);
uint32_t frugal_marshal_find_object(const frugal_marshal_index *store, const frugal_marshal_index *other,
                                    const frugal_marshal_object *object);

/* Makes the table that the functions above search, unless it exists. Returns false if out of memory. */
bool frugal_marshal_contents_make(frugal_marshal_index *store);
void frugal_marshal_contents_drop(frugal_marshal_index *store);

/* The length in bytes of a number or a class that was scanned before. */
uint32_t frugal_marshal_value_length(const unsigned char *bytes, uint32_t at);

/* The bytes of an object, and a tag for its type and encoding. Objects with equal contents are equal. */
typedef struct {
    const unsigned char *bytes;
    uint32_t length;
    uint8_t tag;
} frugal_marshal_content;

frugal_marshal_content frugal_marshal_content_of(const unsigned char *bytes, const frugal_marshal_object *object);
bool frugal_marshal_content_equal(const frugal_marshal_content *one, const frugal_marshal_content *other);

#endif
