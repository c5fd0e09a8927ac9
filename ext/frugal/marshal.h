/* Frugal::Native::C::MarshalIndex, and what the table of a store asks of it. */
#ifndef FRUGAL_MARSHAL_H
#define FRUGAL_MARSHAL_H

#include "frugal.h"

#include <stdbool.h>
#include <stdint.h>

#include "core/marshal_plain.h"

typedef struct {
    frugal_marshal_index index;
    VALUE bytes;   /* what was read; nil once the index has bytes of its own */
    VALUE numbers; /* {key => its root's number}, for keys that the index cannot look up; or nil */
    bool spent;    /* an update was refused halfway */
    bool code;     /* of any root: see code?; and of one that is gone since */
    size_t told;   /* bytes that the collector knows of */
} marshal_index;

/* RuntimeError where an update was refused halfway. */
marshal_index *frugal_marshal_get(VALUE index);

/* What malloc gave counts too: who reads anew and anew would else pile up indexes between two collections. */
void frugal_marshal_tell_collector(marshal_index *data);

/* An Array's numbers of roots as a String of uint32_t; how many these are. Ascending: each once. IndexError for one that is not there. */
VALUE frugal_marshal_root_numbers(const marshal_index *data, VALUE numbers, bool ascending);

static inline uint32_t
frugal_marshal_count(VALUE roots)
{
    return (uint32_t)(RSTRING_LEN(roots) / (long)sizeof(uint32_t));
}

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

void frugal_marshal_patch_init(VALUE klass);
void frugal_marshal_table_init(void);

#endif
