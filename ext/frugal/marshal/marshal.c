/* Frugal::Native::C::MarshalIndex: finds the roots of a store in its bytes, and makes a dump of each of them. */
#include "marshal/marshal.h"

#include "marshal/marshal_internal.h"

static VALUE
index_size(VALUE self)
{
    return UINT2NUM(frugal_marshal_get(self)->index.count);
}

/* memsize -> the memory of the index, with its bytes. The index may be invalid. */
static VALUE
index_memsize(VALUE self)
{
    return SIZET2NUM(frugal_marshal_size_in_memory(self));
}

/* bytes -> String, the complete store */
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

/* keys -> Array, in the order of the store */
static VALUE
index_keys(VALUE self)
{
    marshal_index *data = frugal_marshal_get(self);
    VALUE keys = rb_ary_new_capa(data->index.count);

    for (uint32_t root = 0; root < data->index.count; root++) rb_ary_push(keys, frugal_marshal_key_at(data, root));
    RB_GC_GUARD(self);
    return keys;
}

static VALUE
index_key(VALUE self, VALUE number)
{
    marshal_index *data = frugal_marshal_get(self);

    return frugal_marshal_key_at(data, frugal_marshal_root_number(data, number));
}

/* find(key) -> the number of the root with this key, or nil */
static VALUE
index_find(VALUE self, VALUE key)
{
    uint32_t root = frugal_marshal_root_of(self, key);

    return root == FRUGAL_MARSHAL_NONE ? Qnil : UINT2NUM(root);
}

/* -- roots -- */

/*
 * code?(number) -> whether loading the root may run code, or raise (for an unknown class)
 * code?         -> the same for any root, even one that has been removed
 */
static VALUE
index_code_p(int argc, VALUE *argv, VALUE self)
{
    marshal_index *data = frugal_marshal_get(self);
    VALUE number;

    if (rb_scan_args(argc, argv, "01", &number) == 0) return data->runs_code ? Qtrue : Qfalse;
    return data->index.roots[frugal_marshal_root_number(data, number)].runs_code ? Qtrue : Qfalse;
}

/* times? -> whether there is a Time. Loading a Time calls Time._load, which code? ignores. */
static VALUE
index_times_p(VALUE self)
{
    return frugal_marshal_get(self)->index.has_times ? Qtrue : Qfalse;
}

/*
 * group(number) -> the ascending numbers of this root and the roots that share objects with it; nil if there are none
 */
static VALUE
index_group(VALUE self, VALUE number)
{
    marshal_index *data = frugal_marshal_get(self);
    uint32_t root = frugal_marshal_root_number(data, number), group = frugal_marshal_index_group(&data->index, root);
    VALUE numbers;

    if (!data->index.roots[root].shares_objects) return Qnil;
    numbers = rb_ary_new();
    for (root = 0; root < data->index.count; root++) {
        if (frugal_marshal_index_group(&data->index, root) == group) rb_ary_push(numbers, UINT2NUM(root));
    }
    return numbers;
}

/* span(number) -> [offset, length] of the root's value in the store, in bytes */
static VALUE
index_span(VALUE self, VALUE number)
{
    marshal_index *data = frugal_marshal_get(self);
    const frugal_marshal_root *root = data->index.roots + frugal_marshal_root_number(data, number);

    return rb_assoc_new(UINT2NUM(root->value), UINT2NUM(root[1].key - root->value));
}

/* slice(offset, length) -> that part of the store, as a String */
static VALUE
index_slice(VALUE self, VALUE offset, VALUE length)
{
    const frugal_marshal_index *index = &frugal_marshal_get(self)->index;
    uint32_t from = NUM2UINT(offset), size = NUM2UINT(length);

    if (from > index->size || size > index->size - from) {
        rb_raise(rb_eRangeError, "frugal: the store is not that large");
    }
    return rb_str_new((const char *)index->bytes + from, size);
}

/* A call of dump_of: some roots, and the dump to write. */
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
    uint32_t count = frugal_marshal_count(call->roots);

    if (!frugal_marshal_extract(&call->data->index, roots, count, call->as_array, &call->dump)) rb_memerror();
    return rb_str_new((const char *)call->dump.bytes, (long)call->dump.used);
}

static VALUE
dump_free(VALUE arg)
{
    free(((extraction *)arg)->dump.bytes);
    frugal_marshal_report_memory(((extraction *)arg)->data);
    return Qnil;
}

/*
 * dump_of(number) -> a dump of the root's value
 * dump_of([number, ...]) -> a dump of an Array of the roots' values; the numbers must ascend
 */
static VALUE
index_dump_of(VALUE self, VALUE numbers)
{
    extraction call = { .data = frugal_marshal_get(self), .as_array = RB_TYPE_P(numbers, T_ARRAY) };
    VALUE dump;

    if (!call.as_array) numbers = rb_ary_new_from_args(1, numbers);
    call.roots = frugal_marshal_root_numbers(call.data, numbers, true);
    dump = rb_ensure(dump_body, (VALUE)&call, dump_free, (VALUE)&call);
    RB_GC_GUARD(call.roots);
    RB_GC_GUARD(self);
    return dump;
}

/* load(number) -> the root's value; the index itself if the root shares objects with others (see group) */
static VALUE
index_load(VALUE self, VALUE number)
{
    marshal_index *data = frugal_marshal_get(self);
    uint32_t root = frugal_marshal_root_number(data, number);
    frugal_marshal_scalar scalar;
    VALUE value, dump;

    if (data->index.roots[root].shares_objects) return self;
    if (frugal_marshal_index_scalar(&data->index, root, &scalar)) return frugal_marshal_scalar_value(&scalar);
    dump = index_dump_of(self, number);
    value = rb_marshal_load(dump);
    RB_GC_GUARD(dump); /* Marshal.load reads it without marking it */
    return value;
}

void
frugal_marshal_init(VALUE module)
{
    VALUE index = rb_define_class_under(module, "MarshalIndex", rb_cObject);

    rb_undef_alloc_func(index);
    rb_define_singleton_method(index, "new", frugal_marshal_new, -1);
    rb_define_method(index, "size", index_size, 0);
    rb_define_method(index, "memsize", index_memsize, 0);
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
    frugal_marshal_table_init(module);
}
