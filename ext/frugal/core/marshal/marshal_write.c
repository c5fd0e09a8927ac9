#include "core/marshal/marshal_write.h"

#include <stdlib.h>
#include <string.h>

#include "core/marshal/marshal_contents.h"
#include "core/system/system.h"

typedef frugal_marshal_writer writer;

/* -- bytes -- */

void
frugal_marshal_put(frugal_marshal_bytes *out, const void *bytes, size_t size)
{
    if (out->room - out->used < size && !out->failed) {
        out->failed = !FRUGAL_SYSTEM_GROW(out->bytes, out->room, size + 64);
    }
    if (out->failed || size == 0) return;
    memcpy(out->bytes + out->used, bytes, size);
    out->used += size;
}

void
frugal_marshal_put_byte(frugal_marshal_bytes *out, unsigned char byte)
{
    frugal_marshal_put(out, &byte, 1);
}

void
frugal_marshal_put_long(frugal_marshal_bytes *out, uint32_t number)
{
    unsigned char bytes[5];
    unsigned char width = 0;

    if (number == 0) {
        frugal_marshal_put_byte(out, 0);
    }
    else if (number < 123) {
        frugal_marshal_put_byte(out, (unsigned char)(number + 5));
    }
    else {
        for (; number != 0; number >>= 8) bytes[++width] = (unsigned char)number;
        bytes[0] = width;
        frugal_marshal_put(out, bytes, 1u + width);
    }
}

/* -- numbers -- */

/* Notes the number of a symbol or object of an index, until frugal_marshal_write_end. */
static void
set_number(writer *to, frugal_marshal_index *index, bool symbol, uint32_t which, uint32_t number)
{
    frugal_marshal_numbers *numbers = &index->numbers;

    if (numbers->touched_count == numbers->touched_room &&
        !FRUGAL_SYSTEM_GROW(numbers->touched, numbers->touched_room, 64)) {
        to->failed = true;
        return;
    }
    numbers->touched[numbers->touched_count++] = which << 1 | symbol;
    (symbol ? numbers->symbols : numbers->objects)[which] = number + 1;
}

bool
frugal_marshal_write_begin(frugal_marshal_index *index)
{
    frugal_marshal_numbers *numbers = &index->numbers;

    if (numbers->objects == NULL) numbers->objects = calloc((size_t)index->object_count + 1, sizeof(uint32_t));
    if (numbers->symbols == NULL) numbers->symbols = calloc((size_t)index->symbols.count + 1, sizeof(uint32_t));
    return numbers->objects != NULL && numbers->symbols != NULL;
}

void
frugal_marshal_write_end(frugal_marshal_index *index)
{
    frugal_marshal_numbers *numbers = &index->numbers;

    for (uint32_t i = 0; i < numbers->touched_count; i++) {
        (numbers->touched[i] & 1 ? numbers->symbols : numbers->objects)[numbers->touched[i] >> 1] = 0;
    }
    numbers->touched_count = 0;
}

/* The number of a symbol or object of the store in the dump, plus one; 0 if it is not in the dump yet. */
static uint32_t
number_in_dump(const writer *to, bool symbol, uint32_t which)
{
    if (to->in_place) return which < (symbol ? to->symbols_there : to->objects_there) ? which + 1 : 0;
    return (symbol ? to->store->numbers.symbols : to->store->numbers.objects)[which];
}

static void
put_link(writer *to, unsigned char type, uint32_t number)
{
    uint32_t *top = type == ';' ? &to->symbol_link_end : &to->object_link_end;

    if (*top < number + 1) *top = number + 1;
    frugal_marshal_put_byte(to->out, type);
    frugal_marshal_put_long(to->out, number);
}

/* -- symbols -- */

static void
add_symbol(writer *to, frugal_marshal_symbol symbol)
{
    frugal_marshal_additions *added = to->additions;

    if (added == NULL) return;
    if (added->symbol_count == added->symbol_room && !FRUGAL_SYSTEM_GROW(added->symbols, added->symbol_room, 16)) {
        to->failed = true;
        return;
    }
    added->symbols[added->symbol_count++] = symbol;
}

/*
 * Writes a String or symbol up to its encoding: `I` if it has an encoding, the type, the text. Returns the text's
 * offset.
 */
static uint32_t
put_text(writer *to, unsigned char type, const frugal_marshal_symbol *text)
{
    if (text->encoding != FRUGAL_MARSHAL_NO_ENCODING) frugal_marshal_put_byte(to->out, 'I');
    frugal_marshal_put_byte(to->out, type);
    frugal_marshal_put_long(to->out, text->length);
    frugal_marshal_put(to->out, to->source->bytes + text->text, text->length);
    return (uint32_t)to->out->used - text->length;
}

/* The number of a symbol E, which every index with an encoding has. */
static uint32_t
encoding_symbol_of(frugal_marshal_index *index)
{
    uint32_t symbol = 0;

    if (index->encoding_symbol != FRUGAL_MARSHAL_NONE) return index->encoding_symbol;
    while (symbol < index->symbols.count && !frugal_marshal_is_encoding_symbol(index, symbol)) symbol++;
    if (symbol < index->symbols.count) index->encoding_symbol = symbol;
    return index->encoding_symbol;
}

static void put_symbol(writer *to, uint32_t symbol);

static void
put_encoding(writer *to, uint32_t encoding_symbol, uint8_t encoding)
{
    frugal_marshal_put_byte(to->out, 6);
    put_symbol(to, encoding_symbol);
    frugal_marshal_put_byte(to->out, encoding == FRUGAL_MARSHAL_UTF8 ? 'T' : 'F');
}

/* Writes a link to a symbol, or the symbol itself if the dump does not have it yet. */
static void
put_symbol(writer *to, uint32_t symbol)
{
    frugal_marshal_symbol text = to->source->symbols.list[symbol];
    uint32_t number = to->source->numbers.symbols[symbol], there = FRUGAL_MARSHAL_NONE;

    if (to->store != NULL && number == 0) {
        there = frugal_marshal_find_symbol(to->store, to->source, &text);
        if (there != FRUGAL_MARSHAL_NONE) number = number_in_dump(to, true, there);
        if (number != 0 && to->in_place) to->store->symbols.list[there].linked = true;
    }
    if (number != 0) {
        put_link(to, ';', number - 1);
        return;
    }
    if (there != FRUGAL_MARSHAL_NONE && !to->in_place) set_number(to, to->store, true, there, to->symbols);
    set_number(to, to->source, true, symbol, to->symbols++);
    number = put_text(to, ':', &text);
    add_symbol(to, (frugal_marshal_symbol){ .text = number, .length = text.length, .encoding = text.encoding });
    if (text.encoding != FRUGAL_MARSHAL_NO_ENCODING) put_encoding(to, encoding_symbol_of(to->source), text.encoding);
}

/* -- objects -- */

/* Gives the next number to an object, which is written at offset `at` of the dump. */
static void
add_object(writer *to, uint32_t object, size_t at, uint8_t kind, uint8_t role, bool has_encoding)
{
    frugal_marshal_additions *added = to->additions;
    bool hidden;

    set_number(to, to->source, false, object, to->objects++);
    if (added == NULL) return;
    if (added->object_count == added->object_room && !FRUGAL_SYSTEM_GROW(added->objects, added->object_room, 16)) {
        to->failed = true;
        return;
    }
    hidden = kind != FRUGAL_MARSHAL_OTHER && role != FRUGAL_MARSHAL_VISIBLE;
    added->objects[added->object_count++] = (frugal_marshal_object){
        .at = (uint32_t)at,
        .kind = kind,
        .owner = hidden ? FRUGAL_MARSHAL_NONE : 0,
        .encoding_name = role == FRUGAL_MARSHAL_ENCODING_NAME && kind == FRUGAL_MARSHAL_STRING && !has_encoding
    };
}

/*
 * Writes a link to an object of the store with the same content, if no program can distinguish it from a copy.
 * Otherwise writes nothing, and returns false.
 */
static bool
put_link_to_equal(writer *to, const frugal_marshal_object *object, uint8_t role)
{
    uint32_t there, number;

    if (to->store == NULL || object->kind == FRUGAL_MARSHAL_OTHER) return false;
    if (object->kind == FRUGAL_MARSHAL_STRING && role == FRUGAL_MARSHAL_VISIBLE) return false;
    there = frugal_marshal_find_object(to->store, to->source, object);
    if (there == FRUGAL_MARSHAL_NONE) return false;
    if (role == FRUGAL_MARSHAL_ENCODING_NAME && !to->store->objects[there].encoding_name) return false;
    number = number_in_dump(to, false, there);
    if (number == 0) {
        if (!to->in_place) set_number(to, to->store, false, there, to->objects); /* the caller writes the object next */
        return false;
    }
    put_link(to, '@', number - 1);
    return true;
}

/* Writes a link to the target of a link, or a copy of the target if the dump does not have it yet. */
static void
put_object(writer *to, uint32_t which, uint8_t role)
{
    const frugal_marshal_index *source = to->source;
    const frugal_marshal_object *object = source->objects + which;
    uint32_t number = source->numbers.objects[which];
    frugal_marshal_symbol text;
    bool has_encoding;

    if (number != 0) {
        put_link(to, '@', number - 1);
        return;
    }
    if (put_link_to_equal(to, object, role)) return;
    if (object->kind != FRUGAL_MARSHAL_STRING) {
        add_object(to, which, to->out->used, object->kind, role, false);
        frugal_marshal_put(to->out, source->bytes + object->at, frugal_marshal_value_length(source->bytes, object->at));
        return;
    }
    frugal_marshal_string_at(source->bytes, object->at, &text);
    has_encoding = text.encoding != FRUGAL_MARSHAL_NO_ENCODING;
    add_object(to, which, to->out->used, object->kind, role, has_encoding);
    put_text(to, '"', &text);
    if (has_encoding) put_encoding(to, encoding_symbol_of(to->source), text.encoding);
}

/* -- roots -- */

/*
 * A value is copied up to each token that has to be written differently:
 *
 *   source   I"\x08Ada :\x06E T  [\x06  @\x09  ...         `copied` is how far the source
 *   dump     I"\x08Ada ;\x00  T  [\x06  @\x07  ...         has been copied or skipped
 *                    ^ written           ^ written
 */
static void
copy_until(writer *to, uint32_t *copied, uint32_t until)
{
    frugal_marshal_put(to->out, to->source->bytes + *copied, until - *copied);
    *copied = until;
}

/* The first appearance of an object becomes a link, or gets its number and keeps its bytes, except for the encoding. */
static void
write_object(writer *to, const frugal_marshal_token *token, uint32_t *copied)
{
    size_t at;

    if (to->store != NULL && token->kind != FRUGAL_MARSHAL_OTHER) {
        copy_until(to, copied, token->at);
        if (put_link_to_equal(to, to->source->objects + token->number, token->role)) {
            *copied = token->end;
            return;
        }
    }
    at = to->out->used + token->at - *copied; /* where it will be after copying */
    add_object(to, token->number, at, token->kind, token->role, token->has_encoding);
    if (!token->has_encoding) return;
    copy_until(to, copied, token->text.text + token->text.length);
    put_encoding(to, token->encoding_symbol, token->text.encoding);
    *copied = token->end;
}

static void
write_token(writer *to, const frugal_marshal_token *token, uint32_t *copied)
{
    switch (token->type) {
    case FRUGAL_MARSHAL_SYMBOL:
    case FRUGAL_MARSHAL_SYMBOL_LINK:
        copy_until(to, copied, token->at);
        put_symbol(to, token->number);
        *copied = token->end;
        break;
    case FRUGAL_MARSHAL_LINK:
        copy_until(to, copied, token->at);
        put_object(to, token->number, token->role);
        *copied = token->end;
        break;
    case FRUGAL_MARSHAL_OBJECT:
    case FRUGAL_MARSHAL_LATE_OBJECT: write_object(to, token, copied); break;
    default: break;
    }
}

/* Writes `count` values, beginning with the root's key or with its value. */
static void
write_values(writer *to, const frugal_marshal_root *root, bool from_key, uint32_t count)
{
    const frugal_marshal_index *source = to->source;
    frugal_marshal_scan scan;
    frugal_marshal_token token;
    uint32_t copied = from_key ? root->key : root->value;

    frugal_marshal_scan_init(&scan, source->bytes, root[1].key, &to->source->symbols);
    scan.at = copied;
    scan.objects = root->objects - (from_key ? root->key_objects : 0);
    scan.symbols = root->symbols - (from_key ? root->key_symbols : 0);
    frugal_marshal_expect_values(&scan, count);
    while (scan.depth > 0 && !to->failed && frugal_marshal_next(&scan, &token)) {
        if (to->as_key) token.role = FRUGAL_MARSHAL_KEY;
        write_token(to, &token, &copied);
    }
    copy_until(to, &copied, scan.at);
}

void
frugal_marshal_write_root(writer *to, uint32_t root, bool with_key)
{
    write_values(to, to->source->roots + root, with_key, with_key ? 2 : 1);
}

void
frugal_marshal_write_key(writer *to, uint32_t root)
{
    write_values(to, to->source->roots + root, true, 1);
}
