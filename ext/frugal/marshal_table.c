/*
 * Frugal::Native::C::MarshalTable: the common questions to the table of a
 * transaction, over an index of its roots. What is rarer is done above, in
 * Frugal::Store::MarshalTable.
 */
#include "marshal.h"

enum { FEW = 16 };

typedef struct {
    VALUE value;
    uint32_t root;
} pair;

typedef struct {
    VALUE index;
    pair few[FEW]; /* roots and values: those that can be changed in place, and those set */
    int count;
    VALUE read;    /* {number => value}: the same, in place of few, once they are many or the class above asks; or nil */
    VALUE removed; /* {number => true}, or nil */
    VALUE added;   /* {key => value}, or nil */
    VALUE whole;   /* the Hash that took its place, or nil */
} marshal_table;

static ID id_decode;

static void
table_mark(void *data)
{
    marshal_table *table = data;

    rb_gc_mark(table->index);
    for (int i = 0; i < table->count; i++) rb_gc_mark(table->few[i].value);
    rb_gc_mark(table->read);
    rb_gc_mark(table->removed);
    rb_gc_mark(table->added);
    rb_gc_mark(table->whole);
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

    table->index = table->read = table->removed = table->added = table->whole = Qnil;
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
hash_at(VALUE *hash)
{
    if (NIL_P(*hash)) *hash = rb_hash_new();
    return *hash;
}

/* What was read of a root, or set; Qundef where nothing was. */
static VALUE
kept(const marshal_table *table, uint32_t root)
{
    for (int i = 0; i < table->count; i++) {
        if (table->few[i].root == root) return table->few[i].value;
    }
    return NIL_P(table->read) ? Qundef : rb_hash_lookup2(table->read, UINT2NUM(root), Qundef);
}

/* {number => value} */
static VALUE
read_hash(marshal_table *table)
{
    VALUE read = hash_at(&table->read);

    for (int i = 0; i < table->count; i++) rb_hash_aset(read, UINT2NUM(table->few[i].root), table->few[i].value);
    table->count = 0;
    return read;
}

static void
keep(marshal_table *table, uint32_t root, VALUE value)
{
    if (!NIL_P(table->read) || table->count == FEW) {
        rb_hash_aset(read_hash(table), UINT2NUM(root), value);
        return;
    }
    for (int i = 0; i < table->count; i++) {
        if (table->few[i].root == root) {
            table->few[i].value = value;
            return;
        }
    }
    table->few[table->count++] = (pair){ value, root };
}

/* The root of a key that is still there as a root. */
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

static VALUE
table_aref(VALUE self, VALUE key)
{
    marshal_table *table = get(self);
    frugal_marshal_plain plain;
    uint32_t root;
    VALUE value;

    if (!NIL_P(table->whole)) return rb_hash_aref(table->whole, key);
    root = root_of(table, key);
    if (root == FRUGAL_MARSHAL_NONE) return added_at(table, key);
    value = kept(table, root);
    if (value != Qundef) return value;
    if (!frugal_marshal_plain_of(table->index, root, &plain)) return rb_funcall(self, id_decode, 1, UINT2NUM(root));
    value = frugal_marshal_plain_value(&plain);
    /* A String can be changed in place, and has to stay the same object. */
    if (plain.type == FRUGAL_MARSHAL_PLAIN_STRING) keep(table, root, value);
    return value;
}

static VALUE
table_aset(VALUE self, VALUE key, VALUE value)
{
    marshal_table *table = get(self);
    uint32_t root;

    if (!NIL_P(table->whole)) return rb_hash_aset(table->whole, key, value);
    root = root_of(table, key);
    if (root == FRUGAL_MARSHAL_NONE) rb_hash_aset(hash_at(&table->added), key, value);
    else keep(table, root, value);
    return value;
}

static VALUE
table_key_p(VALUE self, VALUE key)
{
    marshal_table *table = get(self);
    VALUE hash = table->whole;

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
    if (!NIL_P(table->whole) || !NIL_P(table->removed) || !NIL_P(table->added)) return false;
    if (!NIL_P(table->read)) return RHASH_SIZE(table->read) == 0;
    for (int i = 0; i < table->count; i++) {
        const pair *one = table->few + i;
        frugal_marshal_plain plain;

        if (!frugal_marshal_plain_of(table->index, one->root, &plain) || !frugal_marshal_is_plain(one->value, &plain)) return false;
        /* Two roots may be one object now. */
        for (int j = 0; j < i && plain.type == FRUGAL_MARSHAL_PLAIN_STRING; j++) {
            if (table->few[j].value == one->value) return false;
        }
    }
    return true;
}

void
frugal_marshal_table_renew(VALUE self, VALUE index)
{
    marshal_table *table = get(self);

    table->index = index;
    table->count = 0;
    table->read = table->removed = table->added = table->whole = Qnil;
}

static int
take(VALUE number, VALUE value, VALUE arg)
{
    *(pair *)arg = (pair){ value, NUM2UINT(number) };
    return ST_STOP;
}

/* All that was read or set, where that is of one root. */
static bool
only_one(const marshal_table *table, pair *one)
{
    if (!NIL_P(table->whole) || !NIL_P(table->removed) || !NIL_P(table->added)) return false;
    if (NIL_P(table->read)) {
        *one = table->few[0];
        return table->count == 1;
    }
    rb_hash_foreach(table->read, take, (VALUE)one);
    return RHASH_SIZE(table->read) == 1;
}

/*
 * single -> [number, dump], where all that may have changed is one root that was
 * set to nil, true, false or a small integer: a dump of an Array of that; or nil
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

/* unchanged? -> whether it is plain to see that all is as it was; false: perhaps */
static VALUE
table_unchanged_p(VALUE self)
{
    return frugal_marshal_table_unchanged(self) ? Qtrue : Qfalse;
}

/* -- for the class above -- */

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
    return hash_at(&get(self)->removed);
}

static VALUE
table_added(VALUE self)
{
    return hash_at(&get(self)->added);
}

static VALUE
table_whole(VALUE self)
{
    return get(self)->whole;
}

static VALUE
table_become(VALUE self, VALUE whole)
{
    return get(self)->whole = whole;
}

void
frugal_marshal_table_init(void)
{
    VALUE table = rb_define_class_under(frugal_mC, "MarshalTable", rb_cBasicObject);

    id_decode = rb_intern("decode");
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
