#include "marshal_plain.h"

/* `I"` text, then one instance variable, which is E. */
static bool
is_string(const frugal_marshal_index *index, uint32_t at, uint32_t end, frugal_marshal_plain *plain)
{
    const unsigned char *bytes = index->bytes;
    frugal_marshal_scan scan;
    int64_t number;
    bool tells = bytes[at] == 'I';

    if (bytes[at + (tells ? 1 : 0)] != '"') return false;
    frugal_marshal_scan_init(&scan, bytes, end, NULL);
    scan.at = at + (tells ? 2 : 1);
    if (!frugal_marshal_read_long(&scan, &number) || number < 0 || number > end - scan.at) return false;
    plain->text = bytes + scan.at;
    plain->length = (uint32_t)number;
    plain->encoding = FRUGAL_MARSHAL_UNTOLD;
    scan.at += plain->length;
    if (!tells) return scan.at == end;
    if (end - scan.at < 4 || bytes[scan.at] != 6) return false; /* not one */
    scan.at++;
    if (bytes[scan.at] == ':') {
        if (bytes[scan.at + 1] != 6 || bytes[scan.at + 2] != 'E') return false;
        scan.at += 3;
    }
    else {
        if (bytes[scan.at++] != ';' || !frugal_marshal_read_long(&scan, &number)) return false;
        if (number < 0 || number >= index->symbols.count || !frugal_marshal_is_teller(index, (uint32_t)number)) return false;
    }
    if (end - scan.at != 1) return false;
    plain->encoding = bytes[scan.at] == 'T' ? FRUGAL_MARSHAL_UTF8 : FRUGAL_MARSHAL_ASCII;
    return bytes[scan.at] == 'T' || bytes[scan.at] == 'F';
}

bool
frugal_marshal_index_plain(const frugal_marshal_index *index, uint32_t root, frugal_marshal_plain *plain)
{
    uint32_t at = index->roots[root].value, end = index->roots[root + 1].key;
    frugal_marshal_scan scan;

    if (index->roots[root].entangled) return false;
    switch (index->bytes[at]) {
      case '0': plain->type = FRUGAL_MARSHAL_PLAIN_NIL; return true;
      case 'T': plain->type = FRUGAL_MARSHAL_PLAIN_TRUE; return true;
      case 'F': plain->type = FRUGAL_MARSHAL_PLAIN_FALSE; return true;
      case 'i':
        plain->type = FRUGAL_MARSHAL_PLAIN_INTEGER;
        frugal_marshal_scan_init(&scan, index->bytes, end, NULL);
        scan.at = at + 1;
        return frugal_marshal_read_long(&scan, &plain->integer);
      case 'I': case '"':
        plain->type = FRUGAL_MARSHAL_PLAIN_STRING;
        return is_string(index, at, end, plain);
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
