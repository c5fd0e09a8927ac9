/*
 * Frugal::Native::C::MarshalTable: the table of a transaction, over an index of the store's roots. It has the most
 * frequent methods of a Hash; its subclass Frugal::Store::MarshalTable has the other methods.
 */
#include "marshal/marshal.h"

#include "marshal/marshal_internal.h"

enum { MAX_PAIRS = 16 };

typedef struct {
    VALUE value;
    uint32_t root;
} pair;

typedef struct {
    VALUE index;
    pair pairs[MAX_PAIRS]; /* values that were set, and values that were read and can be changed in place */
    int count;
    VALUE read;    /* {number => value}: replaces `pairs` if there are more, or if the subclass needs a Hash; or nil */
    VALUE removed; /* {number => true}, or nil */
    VALUE added;   /* {key => value}, or nil */
    VALUE hash;    /* the Hash that has replaced the table, or nil; `whole` in Ruby */
} marshal_table;

static ID id_decode, id_complete;

static void
table_mark(void *data)
{
    marshal_table *table = data;

    rb_gc_mark(table->index);
    for (int i = 0; i < table->count; i++) rb_gc_mark(table->pairs[i].value);
    rb_gc_mark(table->read);
    rb_gc_mark(table->removed);
    rb_gc_mark(table->added);
    rb_gc_mark(table->hash);
}

static size_t
table_size(const void *data)
{
    return sizeof(marshal_table);
}

static const rb_data_type_t table_type = {
    .wrap_struct_name = "Frugal::Native::C::MarshalTable",
    .function = { .dmark = table_mark, .dfree = RUBY_DEFAULT_FREE, .dsize = table_size },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY
};

static VALUE
table_alloc(VALUE klass)
{
    marshal_table *table;
    VALUE self = TypedData_Make_Struct(klass, marshal_table, &table_type, table);

    table->index = table->read = table->removed = table->added = table->hash = Qnil;
    return self;
}

static marshal_table *
get(VALUE self)
{
    return rb_check_typeddata(self, &table_type);
}

static VALUE
table_initialize(VALUE self, VALUE index)
{
    get(self)->index = index;
    return self;
}

static VALUE
ensure_hash(VALUE *hash)
{
    if (NIL_P(*hash)) *hash = rb_hash_new();
    return *hash;
}

/* The value of a root if it was read or set before; otherwise Qundef. */
static VALUE
value_of(const marshal_table *table, uint32_t root)
{
    for (int i = 0; i < table->count; i++) {
        if (table->pairs[i].root == root) return table->pairs[i].value;
    }
    return NIL_P(table->read) ? Qundef : rb_hash_lookup2(table->read, UINT2NUM(root), Qundef);
}

/* Moves the pairs into `read`, and returns `read`. */
static VALUE
read_hash(marshal_table *table)
{
    VALUE read = ensure_hash(&table->read);

    for (int i = 0; i < table->count; i++) rb_hash_aset(read, UINT2NUM(table->pairs[i].root), table->pairs[i].value);
    table->count = 0;
    return read;
}

static void
set_value(marshal_table *table, uint32_t root, VALUE value)
{
    if (!NIL_P(table->read) || table->count == MAX_PAIRS) {
        rb_hash_aset(read_hash(table), UINT2NUM(root), value);
        return;
    }
    for (int i = 0; i < table->count; i++) {
        if (table->pairs[i].root == root) {
            table->pairs[i].value = value;
            return;
        }
    }
    table->pairs[table->count++] = (pair){ value, root };
}

/* The root of a key; NONE if there is no root, or if it was removed. */
static uint32_t
root_of(const marshal_table *table, VALUE key)
{
    uint32_t root = frugal_marshal_root_of(table->index, key);

    if (root == FRUGAL_MARSHAL_NONE || NIL_P(table->removed)) return root;
    return RTEST(rb_hash_lookup(table->removed, UINT2NUM(root))) ? FRUGAL_MARSHAL_NONE : root;
}

static VALUE
added_at(const marshal_table *table, VALUE key)
{
    return NIL_P(table->added) ? Qnil : rb_hash_lookup(table->added, key);
}

/*
 * The Hash that has replaced the table, or nil. If a program uses the table after
 * its transaction, and the file has been read again since, a Hash of the old bytes
 * replaces it.
 */
static VALUE
hash_of(VALUE self, marshal_table *table)
{
    VALUE bytes;

    if (!NIL_P(table->hash) || NIL_P(table->index)) return table->hash;
    bytes = frugal_marshal_outdated_bytes(table->index);
    if (!NIL_P(bytes)) table->hash = rb_funcall(self, id_complete, 1, rb_marshal_load(bytes));
    return table->hash;
}

static VALUE
table_aref(VALUE self, VALUE key)
{
    marshal_table *table = get(self);
    frugal_marshal_scalar scalar;
    uint32_t root;
    VALUE value;

    if (!NIL_P(hash_of(self, table))) return rb_hash_aref(table->hash, key);
    root = root_of(table, key);
    if (root == FRUGAL_MARSHAL_NONE) return added_at(table, key);
    value = value_of(table, root);
    if (value != Qundef) return value;
    if (!frugal_marshal_scalar_of(table->index, root, &scalar)) return rb_funcall(self, id_decode, 1, UINT2NUM(root));
    value = frugal_marshal_scalar_value(&scalar);
    /* A program can change a String in place, so it must get the same object each time. */
    if (scalar.type == FRUGAL_MARSHAL_SCALAR_STRING) set_value(table, root, value);
    return value;
}

static VALUE
table_aset(VALUE self, VALUE key, VALUE value)
{
    marshal_table *table = get(self);
    uint32_t root;

    if (!NIL_P(hash_of(self, table))) return rb_hash_aset(table->hash, key, value);
    root = root_of(table, key);
    if (root == FRUGAL_MARSHAL_NONE) rb_hash_aset(ensure_hash(&table->added), key, value);
    else set_value(table, root, value);
    return value;
}

static VALUE
table_key_p(VALUE self, VALUE key)
{
    marshal_table *table = get(self);
    VALUE hash = hash_of(self, table);

    if (NIL_P(hash) && root_of(table, key) != FRUGAL_MARSHAL_NONE) return Qtrue;
    if (NIL_P(hash)) hash = table->added;
    return !NIL_P(hash) && rb_hash_lookup2(hash, key, Qundef) != Qundef ? Qtrue : Qfalse;
}

bool
frugal_marshal_table_unchanged(VALUE self)
{
    const marshal_table *table;

    if (!RB_TYPE_P(self, T_DATA) || !rb_typeddata_is_kind_of(self, &table_type)) return false;
    table = DATA_PTR(self);
    if (!NIL_P(table->hash) || !NIL_P(table->removed) || !NIL_P(table->added)) return false;
    if (!NIL_P(table->read)) return RHASH_SIZE(table->read) == 0;
    for (int i = 0; i < table->count; i++) {
        const pair *one = table->pairs + i;
        frugal_marshal_scalar scalar;

        if (!frugal_marshal_scalar_of(table->index, one->root, &scalar)) return false;
        if (!frugal_marshal_equals_scalar(one->value, &scalar)) return false;
        /* The program may have set two roots to the same object: Marshal.dump would write a link. */
        for (int j = 0; j < i && scalar.type == FRUGAL_MARSHAL_SCALAR_STRING; j++) {
            if (table->pairs[j].value == one->value) return false;
        }
    }
    return true;
}

VALUE
frugal_marshal_table_renew(VALUE self, VALUE kind, VALUE index)
{
    marshal_table *table;

    if (CLASS_OF(self) != kind) self = table_alloc(kind);
    table = get(self);
    table->index = index;
    table->count = 0;
    table->read = table->removed = table->added = table->hash = Qnil;
    return self;
}

static int
take_first(VALUE number, VALUE value, VALUE arg)
{
    *(pair *)arg = (pair){ value, NUM2UINT(number) };
    return ST_STOP;
}

/*
 * Gets the only pair that was read or set. Returns false if there is not exactly one, or if roots were added or
 * removed.
 */
static bool
only_one(const marshal_table *table, pair *one)
{
    if (!NIL_P(table->hash) || !NIL_P(table->removed) || !NIL_P(table->added)) return false;
    if (NIL_P(table->read)) {
        *one = table->pairs[0];
        return table->count == 1;
    }
    rb_hash_foreach(table->read, take_first, (VALUE)one);
    return RHASH_SIZE(table->read) == 1;
}

/*
 * single -> [number, dump] if the only root that may have changed was set to nil, true, false or a small integer;
 * otherwise nil. `dump` is a dump of an Array of that value.
 */
static VALUE
table_single(VALUE self)
{
    unsigned char dump[10] = { 4, 8, '[', 6 };
    size_t used = 4;
    pair one;

    if (!only_one(get(self), &one)) return Qnil;
    if (FIXNUM_P(one.value) && FIX2LONG(one.value) >= -(1L << 30) && FIX2LONG(one.value) < 1L << 30) {
        used += frugal_marshal_write_small(dump + used, (int32_t)FIX2LONG(one.value));
    }
    else if (NIL_P(one.value)) dump[used++] = '0';
    else if (one.value == Qtrue) dump[used++] = 'T';
    else if (one.value == Qfalse) dump[used++] = 'F';
    else return Qnil;
    return rb_assoc_new(UINT2NUM(one.root), rb_str_new((const char *)dump, (long)used));
}

/* unchanged? -> true: the table certainly has not changed; false: perhaps it has */
static VALUE
table_unchanged_p(VALUE self)
{
    return frugal_marshal_table_unchanged(self) ? Qtrue : Qfalse;
}

/* -- for the subclass -- */

static VALUE
table_index(VALUE self)
{
    return get(self)->index;
}

static VALUE
table_read(VALUE self)
{
    return read_hash(get(self));
}

static VALUE
table_removed(VALUE self)
{
    return ensure_hash(&get(self)->removed);
}

static VALUE
table_added(VALUE self)
{
    return ensure_hash(&get(self)->added);
}

static VALUE
table_whole(VALUE self)
{
    return hash_of(self, get(self));
}

static VALUE
table_become(VALUE self, VALUE hash)
{
    return get(self)->hash = hash;
}

void
frugal_marshal_table_init(VALUE module)
{
    VALUE table = rb_define_class_under(module, "MarshalTable", rb_cBasicObject);

    id_decode = rb_intern("decode");
    id_complete = rb_intern("complete");
    rb_define_alloc_func(table, table_alloc);
    rb_define_private_method(table, "initialize", table_initialize, 1);
    rb_define_method(table, "[]", table_aref, 1);
    rb_define_method(table, "[]=", table_aset, 2);
    rb_define_method(table, "key?", table_key_p, 1);
    rb_define_method(table, "unchanged?", table_unchanged_p, 0);
    rb_define_method(table, "single", table_single, 0);
    rb_define_private_method(table, "index", table_index, 0);
    rb_define_private_method(table, "read", table_read, 0);
    rb_define_private_method(table, "removed", table_removed, 0);
    rb_define_private_method(table, "added", table_added, 0);
    rb_define_private_method(table, "whole", table_whole, 0);
    rb_define_private_method(table, "become", table_become, 1);
}
