/* Looks up roots by key and number, and makes the values that do not need Marshal.load. */
#include "marshal/marshal_internal.h"

#include <ruby/encoding.h>

/* Accepts only an Integer, since a `to_int` of the program could change the index. */
uint32_t
frugal_marshal_root_number(const marshal_index *data, VALUE number)
{
    long root;

    Check_Type(number, T_FIXNUM);
    root = FIX2LONG(number);
    if (root < 0 || root >= (long)data->index.count) {
        rb_raise(rb_eIndexError, "frugal: the store has no root %ld", root);
    }
    return (uint32_t)root;
}

static rb_encoding *
encoding_of(uint8_t encoding)
{
    if (encoding == FRUGAL_MARSHAL_UTF8) return rb_utf8_encoding();
    return encoding == FRUGAL_MARSHAL_ASCII ? rb_usascii_encoding() : rb_ascii8bit_encoding();
}

/* The key that Marshal.load puts into the Hash: a String is interned. */
VALUE
frugal_marshal_key_at(const marshal_index *data, uint32_t root)
{
    frugal_marshal_key key;

    frugal_marshal_index_key(&data->index, root, &key);
    if (key.type == FRUGAL_MARSHAL_INTEGER) return LL2NUM(key.integer);
    if (key.type == FRUGAL_MARSHAL_SYMBOLIC) {
        return rb_str_intern(rb_enc_str_new((const char *)key.text, key.length, encoding_of(key.encoding)));
    }
    return rb_enc_interned_str((const char *)key.text, key.length, encoding_of(key.encoding));
}

/* Converts a key for the index. Returns false if the index cannot look it up, since comparing it may need Ruby code. */
static bool
read_key(VALUE key, frugal_marshal_key *read)
{
    VALUE text = key;
    int encoding;

    if (FIXNUM_P(key)) {
        *read = (frugal_marshal_key){ .type = FRUGAL_MARSHAL_INTEGER, .integer = FIX2LONG(key) };
        return true;
    }
    if (SYMBOL_P(key)) text = rb_sym2str(key);
    else if (!RB_TYPE_P(key, T_STRING) || RBASIC_CLASS(key) != rb_cString) return false;
    *read = (frugal_marshal_key){ .type = SYMBOL_P(key) ? FRUGAL_MARSHAL_SYMBOLIC : FRUGAL_MARSHAL_TEXT,
                                  .text = (const unsigned char *)RSTRING_PTR(text),
                                  .length = (uint32_t)RSTRING_LEN(text),
                                  .compared_encoding = FRUGAL_MARSHAL_NO_ENCODING };
    if (RSTRING_LEN(text) >= UINT32_MAX || !rb_enc_asciicompat(rb_enc_get(text))) return false;
    encoding = rb_enc_get_index(text);
    if (read->length == 0 || rb_enc_str_asciionly_p(text) || encoding == rb_ascii8bit_encindex()) return true;
    if (encoding == rb_utf8_encindex()) read->compared_encoding = FRUGAL_MARSHAL_UTF8;
    else if (encoding == rb_usascii_encindex()) read->compared_encoding = FRUGAL_MARSHAL_ASCII;
    else return false;
    return true;
}

uint32_t
frugal_marshal_root_of(VALUE self, VALUE key)
{
    marshal_index *data = frugal_marshal_get(self);
    frugal_marshal_key read;
    uint32_t root;

    if (!read_key(key, &read)) {
        VALUE number;

        if (NIL_P(data->numbers)) {
            VALUE numbers = rb_hash_new();

            for (root = 0; root < data->index.count; root++) {
                rb_hash_aset(numbers, frugal_marshal_key_at(data, root), UINT2NUM(root));
            }
            data->numbers = numbers;
        }
        number = rb_hash_lookup(data->numbers, key);
        return NIL_P(number) ? FRUGAL_MARSHAL_NONE : NUM2UINT(number);
    }
    root = frugal_marshal_index_find(&data->index, &read);
    RB_GC_GUARD(key);
    return root;
}

VALUE
frugal_marshal_root_numbers(const marshal_index *data, VALUE numbers, bool ascending)
{
    long count = RARRAY_LEN(numbers);
    VALUE roots = rb_str_new(NULL, count * (long)sizeof(uint32_t));

    for (long i = 0; i < count; i++) {
        uint32_t *root = (uint32_t *)RSTRING_PTR(roots) + i;

        *root = frugal_marshal_root_number(data, rb_ary_entry(numbers, i));
        if (ascending && i > 0 && root[-1] >= *root) rb_raise(rb_eArgError, "frugal: the numbers of roots must ascend");
    }
    return roots;
}

bool
frugal_marshal_scalar_of(VALUE self, uint32_t root, frugal_marshal_scalar *scalar)
{
    const frugal_marshal_index *index = &frugal_marshal_get(self)->index;

    return root < index->count && frugal_marshal_index_scalar(index, root, scalar);
}

VALUE
frugal_marshal_scalar_value(const frugal_marshal_scalar *scalar)
{
    switch (scalar->type) {
    case FRUGAL_MARSHAL_SCALAR_NIL: return Qnil;
    case FRUGAL_MARSHAL_SCALAR_TRUE: return Qtrue;
    case FRUGAL_MARSHAL_SCALAR_FALSE: return Qfalse;
    case FRUGAL_MARSHAL_SCALAR_INTEGER: return LL2NUM(scalar->integer);
    default: return rb_enc_str_new((const char *)scalar->text, scalar->length, encoding_of(scalar->encoding));
    }
}

bool
frugal_marshal_equals_scalar(VALUE value, const frugal_marshal_scalar *scalar)
{
    if (scalar->type != FRUGAL_MARSHAL_SCALAR_STRING) return value == frugal_marshal_scalar_value(scalar);
    return RB_TYPE_P(value, T_STRING) && RBASIC_CLASS(value) == rb_cString && rb_ivar_count(value) == 0 &&
           rb_enc_get(value) == encoding_of(scalar->encoding) && (uint32_t)RSTRING_LEN(value) == scalar->length &&
           memcmp(RSTRING_PTR(value), scalar->text, scalar->length) == 0;
}
