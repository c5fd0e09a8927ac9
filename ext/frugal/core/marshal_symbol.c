/* Symbols: the first time with their text, then by number; and the symbol E, which tells an encoding. */
#include <stdlib.h>

#include "marshal_read.h"

typedef frugal_marshal_scan scan_t;
typedef frugal_marshal_token token_t;

static bool
learn(scan_t *scan, frugal_marshal_symbol symbol)
{
    frugal_marshal_symbols *known = scan->known;

    if (scan->symbols++ < known->count) return true;
    if (known->count == known->room) {
        uint32_t room = known->room * 2 + 32;
        frugal_marshal_symbol *grown = realloc(known->list, room * sizeof(*grown));

        if (grown == NULL) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_NO_MEMORY);
        known->list = grown;
        known->room = room;
    }
    symbol.linked = false;
    known->list[known->count++] = symbol;
    return true;
}

bool
frugal_marshal_read_encoding(scan_t *scan, token_t *token)
{
    const unsigned char *bytes = scan->bytes + scan->at;
    uint32_t start = scan->at;

    token->told = false;
    if (scan->size - start < 4 || bytes[0] != 6) return true;
    if (bytes[1] == ';') {
        scan->at += 2;
        if (!read_link(scan, &token->teller, scan->symbols)) return false;
        if ((token->teller == scan->teller || is_named(scan, token->teller, "E", 1)) && (byte_is(scan, scan->at, 'T') || byte_is(scan, scan->at, 'F'))) {
            token->told = true;
        }
    } else if (scan->size - start >= 5 && bytes[1] == ':' && bytes[2] == 6 && bytes[3] == 'E' && (bytes[4] == 'T' || bytes[4] == 'F')) {
        token->teller = scan->symbols;
        if (!learn(scan, (frugal_marshal_symbol){ .text = start + 3, .length = 1 })) return false;
        scan->at += 4;
        token->told = true;
    }
    if (!token->told) {
        scan->at = start;
        return true;
    }
    scan->teller = token->teller;
    token->text.encoding = scan->bytes[scan->at++] == 'T' ? FRUGAL_MARSHAL_UTF8 : FRUGAL_MARSHAL_ASCII;
    return true;
}

bool
frugal_marshal_read_symbol(scan_t *scan, token_t *token)
{
    unsigned char type;
    bool valid;

    token->at = scan->at;
    if (scan->at == scan->size) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_SHORT);
    type = scan->bytes[scan->at++];
    token->text.encoding = FRUGAL_MARSHAL_UNTOLD;
    token->told = false;
    if (type == ';') {
        token->type = FRUGAL_MARSHAL_SYMBOL_LINK;
        if (!read_link(scan, &token->number, scan->symbols)) return false;
        token->text = scan->known->list[token->number];
    } else if (type == ':' || (type == 'I' && byte_is(scan, scan->at, ':'))) {
        if (type == 'I') scan->at++;
        token->type = FRUGAL_MARSHAL_SYMBOL;
        token->number = scan->symbols;
        if (!read_bytes(scan, &token->text.text, &token->text.length)) return false;
        if (!learn(scan, token->text)) return false;
        if (type == 'I') {
            const unsigned char *text = scan->bytes + token->text.text;

            if (!frugal_marshal_read_encoding(scan, token)) return false;
            valid = token->text.encoding == FRUGAL_MARSHAL_UTF8 ? frugal_marshal_is_utf8(text, token->text.length) : frugal_marshal_is_ascii(text, token->text.length);
            if (!token->told || !valid) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_STRANGE);
            if (scan->known->count > token->number) scan->known->list[token->number].encoding = token->text.encoding;
        }
    } else {
        return frugal_marshal_fail(scan, FRUGAL_MARSHAL_STRANGE);
    }
    token->end = scan->at;
    return true;
}
