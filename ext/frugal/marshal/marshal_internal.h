/* Frugal::Native::C::MarshalIndex, and its functions for the table of a store. */
#ifndef FRUGAL_MARSHAL_INTERNAL_H
#define FRUGAL_MARSHAL_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "binding.h"
#include "core/marshal/marshal.h"

typedef struct {
    frugal_marshal_index index;
    VALUE bytes;     /* the String that was read; nil once the index has its own bytes */
    VALUE numbers;   /* {key => number of its root}, for keys that the index cannot look up; or nil */
    bool invalid;    /* an update failed halfway, or the index is outdated */
    bool outdated;   /* another index has taken over its memory; only `bytes` is left */
    bool runs_code;  /* loading some root, perhaps a removed one, may run code: see code? */
    size_t reported; /* see native_memory.h */
} marshal_index;

VALUE frugal_marshal_new(int argc, VALUE *argv, VALUE klass);

/* The memory of an index, including its bytes. The index may be invalid. */
size_t frugal_marshal_size_in_memory(VALUE index);

/* The bytes of an outdated index; nil for any other. */
VALUE frugal_marshal_outdated_bytes(VALUE index);

/* Raises RuntimeError if the index is invalid. */
marshal_index *frugal_marshal_get(VALUE index);

/* Reports the memory of an index to the garbage collector. */
void frugal_marshal_report_memory(marshal_index *data);

uint32_t frugal_marshal_root_number(const marshal_index *data, VALUE number);
VALUE frugal_marshal_key_at(const marshal_index *data, uint32_t root);

/*
 * Packs an Array of root numbers into a String of uint32_t. Raises IndexError for a root that does not exist; with
 * `ascending`, ArgumentError unless the numbers ascend.
 */
VALUE frugal_marshal_root_numbers(const marshal_index *data, VALUE numbers, bool ascending);

/* The number of roots in such a String. */
static inline uint32_t
frugal_marshal_count(VALUE roots)
{
    return (uint32_t)(RSTRING_LEN(roots) / (long)sizeof(uint32_t));
}

/* The root of this key, or FRUGAL_MARSHAL_NONE. */
uint32_t frugal_marshal_root_of(VALUE index, VALUE key);

/* Returns false if the value needs Marshal.load. */
bool frugal_marshal_scalar_of(VALUE index, uint32_t root, frugal_marshal_scalar *scalar);

VALUE frugal_marshal_scalar_value(const frugal_marshal_scalar *scalar);

/* Reports whether Marshal.dump writes this object as this scalar. */
bool frugal_marshal_equals_scalar(VALUE value, const frugal_marshal_scalar *scalar);

void frugal_marshal_patch_init(VALUE klass);
void frugal_marshal_table_init(VALUE module);

#endif
