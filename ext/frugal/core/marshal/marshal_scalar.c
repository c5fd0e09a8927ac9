#include "core/marshal/marshal_scalar.h"

/* A String without instance variables: `"` text; or, with its encoding, `I"` text 6 E T. */
static bool
read_string(const frugal_marshal_index *index, uint32_t at, uint32_t end, frugal_marshal_scalar *scalar)
{
    const unsigned char *bytes = index->bytes;
    frugal_marshal_scan scan;
    int64_t number;
    bool has_encoding = bytes[at] == 'I';

    if (bytes[at + (has_encoding ? 1 : 0)] != '"') return false;
    frugal_marshal_scan_init(&scan, bytes, end, NULL);
    scan.at = at + (has_encoding ? 2 : 1);
    if (!frugal_marshal_read_long(&scan, &number) || number < 0 || number > end - scan.at) return false;
    scalar->text = bytes + scan.at;
    scalar->length = (uint32_t)number;
    scalar->encoding = FRUGAL_MARSHAL_NO_ENCODING;
    scan.at += scalar->length;
    if (!has_encoding) return scan.at == end;
    if (end - scan.at < 4 || bytes[scan.at] != 6) return false; /* not exactly one variable */
    scan.at++;
    if (bytes[scan.at] == ':') {
        if (bytes[scan.at + 1] != 6 || bytes[scan.at + 2] != 'E') return false;
        scan.at += 3;
    }
    else {
        if (bytes[scan.at++] != ';' || !frugal_marshal_read_long(&scan, &number)) return false;
        if (number < 0 || number >= index->symbols.count) return false;
        if (!frugal_marshal_is_encoding_symbol(index, (uint32_t)number)) return false;
    }
    if (end - scan.at != 1) return false;
    scalar->encoding = bytes[scan.at] == 'T' ? FRUGAL_MARSHAL_UTF8 : FRUGAL_MARSHAL_ASCII;
    return bytes[scan.at] == 'T' || bytes[scan.at] == 'F';
}

bool
frugal_marshal_index_scalar(const frugal_marshal_index *index, uint32_t root, frugal_marshal_scalar *scalar)
{
    uint32_t at = index->roots[root].value, end = index->roots[root + 1].key;
    frugal_marshal_scan scan;

    if (index->roots[root].shares_objects) return false;
    switch (index->bytes[at]) {
    case '0': scalar->type = FRUGAL_MARSHAL_SCALAR_NIL; return true;
    case 'T': scalar->type = FRUGAL_MARSHAL_SCALAR_TRUE; return true;
    case 'F': scalar->type = FRUGAL_MARSHAL_SCALAR_FALSE; return true;
    case 'i':
        scalar->type = FRUGAL_MARSHAL_SCALAR_INTEGER;
        frugal_marshal_scan_init(&scan, index->bytes, end, NULL);
        scan.at = at + 1;
        return frugal_marshal_read_long(&scan, &scalar->integer);
    case 'I':
    case '"': scalar->type = FRUGAL_MARSHAL_SCALAR_STRING; return read_string(index, at, end, scalar);
    default: return false;
    }
}

size_t
frugal_marshal_write_small(unsigned char *to, int32_t integer)
{
    int width = 0;

    to[0] = 'i';
    if (integer == 0 || (integer > 0 && integer < 123)) {
        to[1] = (unsigned char)(integer == 0 ? 0 : integer + 5);
        return 2;
    }
    if (integer < 0 && integer > -124) {
        to[1] = (unsigned char)(integer - 5);
        return 2;
    }
    for (int32_t rest = integer; rest != 0 && rest != -1; rest >>= 8) to[2 + width++] = (unsigned char)rest;
    to[1] = (unsigned char)(integer < 0 ? -width : width);
    return 2 + (size_t)width;
}
