/* What the table of a store asks of the index of its bytes. */
#ifndef FRUGAL_MARSHAL_H
#define FRUGAL_MARSHAL_H

#include "frugal.h"

#include <stdbool.h>
#include <stdint.h>

#include "core/marshal_plain.h"

/* The root of this key, or FRUGAL_MARSHAL_NONE. */
uint32_t frugal_marshal_root_of(VALUE index, VALUE key);

/* False where Marshal has to load the value. */
bool frugal_marshal_plain_of(VALUE index, uint32_t root, frugal_marshal_plain *plain);

VALUE frugal_marshal_plain_value(const frugal_marshal_plain *plain);

/* Whether this object would be dumped as that. */
bool frugal_marshal_is_plain(VALUE value, const frugal_marshal_plain *plain);

/* Whether this is a table that is plain to see to be as it was; of any object. */
bool frugal_marshal_table_unchanged(VALUE table);

/* The same object for another transaction. */
void frugal_marshal_table_renew(VALUE table, VALUE index);

void frugal_marshal_table_init(void);

#endif
