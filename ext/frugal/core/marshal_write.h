/*
 * A dump being written, from the parts of others: what they have in common is
 * linked, and whatever is linked but is not there yet is copied. Plain C.
 */
#ifndef FRUGAL_MARSHAL_WRITE_H
#define FRUGAL_MARSHAL_WRITE_H

#include "marshal_index.h"

/* What has come into the dump, for whom it may concern; zeros to begin with. */
typedef struct {
    frugal_marshal_symbol *symbols; /* `text` is a place in the dump */
    frugal_marshal_object *objects; /* so is `at`; the `owner` is 0 where a program sees it, or NONE */
    uint32_t symbol_count, symbol_room, object_count, object_room;
} frugal_marshal_news;

typedef struct {
    frugal_marshal_index *source;  /* whose parts are written; it remembers their numbers */
    frugal_marshal_bytes *out;
    uint32_t objects, symbols;     /* the next numbers */
    frugal_marshal_index *store;   /* what else is in the dump, by its contents; or NULL */
    bool in_place;                 /* that is: all of it with numbers below these; else what has its number there */
    uint32_t objects_there, symbols_there;
    frugal_marshal_news *news;     /* or NULL */
    bool as_key;                   /* the next value becomes a Hash's key */
    uint32_t top_object, top_symbol; /* one more than the greatest that was linked */
    bool failed;                   /* no memory */
} frugal_marshal_writer;

void frugal_marshal_put(frugal_marshal_bytes *out, const void *bytes, size_t size);
void frugal_marshal_put_byte(frugal_marshal_bytes *out, unsigned char byte);
void frugal_marshal_put_long(frugal_marshal_bytes *out, uint32_t number);

/* Before the first part of an index is written, and after the last. False: no memory. */
bool frugal_marshal_write_begin(frugal_marshal_index *index);
void frugal_marshal_write_end(frugal_marshal_index *index);

/* Writes a root's value, or its key and value, or its key, of the source. */
void frugal_marshal_write_root(frugal_marshal_writer *to, uint32_t root, bool with_key);
void frugal_marshal_write_key(frugal_marshal_writer *to, uint32_t root);

#endif
