/* Reads numbers, bytes and symbols of a dump. Only for the files of this folder. Does not depend on Ruby. */
#ifndef FRUGAL_MARSHAL_READ_H
#define FRUGAL_MARSHAL_READ_H

#include <string.h>

#include "core/marshal/marshal_scan.h"

static inline bool
frugal_marshal_fail(frugal_marshal_scan *scan, enum frugal_marshal_reason reason)
{
    if (scan->reason == FRUGAL_MARSHAL_OK) scan->reason = reason;
    return false;
}

static inline bool
read_wide(frugal_marshal_scan *scan, int64_t *number)
{
    const unsigned char *at = scan->bytes + scan->at;
    uint32_t room = scan->size - scan->at;
    int first = (signed char)*at, width;
    int64_t read = 0;

    width = first < 0 ? -first : first;
    if (room <= (uint32_t)width) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_TRUNCATED);
    for (int i = 0; i < width; i++) read |= (int64_t)at[1 + i] << 8 * i;
    if (first < 0) read -= (int64_t)1 << 8 * width;
    *number = read;
    scan->at += 1 + (uint32_t)width;
    return true;
}

/* Most numbers take one byte. */
static inline bool
read_long(frugal_marshal_scan *scan, int64_t *number)
{
    int first;

    if (scan->at == scan->size) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_TRUNCATED);
    first = (signed char)scan->bytes[scan->at];
    if (first <= 4 && first >= -4) return read_wide(scan, number);
    *number = first > 0 ? first - 5 : first + 5;
    scan->at++;
    return true;
}

/* Reads the number of items that follow, each of at least `least` bytes. */
static inline bool
read_count(frugal_marshal_scan *scan, uint32_t *count, uint32_t least)
{
    int64_t number;

    if (!read_long(scan, &number)) return false;
    if (number < 0) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_MALFORMED);
    if ((uint64_t)number * least > scan->size - scan->at) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_TRUNCATED);
    *count = (uint32_t)number;
    return true;
}

static inline bool
read_bytes(frugal_marshal_scan *scan, uint32_t *text, uint32_t *length)
{
    if (!read_count(scan, length, 1)) return false;
    *text = scan->at;
    scan->at += *length;
    return true;
}

/* Reads the number of a link, which must be below `count`. */
static inline bool
read_link(frugal_marshal_scan *scan, uint32_t *number, uint32_t count)
{
    int64_t read;

    if (!read_long(scan, &read)) return false;
    if (read < 0 || read >= count) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_DANGLING);
    *number = (uint32_t)read;
    return true;
}

static inline bool
byte_is(const frugal_marshal_scan *scan, uint32_t at, unsigned char byte)
{
    return at < scan->size && scan->bytes[at] == byte;
}

/* Reads a symbol, or a link to one. */
bool frugal_marshal_read_symbol(frugal_marshal_scan *scan, frugal_marshal_token *token);

/*
 * Reads the encoding of the preceding String or symbol: one instance variable, E, and its value. If something else
 * follows, reads nothing, and `has_encoding` is false.
 */
bool frugal_marshal_read_encoding(frugal_marshal_scan *scan, frugal_marshal_token *token);

/* Reports whether the symbol of this number has this name. */
static inline bool
is_named(const frugal_marshal_scan *scan, uint32_t number, const char *name, uint32_t length)
{
    const frugal_marshal_symbol *symbol = scan->symbol_table->list + number;

    return symbol->length == length && memcmp(scan->bytes + symbol->text, name, length) == 0;
}

/* Report whether Ruby makes a symbol of these bytes in this encoding. */
bool frugal_marshal_is_ascii(const unsigned char *text, uint32_t length);
bool frugal_marshal_is_utf8(const unsigned char *text, uint32_t length);

#endif
