/*
 * Writes a dump from parts of other dumps: an object or symbol that the dump already has becomes a link, and the target
 * of a link is copied if the dump does not have it yet. Does not depend on Ruby.
 */
#ifndef FRUGAL_MARSHAL_WRITE_H
#define FRUGAL_MARSHAL_WRITE_H

#include "core/marshal/marshal_index.h"

/* The symbols and objects that were written to the dump, in the order of their numbers. Initialize with zeros. */
typedef struct {
    frugal_marshal_symbol *symbols; /* `text` is an offset in the dump */
    frugal_marshal_object *objects; /* `at` is an offset in the dump; `owner` is 0 (a program can see it) or NONE */
    uint32_t symbol_count, symbol_room, object_count, object_room;
} frugal_marshal_additions;

/*
 * `store`, if not NULL, is an index with other contents of the dump, to link to by content. With `in_place`, the dump
 * replaces a part of the store's own bytes: objects and symbols with numbers below `objects_there` and `symbols_there`
 * precede that part. Otherwise, objects and symbols with a number in `store->numbers` have been written.
 */
typedef struct {
    frugal_marshal_index *source; /* the index whose parts are written, with the numbers given so far */
    frugal_marshal_bytes *out;
    uint32_t objects, symbols; /* the next numbers */
    frugal_marshal_index *store;
    bool in_place;
    uint32_t objects_there, symbols_there;
    frugal_marshal_additions *additions;       /* or NULL */
    bool as_key;                               /* the next value becomes a Hash's key */
    uint32_t object_link_end, symbol_link_end; /* the greatest number that a link was written to, plus one */
    bool failed;                               /* no memory */
} frugal_marshal_writer;

void frugal_marshal_put(frugal_marshal_bytes *out, const void *bytes, size_t size);
void frugal_marshal_put_byte(frugal_marshal_bytes *out, unsigned char byte);
void frugal_marshal_put_long(frugal_marshal_bytes *out, uint32_t number);

/* Call these before the first part of an index is written, and after the last. Begin returns false if out of memory. */
bool frugal_marshal_write_begin(frugal_marshal_index *index);
void frugal_marshal_write_end(frugal_marshal_index *index);

/* Writes the value of a root of the source, or its key and value. */
void frugal_marshal_write_root(frugal_marshal_writer *to, uint32_t root, bool with_key);

/* Writes the key of a root of the source. */
void frugal_marshal_write_key(frugal_marshal_writer *to, uint32_t root);

#endif
