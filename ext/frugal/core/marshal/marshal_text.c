/* Checks texts, and exports read_long. */
#include <string.h>

#include "core/marshal/marshal_read.h"

bool
frugal_marshal_read_long(frugal_marshal_scan *scan, int64_t *number)
{
    return read_long(scan, number);
}

bool
frugal_marshal_is_ascii(const unsigned char *text, uint32_t length)
{
    uint64_t word, high = 0;
    uint32_t i = 0;

    for (; length - i >= sizeof(word); i += sizeof(word)) {
        memcpy(&word, text + i, sizeof(word));
        high |= word & 0x8080808080808080u;
    }
    for (; i < length; i++) high |= text[i] & 0x80u;
    return high == 0;
}

bool
frugal_marshal_is_utf8(const unsigned char *text, uint32_t length)
{
    for (uint32_t i = 0; i < length;) {
        unsigned char first = text[i], second = i + 1 < length ? text[i + 1] : 0;
        uint32_t width = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;

        if (width > length - i || (first >= 0x80 && first < 0xC2) || first > 0xF4) return false;
        for (uint32_t j = 1; j < width; j++) {
            if ((text[i + j] & 0xC0) != 0x80) return false;
        }
        if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return false;
        if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return false;
        i += width;
    }
    return true;
}
