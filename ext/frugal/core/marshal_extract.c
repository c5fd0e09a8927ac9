#include "marshal_bytes.h"

#include <stdlib.h>
#include <string.h>

/* A dump being written, and the numbers given out in it. */
typedef struct {
    frugal_marshal_index *index;
    frugal_marshal_bytes *out;
    uint32_t objects, symbols;
    uint32_t *touched; /* what has a number, in pairs: is it a symbol? which? */
    size_t touched_count, touched_room;
    bool failed;
} extract;

/* Remembers that numbers[at] is to be 0 again. */
static void
number(extract *to, bool symbol, uint32_t at, uint32_t given)
{
    if (to->touched_count + 2 > to->touched_room) {
        size_t room = to->touched_room * 2 + 64;
        uint32_t *grown = realloc(to->touched, room * sizeof(*grown));

        if (grown == NULL) {
            to->failed = true;
            return;
        }
        to->touched = grown;
        to->touched_room = room;
    }
    to->touched[to->touched_count++] = symbol;
    to->touched[to->touched_count++] = at;
    (symbol ? to->index->symbol_numbers : to->index->object_numbers)[at] = given + 1;
}

static void put_symbol(extract *to, uint32_t symbol);

static void
put_encoding(extract *to, uint32_t teller, uint8_t encoding)
{
    frugal_marshal_put_byte(to->out, 6);
    put_symbol(to, teller);
    frugal_marshal_put_byte(to->out, encoding == FRUGAL_MARSHAL_UTF8 ? 'T' : 'F');
}

/* By its number, or at its first use as it is. */
static void
put_symbol(extract *to, uint32_t symbol)
{
    const frugal_marshal_symbol *text = to->index->symbols.list + symbol;
    uint32_t given = to->index->symbol_numbers[symbol];

    if (given != 0) {
        frugal_marshal_put_byte(to->out, ';');
        frugal_marshal_put_long(to->out, given - 1);
        return;
    }
    number(to, true, symbol, to->symbols++);
    frugal_marshal_put_text(to->out, ':', to->index->bytes, text);
    if (text->encoding != FRUGAL_MARSHAL_UNTOLD) put_encoding(to, to->index->teller, text->encoding);
}

/* Where a number or a class ends. */
static uint32_t
end_of_value(const frugal_marshal_index *index, uint32_t at)
{
    frugal_marshal_scan scan;
    bool big = index->bytes[at] == 'l';
    int64_t length = 0;

    frugal_marshal_scan_init(&scan, index->bytes, index->size, NULL);
    scan.at = at + (big ? 2 : 1);
    frugal_marshal_read_long(&scan, &length);
    return scan.at + (uint32_t)length * (big ? 2 : 1);
}

static void
put_object(extract *to, uint32_t linked)
{
    const frugal_marshal_index *index = to->index;
    const frugal_marshal_object *object = index->objects + linked;
    uint32_t given = index->object_numbers[linked];

    if (given != 0) {
        frugal_marshal_put_byte(to->out, '@');
        frugal_marshal_put_long(to->out, given - 1);
        return;
    }
    number(to, false, linked, to->objects++);
    if (object->kind == FRUGAL_MARSHAL_STRING) {
        frugal_marshal_symbol text;

        frugal_marshal_string_at(index->bytes, object->at, &text);
        frugal_marshal_put_text(to->out, '"', index->bytes, &text);
        if (text.encoding != FRUGAL_MARSHAL_UNTOLD) put_encoding(to, index->teller, text.encoding);
    } else {
        frugal_marshal_put(to->out, index->bytes + object->at, end_of_value(index, object->at) - object->at);
    }
}

static void
put_root(extract *to, uint32_t which)
{
    const frugal_marshal_index *index = to->index;
    const frugal_marshal_root *root = index->roots + which;
    const unsigned char *bytes = index->bytes;
    frugal_marshal_scan scan;
    frugal_marshal_token token;
    uint32_t copied = root->value;

    frugal_marshal_scan_init(&scan, bytes, root[1].key, &to->index->symbols);
    scan.at = root->value;
    scan.objects = root->objects;
    scan.symbols = root->symbols;
    frugal_marshal_expect_values(&scan, 1);
    while (scan.depth > 0 && frugal_marshal_next(&scan, &token)) {
        switch (token.type) {
        case FRUGAL_MARSHAL_SYMBOL: case FRUGAL_MARSHAL_SYMBOL_LINK: case FRUGAL_MARSHAL_LINK:
            frugal_marshal_put(to->out, bytes + copied, token.at - copied);
            if (token.type == FRUGAL_MARSHAL_LINK) put_object(to, token.number);
            else put_symbol(to, token.number);
            copied = token.end;
            break;
        case FRUGAL_MARSHAL_OBJECT: case FRUGAL_MARSHAL_LATE_OBJECT:
            number(to, false, token.number, to->objects++);
            if (token.type == FRUGAL_MARSHAL_LATE_OBJECT || !token.told) break;
            frugal_marshal_put(to->out, bytes + copied, token.text.text + token.text.length - copied);
            put_encoding(to, token.teller, token.text.encoding);
            copied = token.end;
            break;
        default: break;
        }
    }
    frugal_marshal_put(to->out, bytes + copied, scan.at - copied);
}

/* One number for each, zeros between extractions. */
static bool
make_room(frugal_marshal_index *index)
{
    if (index->object_numbers != NULL) return true;
    index->object_numbers = calloc((size_t)index->object_count + 1, sizeof(*index->object_numbers));
    index->symbol_numbers = calloc((size_t)index->symbols.count + 1, sizeof(*index->symbol_numbers));
    if (index->object_numbers != NULL && index->symbol_numbers != NULL) return true;
    free(index->object_numbers);
    free(index->symbol_numbers);
    index->object_numbers = index->symbol_numbers = NULL;
    return false;
}

bool
frugal_marshal_extract(frugal_marshal_index *index, const uint32_t *roots, uint32_t count, bool as_array, frugal_marshal_bytes *dump)
{
    extract to = { .index = index, .out = dump };

    if (!make_room(index)) return false;
    frugal_marshal_put(dump, "\4\10", 2);
    if (as_array) {
        frugal_marshal_put_byte(dump, '[');
        frugal_marshal_put_long(dump, count);
        to.objects = 1;
    }
    for (uint32_t i = 0; i < count && !to.failed; i++) put_root(&to, roots[i]);
    for (size_t i = 0; i < to.touched_count; i += 2) {
        (to.touched[i] ? index->symbol_numbers : index->object_numbers)[to.touched[i + 1]] = 0;
    }
    free(to.touched);
    return !to.failed && !dump->failed;
}
