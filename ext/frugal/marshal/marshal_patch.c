/* Frugal::Native::C::MarshalIndex#update: applies a transaction to the store, and returns the patches for its file. */
#include "marshal/marshal_internal.h"

#include <limits.h>

#include "core/marshal/marshal.h"

typedef struct {
    marshal_index *data;
    VALUE changed, removed;
    long added;
    VALUE dump;
    frugal_marshal_index values;
    frugal_marshal_patch *patches;
} update_call;

static VALUE
patches_of(const update_call *call, uint32_t count)
{
    VALUE patches = rb_ary_new_capa(count);

    for (uint32_t i = 0; i < count; i++) {
        const frugal_marshal_patch *patch = call->patches + i;
        VALUE bytes = rb_str_new((const char *)call->data->index.bytes + patch->from, patch->length);

        rb_ary_push(patches, rb_assoc_new(UINT2NUM(patch->from), bytes));
    }
    return patches;
}

static VALUE
update_body(VALUE arg)
{
    update_call *call = (update_call *)arg;
    marshal_index *data = call->data;
    uint32_t changed = frugal_marshal_count(call->changed), count = 0;
    enum frugal_marshal_reason reason;
    enum frugal_marshal_outcome outcome = FRUGAL_MARSHAL_REFUSED;

    reason = frugal_marshal_index_read_list(&call->values, (const unsigned char *)RSTRING_PTR(call->dump),
                                            (size_t)RSTRING_LEN(call->dump));
    if (reason == FRUGAL_MARSHAL_NO_MEMORY) rb_memerror();
    if (reason == FRUGAL_MARSHAL_OK) {
        frugal_marshal_update update = { .changed = (const uint32_t *)RSTRING_PTR(call->changed),
                                         .changed_count = changed,
                                         .removed = (const uint32_t *)RSTRING_PTR(call->removed),
                                         .removed_count = frugal_marshal_count(call->removed),
                                         .added_count = (uint32_t)call->added,
                                         .values = &call->values };

        if (call->values.count != changed + 2 * call->added) {
            rb_raise(rb_eArgError, "frugal: the values are not as many as the roots");
        }
        call->patches = ALLOC_N(frugal_marshal_patch, changed + 2);
        data->invalid = true;
        for (uint32_t i = 0; i < call->values.count && !data->runs_code; i++) {
            data->runs_code = call->values.roots[i].runs_code;
        }
        outcome = frugal_marshal_index_update(&data->index, &update, call->patches, &count);
    }
    if (outcome == FRUGAL_MARSHAL_EXHAUSTED) rb_memerror();
    if (outcome == FRUGAL_MARSHAL_REFUSED) return Qnil;
    data->invalid = false;
    if (data->index.own.bytes != NULL) data->bytes = Qnil;
    data->numbers = Qnil;
    return patches_of(call, count);
}

static VALUE
update_free(VALUE arg)
{
    update_call *call = (update_call *)arg;

    frugal_marshal_index_free(&call->values);
    xfree(call->patches);
    frugal_marshal_report_memory(call->data);
    return Qnil;
}

/*
 * update(changed, removed, added, dump) -> [[offset, bytes], ...], or nil
 *
 * Applies a transaction. `dump` is a dump of an Array: the new values of the roots with the numbers `changed`, then a
 * key and a value for each of the `added` new roots. The index becomes that of the new store, whose bytes are `bytes`.
 * The patches are the spans that differ from the old store: to update a file with the old bytes, write the patches and
 * cut the file at `bytesize`. If the Array is empty, nothing has changed.
 *
 * nil: roots share objects, so the table needs Marshal.dump. The index is invalid then. It must also not be used if the
 * patches could not be written.
 */
static VALUE
index_update(VALUE self, VALUE changed, VALUE removed, VALUE added, VALUE dump)
{
    update_call call = { .added = NUM2LONG(added), .dump = rb_str_new_frozen(StringValue(dump)) };
    VALUE patches;

    call.data = frugal_marshal_get(self); /* from here on, no other code can change the index */
    Check_Type(changed, T_ARRAY);
    Check_Type(removed, T_ARRAY);
    if (call.added < 0 || call.added > INT_MAX) rb_raise(rb_eArgError, "frugal: %ld roots cannot be added", call.added);
    call.changed = frugal_marshal_root_numbers(call.data, changed, false);
    call.removed = frugal_marshal_root_numbers(call.data, removed, true);
    patches = rb_ensure(update_body, (VALUE)&call, update_free, (VALUE)&call);
    RB_GC_GUARD(call.changed);
    RB_GC_GUARD(call.removed);
    RB_GC_GUARD(call.dump);
    RB_GC_GUARD(self);
    return patches;
}

void
frugal_marshal_patch_init(VALUE index)
{
    rb_define_method(index, "update", index_update, 4);
}
