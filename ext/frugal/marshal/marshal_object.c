/* Makes and marks the Ruby object MarshalIndex, and reports its memory to the garbage collector. */
#include "marshal/marshal_internal.h"

#include "native_memory.h"

static void
index_mark(void *data)
{
    rb_gc_mark(((marshal_index *)data)->bytes); /* pinned: the index points into it */
    rb_gc_mark(((marshal_index *)data)->numbers);
}

static void
index_free(void *data)
{
    frugal_marshal_index_free(&((marshal_index *)data)->index);
    frugal_native_memory_report(&((marshal_index *)data)->reported, 0);
    xfree(data);
}

/* The size of the memory that the index has allocated by malloc. */
static size_t
index_memory(const marshal_index *data)
{
    const frugal_marshal_index *index = &data->index;
    const frugal_marshal_numbers *numbers = &index->numbers;
    size_t words = 0; /* of four bytes */

    if (index->slots) words += (size_t)index->slot_mask + 1;
    if (index->contents) words += (size_t)index->content_mask + 1;
    if (index->groups) words += index->count;
    if (numbers->objects) words += (size_t)index->object_count + index->symbols.count + numbers->touched_room;
    return index->own.room + index->root_room * sizeof(*index->roots) + index->object_room * sizeof(*index->objects) +
           index->symbols.room * sizeof(*index->symbols.list) + words * sizeof(uint32_t);
}

static size_t
index_size_in_memory(const void *data)
{
    return sizeof(marshal_index) + index_memory(data);
}

static const rb_data_type_t index_type = {
    .wrap_struct_name = "Frugal::Native::C::MarshalIndex",
    .function = { .dmark = index_mark, .dfree = index_free, .dsize = index_size_in_memory },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY
};

void
frugal_marshal_report_memory(marshal_index *data)
{
    frugal_native_memory_report(&data->reported, index_memory(data));
}

marshal_index *
frugal_marshal_get(VALUE self)
{
    marshal_index *data = rb_check_typeddata(self, &index_type);

    if (data->invalid) rb_raise(rb_eRuntimeError, "frugal: this index is outdated; read the store again");
    return data;
}

/*
 * A frozen String of these bytes. Copies a String of a subclass or with instance variables: `-string` may replace the
 * bytes of such a String, even if it is frozen.
 */
static VALUE
frozen_bytes(VALUE bytes)
{
    if (RBASIC_CLASS(bytes) == rb_cString && rb_ivar_count(bytes) == 0) return rb_str_new_frozen(bytes);
    return rb_obj_freeze(rb_str_new(RSTRING_PTR(bytes), RSTRING_LEN(bytes)));
}

VALUE
frugal_marshal_outdated_bytes(VALUE self)
{
    const marshal_index *data = rb_check_typeddata(self, &index_type);

    return data->outdated ? data->bytes : Qnil;
}

static enum frugal_marshal_reason
read_bytes(marshal_index *data, VALUE outdated)
{
    const unsigned char *bytes = (const unsigned char *)RSTRING_PTR(data->bytes);
    size_t size = (size_t)RSTRING_LEN(data->bytes);
    uint64_t seed = (uint64_t)rb_memhash("frugal", 6);
    marshal_index *old;
    enum frugal_marshal_reason reason;

    if (NIL_P(outdated)) return frugal_marshal_index_read(&data->index, bytes, size, seed);
    old = rb_check_typeddata(outdated, &index_type);
    /* A program may still use a table of the old index. */
    if (NIL_P(old->bytes)) old->bytes = rb_obj_freeze(rb_str_new((const char *)old->index.bytes, old->index.size));
    old->invalid = old->outdated = true;
    old->numbers = Qnil;
    reason = frugal_marshal_index_reread(&data->index, &old->index, bytes, size, seed);
    frugal_marshal_report_memory(old);
    return reason;
}

/*
 * MarshalIndex.new(bytes, outdated = nil) -> MarshalIndex; nil: the bytes cannot be
 * indexed. The new index takes over the memory of `outdated`, which becomes invalid.
 */
VALUE
frugal_marshal_new(int argc, VALUE *argv, VALUE klass)
{
    marshal_index *data;
    VALUE self, bytes, outdated;
    enum frugal_marshal_reason reason;

    rb_scan_args(argc, argv, "11", &bytes, &outdated);
    StringValue(bytes);
    self = TypedData_Make_Struct(klass, marshal_index, &index_type, data);
    data->numbers = Qnil;
    data->bytes = frozen_bytes(bytes);
    reason = read_bytes(data, outdated);
    if (reason == FRUGAL_MARSHAL_NO_MEMORY) rb_memerror();
    frugal_marshal_report_memory(data);
    if (reason != FRUGAL_MARSHAL_OK) return Qnil;
    for (uint32_t root = 0; root < data->index.count && !data->runs_code; root++) {
        data->runs_code = data->index.roots[root].runs_code;
    }
    RB_GC_GUARD(bytes);
    return self;
}

size_t
frugal_marshal_size_in_memory(VALUE self)
{
    const marshal_index *data = rb_check_typeddata(self, &index_type);

    return index_size_in_memory(data) + (NIL_P(data->bytes) ? 0 : data->index.size);
}
