/* The table of keys, for marshal_index.c while it reads. Does not depend on Ruby. */
#ifndef FRUGAL_MARSHAL_KEYS_H
#define FRUGAL_MARSHAL_KEYS_H

#include "core/marshal/marshal_index.h"

/* Makes a key of a text: a Symbol if `symbolic`, else a String. */
void frugal_marshal_text_key(const frugal_marshal_index *index, const frugal_marshal_symbol *text, bool symbolic,
                             frugal_marshal_key *key);

/* Makes an empty table with room for all roots. Returns false if out of memory. */
bool frugal_marshal_make_slots(frugal_marshal_index *index);

/* Adds a root to the table. Returns false if another root has this key. */
bool frugal_marshal_insert_key(frugal_marshal_index *index, uint32_t root, const frugal_marshal_key *key);

#endif
