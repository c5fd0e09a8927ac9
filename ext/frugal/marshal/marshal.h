/* The roots of a store, read and written one by one: Frugal::Native::C::MarshalIndex and MarshalTable. */
#ifndef FRUGAL_MARSHAL_H
#define FRUGAL_MARSHAL_H

#include <ruby.h>
#include <stdbool.h>

/*
 * Reports whether this object is a table that certainly has not changed. Returns false for any other object, and in
 * doubt.
 */
bool frugal_marshal_table_unchanged(VALUE table);

/* A table for the next transaction: `table` itself, reset, if it is of the class `kind`; otherwise a new one. */
VALUE frugal_marshal_table_renew(VALUE table, VALUE kind, VALUE index);

void frugal_marshal_init(VALUE module);

#endif
