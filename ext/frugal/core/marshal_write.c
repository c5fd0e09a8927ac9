#include "marshal_write.h"

#include <stdlib.h>
#include <string.h>

#include "marshal_contents.h"

typedef frugal_marshal_writer writer;

/* -- bytes -- */

void
frugal_marshal_put(frugal_marshal_bytes *out, const void *bytes, size_t size)
{
    if (out->room - out->used < size && !out->failed) {
        size_t room = out->room * 2 + size + 64;
        unsigned char *grown = realloc(out->bytes, room);

        if (grown == NULL) {
            out->failed = true;
        } else {
            out->bytes = grown;
            out->room = room;
        }
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
    } else if (number < 123) {
        frugal_marshal_put_byte(out, (unsigned char)(number + 5));
    } else {
        for (; number != 0; number >>= 8) bytes[++width] = (unsigned char)number;
        bytes[0] = width;
        frugal_marshal_put(out, bytes, 1u + width);
    }
}

/* -- numbers -- */

/* Notes what a symbol or object of an index is numbered, to be forgotten at the end. */
static void
give(writer *to, frugal_marshal_index *index, bool symbol, uint32_t which, uint32_t number)
{
    frugal_marshal_numbers *numbers = &index->numbers;

    if (numbers->touched_count == numbers->touched_room) {
        uint32_t room = numbers->touched_room * 2 + 64;
        uint32_t *grown = realloc(numbers->touched, room * sizeof(*grown));

        if (grown == NULL) {
            to->failed = true;
            return;
        }
        numbers->touched = grown;
        numbers->touched_room = room;
    }
    numbers->touched[numbers->touched_count++] = which << 1 | symbol;
    (symbol ? numbers->symbols : numbers->objects)[which] = number + 1;
}

bool
frugal_marshal_write_begin(frugal_marshal_index *index)
{
    frugal_marshal_numbers *numbers = &index->numbers;

    if (numbers->objects == NULL) numbers->objects = calloc((size_t)index->object_count + 1, sizeof(*numbers->objects));
    if (numbers->symbols == NULL) numbers->symbols = calloc((size_t)index->symbols.count + 1, sizeof(*numbers->symbols));
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

/* One more than the number of something of the store, or 0 where it is not in the dump yet. */
static uint32_t
number_there(const writer *to, bool symbol, uint32_t which)
{
    if (to->in_place) return which < (symbol ? to->symbols_there : to->objects_there) ? which + 1 : 0;
    return (symbol ? to->store->numbers.symbols : to->store->numbers.objects)[which];
}

static void
put_link(writer *to, unsigned char type, uint32_t number)
{
    uint32_t *top = type == ';' ? &to->top_symbol : &to->top_object;

    if (*top < number + 1) *top = number + 1;
    frugal_marshal_put_byte(to->out, type);
    frugal_marshal_put_long(to->out, number);
}

/* -- symbols -- */

static void
tell_symbol(writer *to, frugal_marshal_symbol symbol)
{
    frugal_marshal_news *news = to->news;

    if (news == NULL) return;
    if (news->symbol_count == news->symbol_room) {
        uint32_t room = news->symbol_room * 2 + 16;
        frugal_marshal_symbol *grown = realloc(news->symbols, room * sizeof(*grown));

        if (grown == NULL) {
            to->failed = true;
            return;
        }
        news->symbols = grown;
        news->symbol_room = room;
    }
    news->symbols[news->symbol_count++] = symbol;
}

/* A string or symbol up to its encoding: 'I' where it tells one, its type, its text. The place of that. */
static uint32_t
put_text(writer *to, unsigned char type, const frugal_marshal_symbol *text)
{
    if (text->encoding != FRUGAL_MARSHAL_UNTOLD) frugal_marshal_put_byte(to->out, 'I');
    frugal_marshal_put_byte(to->out, type);
    frugal_marshal_put_long(to->out, text->length);
    frugal_marshal_put(to->out, to->source->bytes + text->text, text->length);
    return (uint32_t)to->out->used - text->length;
}

/* The symbol E: there is one where a text tells its encoding. */
static uint32_t
teller_of(frugal_marshal_index *index)
{
    for (uint32_t symbol = 0; index->teller == FRUGAL_MARSHAL_NONE && symbol < index->symbols.count; symbol++) {
        if (frugal_marshal_is_teller(index, symbol)) index->teller = symbol;
    }
    return index->teller;
}

static void put_symbol(writer *to, uint32_t symbol);

static void
put_encoding(writer *to, uint32_t teller, uint8_t encoding)
{
    frugal_marshal_put_byte(to->out, 6);
    put_symbol(to, teller);
    frugal_marshal_put_byte(to->out, encoding == FRUGAL_MARSHAL_UTF8 ? 'T' : 'F');
}

/* By its number, or at its first use as it is. */
static void
put_symbol(writer *to, uint32_t symbol)
{
    frugal_marshal_symbol text = to->source->symbols.list[symbol];
    uint32_t number = to->source->numbers.symbols[symbol], there = FRUGAL_MARSHAL_NONE;

    if (to->store != NULL && number == 0) {
        there = frugal_marshal_find_symbol(to->store, to->source, &text);
        if (there != FRUGAL_MARSHAL_NONE) number = number_there(to, true, there);
        if (number != 0 && to->in_place) to->store->symbols.list[there].linked = true;
    }
    if (number != 0) {
        put_link(to, ';', number - 1);
        return;
    }
    if (there != FRUGAL_MARSHAL_NONE && !to->in_place) give(to, to->store, true, there, to->symbols);
    give(to, to->source, true, symbol, to->symbols++);
    number = put_text(to, ':', &text);
    tell_symbol(to, (frugal_marshal_symbol){ .text = number, .length = text.length, .encoding = text.encoding });
    if (text.encoding != FRUGAL_MARSHAL_UNTOLD) put_encoding(to, teller_of(to->source), text.encoding);
}

/* -- objects -- */

/* An object that is to be written at this place of the dump. */
static void
number_object(writer *to, uint32_t object, size_t at, uint8_t kind, uint8_t role, bool told)
{
    frugal_marshal_news *news = to->news;

    give(to, to->source, false, object, to->objects++);
    if (news == NULL) return;
    if (news->object_count == news->object_room) {
        uint32_t room = news->object_room * 2 + 16;
        frugal_marshal_object *grown = realloc(news->objects, room * sizeof(*grown));

        if (grown == NULL) {
            to->failed = true;
            return;
        }
        news->objects = grown;
        news->object_room = room;
    }
    news->objects[news->object_count++] = (frugal_marshal_object){
        .at = (uint32_t)at, .kind = kind, .name = role == FRUGAL_MARSHAL_NAME && kind == FRUGAL_MARSHAL_STRING && !told,
        .owner = kind == FRUGAL_MARSHAL_OTHER || role == FRUGAL_MARSHAL_SEEN ? 0 : FRUGAL_MARSHAL_NONE
    };
}

/* Writes a link to what the store has of the same content, where nobody can tell it from a copy. */
static bool
put_equal(writer *to, const frugal_marshal_object *object, uint8_t role)
{
    uint32_t there, given;

    if (to->store == NULL || object->kind == FRUGAL_MARSHAL_OTHER) return false;
    if (object->kind == FRUGAL_MARSHAL_STRING && role == FRUGAL_MARSHAL_SEEN) return false;
    there = frugal_marshal_find_object(to->store, to->source, object);
    if (there == FRUGAL_MARSHAL_NONE) return false;
    if (role == FRUGAL_MARSHAL_NAME && !to->store->objects[there].name) return false;
    given = number_there(to, false, there);
    if (given == 0) {
        if (!to->in_place) give(to, to->store, false, there, to->objects); /* which is the next to be written */
        return false;
    }
    put_link(to, '@', given - 1);
    return true;
}

static void
put_object(writer *to, uint32_t which, uint8_t role)
{
    const frugal_marshal_index *source = to->source;
    const frugal_marshal_object *object = source->objects + which;
    uint32_t given = source->numbers.objects[which];
    frugal_marshal_symbol text;

    if (given != 0) {
        put_link(to, '@', given - 1);
        return;
    }
    if (put_equal(to, object, role)) return;
    if (object->kind == FRUGAL_MARSHAL_STRING) {
        frugal_marshal_string_at(source->bytes, object->at, &text);
        number_object(to, which, to->out->used, object->kind, role, text.encoding != FRUGAL_MARSHAL_UNTOLD);
        put_text(to, '"', &text);
        if (text.encoding != FRUGAL_MARSHAL_UNTOLD) put_encoding(to, teller_of(to->source), text.encoding);
    } else {
        number_object(to, which, to->out->used, object->kind, role, false);
        frugal_marshal_put(to->out, source->bytes + object->at, frugal_marshal_value_length(source->bytes, object->at));
    }
}

/* -- roots -- */

/* Writes what was not written since `copied`, up to `until`. */
static void
catch_up(writer *to, uint32_t *copied, uint32_t until)
{
    frugal_marshal_put(to->out, to->source->bytes + *copied, until - *copied);
    *copied = until;
}

static void
write_token(writer *to, const frugal_marshal_token *token, uint32_t *copied)
{
    switch (token->type) {
    case FRUGAL_MARSHAL_SYMBOL: case FRUGAL_MARSHAL_SYMBOL_LINK:
        catch_up(to, copied, token->at);
        put_symbol(to, token->number);
        *copied = token->end;
        break;
    case FRUGAL_MARSHAL_LINK:
        catch_up(to, copied, token->at);
        put_object(to, token->number, token->role);
        *copied = token->end;
        break;
    case FRUGAL_MARSHAL_OBJECT:
        if (to->store != NULL && token->kind != FRUGAL_MARSHAL_OTHER) {
            catch_up(to, copied, token->at);
            if (put_equal(to, to->source->objects + token->number, token->role)) {
                *copied = token->end;
                break;
            }
        }
        number_object(to, token->number, to->out->used + token->at - *copied, token->kind, token->role, token->told);
        if (!token->told) break;
        catch_up(to, copied, token->text.text + token->text.length);
        put_encoding(to, token->teller, token->text.encoding);
        *copied = token->end;
        break;
    case FRUGAL_MARSHAL_LATE_OBJECT:
        number_object(to, token->number, to->out->used + token->at - *copied, token->kind, token->role, false);
        break;
    default: break;
    }
}

/* So many values, from the root's key on or from its value on. */
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
    catch_up(to, &copied, scan.at);
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
