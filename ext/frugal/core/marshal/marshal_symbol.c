/* Reads symbols, which appear as text the first time and then as links, and the encodings that the symbol E states. */
#include <stdlib.h>

#include "core/marshal/marshal_read.h"
#include "core/system/system.h"

typedef frugal_marshal_scan scan_t;
typedef frugal_marshal_token token_t;

/* Gives the next number to a symbol. The first scan of a dump adds it to the table. */
static bool
add_symbol(scan_t *scan, frugal_marshal_symbol symbol)
{
    frugal_marshal_symbols *table = scan->symbol_table;

    if (scan->symbols++ < table->count) return true;
    if (table->count == table->room && !FRUGAL_SYSTEM_GROW(table->list, table->room, 32)) {
        return frugal_marshal_fail(scan, FRUGAL_MARSHAL_NO_MEMORY);
    }
    symbol.linked = false;
    table->list[table->count++] = symbol;
    return true;
}

bool
frugal_marshal_read_encoding(scan_t *scan, token_t *token)
{
    const unsigned char *bytes = scan->bytes + scan->at;
    uint32_t start = scan->at;

    token->has_encoding = false;
    if (scan->size - start < 4 || bytes[0] != 6) return true;
    if (bytes[1] == ';') {
        scan->at += 2;
        if (!read_link(scan, &token->encoding_symbol, scan->symbols)) return false;
        token->has_encoding = (token->encoding_symbol == scan->encoding_symbol ||
                               is_named(scan, token->encoding_symbol, "E", 1)) &&
                              (byte_is(scan, scan->at, 'T') || byte_is(scan, scan->at, 'F'));
    }
    else if (scan->size - start >= 5 && bytes[1] == ':' && bytes[2] == 6 && bytes[3] == 'E' &&
             (bytes[4] == 'T' || bytes[4] == 'F')) {
        token->encoding_symbol = scan->symbols;
        if (!add_symbol(scan, (frugal_marshal_symbol){ .text = start + 3, .length = 1 })) return false;
        scan->at += 4;
        token->has_encoding = true;
    }
    if (!token->has_encoding) {
        scan->at = start;
        return true;
    }
    scan->encoding_symbol = token->encoding_symbol;
    token->text.encoding = scan->bytes[scan->at++] == 'T' ? FRUGAL_MARSHAL_UTF8 : FRUGAL_MARSHAL_ASCII;
    return true;
}

/* Reads the encoding of a symbol that was written as `I:`. */
static bool
read_symbol_encoding(scan_t *scan, token_t *token)
{
    frugal_marshal_symbols *table = scan->symbol_table;
    const unsigned char *text = scan->bytes + token->text.text;
    uint32_t length = token->text.length;
    bool valid;

    if (!frugal_marshal_read_encoding(scan, token)) return false;
    valid = token->text.encoding == FRUGAL_MARSHAL_UTF8 ? frugal_marshal_is_utf8(text, length)
                                                        : frugal_marshal_is_ascii(text, length);
    if (!token->has_encoding || !valid) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_MALFORMED);
    if (table->count > token->number) table->list[token->number].encoding = token->text.encoding;
    return true;
}

bool
frugal_marshal_read_symbol(scan_t *scan, token_t *token)
{
    unsigned char type;

    token->at = scan->at;
    if (scan->at == scan->size) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_TRUNCATED);
    type = scan->bytes[scan->at++];
    token->text.encoding = FRUGAL_MARSHAL_NO_ENCODING;
    token->has_encoding = false;
    if (type == ';') {
        token->type = FRUGAL_MARSHAL_SYMBOL_LINK;
        if (!read_link(scan, &token->number, scan->symbols)) return false;
        token->text = scan->symbol_table->list[token->number];
    }
    else if (type == ':' || (type == 'I' && byte_is(scan, scan->at, ':'))) {
        if (type == 'I') scan->at++;
        token->type = FRUGAL_MARSHAL_SYMBOL;
        token->number = scan->symbols;
        if (!read_bytes(scan, &token->text.text, &token->text.length)) return false;
        if (!add_symbol(scan, token->text)) return false;
        if (type == 'I' && !read_symbol_encoding(scan, token)) return false;
    }
    else {
        return frugal_marshal_fail(scan, FRUGAL_MARSHAL_MALFORMED);
    }
    token->end = scan->at;
    return true;
}
