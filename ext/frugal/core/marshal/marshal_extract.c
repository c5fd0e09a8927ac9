#include "core/marshal/marshal_write.h"

bool
frugal_marshal_extract(frugal_marshal_index *index, const uint32_t *roots, uint32_t count, bool as_array,
                       frugal_marshal_bytes *dump)
{
    frugal_marshal_writer to = { .source = index, .out = dump };

    if (!frugal_marshal_write_begin(index)) return false;
    frugal_marshal_put(dump, "\4\10", 2);
    if (as_array) {
        frugal_marshal_put_byte(dump, '[');
        frugal_marshal_put_long(dump, count);
        to.objects = 1; /* the Array has number 0 */
    }
    for (uint32_t i = 0; i < count; i++) frugal_marshal_write_root(&to, roots[i], false);
    frugal_marshal_write_end(index);
    return !to.failed && !dump->failed;
}
