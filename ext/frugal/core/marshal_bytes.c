#include "marshal_bytes.h"

#include <stdlib.h>
#include <string.h>

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

void
frugal_marshal_put_text(frugal_marshal_bytes *out, unsigned char type, const unsigned char *bytes, const frugal_marshal_symbol *text)
{
    if (text->encoding != FRUGAL_MARSHAL_UNTOLD) frugal_marshal_put_byte(out, 'I');
    frugal_marshal_put_byte(out, type);
    frugal_marshal_put_long(out, text->length);
    frugal_marshal_put(out, bytes + text->text, text->length);
}
