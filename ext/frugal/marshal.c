/*
 * Frugal::Native::C::MarshalIndex: where the roots of a store lie in its bytes,
 * and a dump of each alone.
 */
#include "marshal.h"

#include <ruby/encoding.h>

static void
index_mark(void *data)
{
    rb_gc_mark(((marshal_index *)data)->bytes); /* where it is, it stays */
    rb_gc_mark(((marshal_index *)data)->numbers);
}

static void
index_free(void *data)
{
    rb_gc_adjust_memory_usage(-(ssize_t)((marshal_index *)data)->told);
    frugal_marshal_index_free(&((marshal_index *)data)->index);
    xfree(data);
}

static size_t
index_size_in_memory(const void *data)
{
    const frugal_marshal_index *index = &((const marshal_index *)data)->index;

    return sizeof(marshal_index) + index->own.room + index->count * sizeof(*index->roots) + index->object_room * sizeof(*index->objects) +
           index->symbols.room * sizeof(*index->symbols.list) + (index->slot_mask + 1) * sizeof(*index->slots);
}

static const rb_data_type_t index_type = {
    .wrap_struct_name = "Frugal::Native::C::MarshalIndex",
    .function = { .dmark = index_mark, .dfree = index_free, .dsize = index_size_in_memory },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY
};

void
frugal_marshal_tell_collector(marshal_index *data)
{
    size_t size = index_size_in_memory(data);

    rb_gc_adjust_memory_usage((ssize_t)size - (ssize_t)data->told);
    data->told = size;
}

marshal_index *
frugal_marshal_get(VALUE self)
{
    marshal_index *data = rb_check_typeddata(self, &index_type);

    if (data->spent) rb_raise(rb_eRuntimeError, "frugal: an update was refused; read the store again");
    return data;
}

/* Of an Integer: to_int might be anybody's code, that changes what was looked at before. */
static uint32_t
root_number(const marshal_index *data, VALUE number)
{
    long root;

    Check_Type(number, T_FIXNUM);
    root = FIX2LONG(number);
    if (root < 0 || root >= (long)data->index.count) rb_raise(rb_eIndexError, "frugal: the store has no root %ld", root);
    return (uint32_t)root;
}

/* -String gives one of a class of its own, or with instance variables, another's bytes, though it is frozen. */
static VALUE
to_keep(VALUE bytes)
{
    if (RBASIC_CLASS(bytes) == rb_cString && rb_ivar_count(bytes) == 0) return rb_str_new_frozen(bytes);
    return rb_obj_freeze(rb_str_new(RSTRING_PTR(bytes), RSTRING_LEN(bytes)));
}

/* MarshalIndex.new(bytes) -> MarshalIndex, or nil where the bytes are none that it can tell the roots of */
static VALUE
index_new(VALUE klass, VALUE bytes)
{
    marshal_index *data;
    VALUE self;
    enum frugal_marshal_reason reason;

    StringValue(bytes);
    self = TypedData_Make_Struct(klass, marshal_index, &index_type, data);
    data->numbers = Qnil;
    data->bytes = to_keep(bytes);
    reason = frugal_marshal_index_read(&data->index, (const unsigned char *)RSTRING_PTR(data->bytes),
                                       (size_t)RSTRING_LEN(data->bytes), (uint64_t)rb_memhash("frugal", 6));
    if (reason == FRUGAL_MARSHAL_NO_MEMORY) rb_memerror();
    frugal_marshal_tell_collector(data);
    if (reason != FRUGAL_MARSHAL_FINE) return Qnil;
    for (uint32_t root = 0; root < data->index.count && !data->code; root++) data->code = data->index.roots[root].code;
    RB_GC_GUARD(bytes);
    return self;
}

static VALUE
index_size(VALUE self)
{
    return UINT2NUM(frugal_marshal_get(self)->index.count);
}

/* bytes -> String, the store as it is */
static VALUE
index_bytes(VALUE self)
{
    marshal_index *data = frugal_marshal_get(self);

    return NIL_P(data->bytes) ? rb_str_new((const char *)data->index.bytes, data->index.size) : data->bytes;
}

static VALUE
index_bytesize(VALUE self)
{
    return UINT2NUM(frugal_marshal_get(self)->index.size);
}

/* -- keys -- */

static rb_encoding *
encoding_of(uint8_t encoding)
{
    return encoding == FRUGAL_MARSHAL_UTF8 ? rb_utf8_encoding() : encoding == FRUGAL_MARSHAL_ASCII ? rb_usascii_encoding() : rb_ascii8bit_encoding();
}

/* As Marshal.load would leave it in a Hash: a String is the one that literals of the same text are. */
static VALUE
key_at(const marshal_index *data, uint32_t root)
{
    frugal_marshal_key key;

    frugal_marshal_index_key(&data->index, root, &key);
    if (key.type == FRUGAL_MARSHAL_INTEGER) return LL2NUM(key.integer);
    if (key.type == FRUGAL_MARSHAL_SYMBOLIC) {
        return rb_str_intern(rb_enc_str_new((const char *)key.text, key.length, encoding_of(key.told)));
    }
    return rb_enc_interned_str((const char *)key.text, key.length, encoding_of(key.told));
}

/* keys -> Array, in the order of the store */
static VALUE
index_keys(VALUE self)
{
    marshal_index *data = frugal_marshal_get(self);
    VALUE keys = rb_ary_new_capa(data->index.count);

    for (uint32_t root = 0; root < data->index.count; root++) rb_ary_push(keys, key_at(data, root));
    RB_GC_GUARD(self);
    return keys;
}

static VALUE
index_key(VALUE self, VALUE number)
{
    marshal_index *data = frugal_marshal_get(self);

    return key_at(data, root_number(data, number));
}

/* What core itself would compare is looked up here. */
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
    *read = (frugal_marshal_key){
        .type = SYMBOL_P(key) ? FRUGAL_MARSHAL_SYMBOLIC : FRUGAL_MARSHAL_TEXT,
        .text = (const unsigned char *)RSTRING_PTR(text), .length = (uint32_t)RSTRING_LEN(text), .encoding = FRUGAL_MARSHAL_UNTOLD
    };
    if (RSTRING_LEN(text) >= UINT32_MAX || !rb_enc_asciicompat(rb_enc_get(text))) return false;
    encoding = rb_enc_get_index(text);
    if (read->length == 0 || rb_enc_str_asciionly_p(text) || encoding == rb_ascii8bit_encindex()) return true;
    if (encoding == rb_utf8_encindex()) read->encoding = FRUGAL_MARSHAL_UTF8;
    else if (encoding == rb_usascii_encindex()) read->encoding = FRUGAL_MARSHAL_ASCII;
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

            for (root = 0; root < data->index.count; root++) rb_hash_aset(numbers, key_at(data, root), UINT2NUM(root));
            data->numbers = numbers;
        }
        number = rb_hash_lookup(data->numbers, key);
        return NIL_P(number) ? FRUGAL_MARSHAL_NONE : NUM2UINT(number);
    }
    root = frugal_marshal_index_find(&data->index, &read);
    RB_GC_GUARD(key);
    return root;
}

/* find(key) -> the number of its root, or nil */
static VALUE
index_find(VALUE self, VALUE key)
{
    uint32_t root = frugal_marshal_root_of(self, key);

    return root == FRUGAL_MARSHAL_NONE ? Qnil : UINT2NUM(root);
}

/* -- roots -- */

/* code?(number), or of any root, perhaps one that is gone: may loading it run code, or raise, as of an unknown class? */
static VALUE
index_code_p(int argc, VALUE *argv, VALUE self)
{
    marshal_index *data = frugal_marshal_get(self);
    VALUE number;

    if (rb_scan_args(argc, argv, "01", &number) == 0) return data->code ? Qtrue : Qfalse;
    return data->index.roots[root_number(data, number)].code ? Qtrue : Qfalse;
}

/* times? -> whether there is a Time: Time._load is called as it is loaded, and code? does not count that */
static VALUE
index_times_p(VALUE self)
{
    return frugal_marshal_get(self)->index.times ? Qtrue : Qfalse;
}

/* group(number) -> the numbers of the roots that it shares objects with, itself too, ascending; nil if it is alone */
static VALUE
index_group(VALUE self, VALUE number)
{
    marshal_index *data = frugal_marshal_get(self);
    uint32_t root = root_number(data, number), group = frugal_marshal_index_group(&data->index, root);
    VALUE numbers;

    if (!data->index.roots[root].entangled) return Qnil;
    numbers = rb_ary_new();
    for (root = 0; root < data->index.count; root++) {
        if (frugal_marshal_index_group(&data->index, root) == group) rb_ary_push(numbers, UINT2NUM(root));
    }
    return numbers;
}

/* span(number) -> [offset, length] of its value in the store, in bytes */
static VALUE
index_span(VALUE self, VALUE number)
{
    marshal_index *data = frugal_marshal_get(self);
    const frugal_marshal_root *root = data->index.roots + root_number(data, number);

    return rb_assoc_new(UINT2NUM(root->value), UINT2NUM(root[1].key - root->value));
}

/* slice(offset, length) -> that part of the store */
static VALUE
index_slice(VALUE self, VALUE offset, VALUE length)
{
    const frugal_marshal_index *index = &frugal_marshal_get(self)->index;
    uint32_t from = NUM2UINT(offset), size = NUM2UINT(length);

    if (from > index->size || size > index->size - from) rb_raise(rb_eRangeError, "frugal: the store is not that large");
    return rb_str_new((const char *)index->bytes + from, size);
}

VALUE
frugal_marshal_root_numbers(const marshal_index *data, VALUE numbers, bool ascending)
{
    long count = RARRAY_LEN(numbers);
    VALUE roots = rb_str_new(NULL, count * (long)sizeof(uint32_t));

    for (long i = 0; i < count; i++) {
        uint32_t *root = (uint32_t *)RSTRING_PTR(roots) + i;

        *root = root_number(data, rb_ary_entry(numbers, i));
        if (ascending && i > 0 && root[-1] >= *root) rb_raise(rb_eArgError, "frugal: the numbers of roots must ascend");
    }
    return roots;
}

/* Many roots of one dump, and where that is written. */
typedef struct {
    marshal_index *data;
    VALUE roots;
    bool as_array;
    frugal_marshal_bytes dump;
} extraction;

static VALUE
dump_body(VALUE arg)
{
    extraction *call = (extraction *)arg;
    const uint32_t *roots = (const uint32_t *)RSTRING_PTR(call->roots);

    if (!frugal_marshal_extract(&call->data->index, roots, frugal_marshal_count(call->roots), call->as_array, &call->dump)) rb_memerror();
    return rb_str_new((const char *)call->dump.bytes, (long)call->dump.used);
}

static VALUE
dump_free(VALUE arg)
{
    free(((extraction *)arg)->dump.bytes);
    return Qnil;
}

/*
 * dump_of(number) -> a dump of its value
 * dump_of([number, ...]) -> a dump of an Array of their values; the numbers ascend
 */
static VALUE
index_dump_of(VALUE self, VALUE numbers)
{
    extraction call = { .data = frugal_marshal_get(self), .as_array = RB_TYPE_P(numbers, T_ARRAY) };
    VALUE dump;

    call.roots = frugal_marshal_root_numbers(call.data, call.as_array ? numbers : rb_ary_new_from_args(1, numbers), true);
    dump = rb_ensure(dump_body, (VALUE)&call, dump_free, (VALUE)&call);
    RB_GC_GUARD(call.roots);
    RB_GC_GUARD(self);
    return dump;
}

bool
frugal_marshal_plain_of(VALUE self, uint32_t root, frugal_marshal_plain *plain)
{
    const frugal_marshal_index *index = &frugal_marshal_get(self)->index;

    return root < index->count && frugal_marshal_index_plain(index, root, plain);
}

VALUE
frugal_marshal_plain_value(const frugal_marshal_plain *plain)
{
    switch (plain->type) {
      case FRUGAL_MARSHAL_PLAIN_NIL: return Qnil;
      case FRUGAL_MARSHAL_PLAIN_TRUE: return Qtrue;
      case FRUGAL_MARSHAL_PLAIN_FALSE: return Qfalse;
      case FRUGAL_MARSHAL_PLAIN_INTEGER: return LL2NUM(plain->integer);
      default: return rb_enc_str_new((const char *)plain->text, plain->length, encoding_of(plain->encoding));
    }
}

bool
frugal_marshal_is_plain(VALUE value, const frugal_marshal_plain *plain)
{
    if (plain->type != FRUGAL_MARSHAL_PLAIN_STRING) return value == frugal_marshal_plain_value(plain);
    return RB_TYPE_P(value, T_STRING) && RBASIC_CLASS(value) == rb_cString && rb_ivar_count(value) == 0 &&
           rb_enc_get(value) == encoding_of(plain->encoding) && (uint32_t)RSTRING_LEN(value) == plain->length &&
           memcmp(RSTRING_PTR(value), plain->text, plain->length) == 0;
}

/* load(number) -> its value; the index itself where the root shares objects with others: see group */
static VALUE
index_load(VALUE self, VALUE number)
{
    marshal_index *data = frugal_marshal_get(self);
    uint32_t root = root_number(data, number);
    frugal_marshal_plain plain;
    VALUE value, dump;

    if (data->index.roots[root].entangled) return self;
    if (frugal_marshal_index_plain(&data->index, root, &plain)) return frugal_marshal_plain_value(&plain);
    dump = index_dump_of(self, number);
    value = rb_marshal_load(dump);
    RB_GC_GUARD(dump); /* Marshal reads on in it, and marks it not */
    return value;
}

void
frugal_marshal_init(void)
{
    VALUE index = rb_define_class_under(frugal_mC, "MarshalIndex", rb_cObject);

    rb_undef_alloc_func(index);
    rb_define_singleton_method(index, "new", index_new, 1);
    rb_define_method(index, "size", index_size, 0);
    rb_define_method(index, "bytes", index_bytes, 0);
    rb_define_method(index, "bytesize", index_bytesize, 0);
    rb_define_method(index, "keys", index_keys, 0);
    rb_define_method(index, "key", index_key, 1);
    rb_define_method(index, "find", index_find, 1);
    rb_define_method(index, "code?", index_code_p, -1);
    rb_define_method(index, "times?", index_times_p, 0);
    rb_define_method(index, "group", index_group, 1);
    rb_define_method(index, "span", index_span, 1);
    rb_define_method(index, "slice", index_slice, 2);
    rb_define_method(index, "dump_of", index_dump_of, 1);
    rb_define_method(index, "load", index_load, 1);
    frugal_marshal_patch_init(index);
    frugal_marshal_table_init();
}
