#include "kit/utf8.h"

/* Returns the number of bytes that follow a leading byte, and sets the least
   code point that needs them. Returns -1 if the byte is not a leading byte. */
static int following(unsigned char byte, uint32_t *least)
{
    *least = 0;
    if (byte < 0x80)
        return 0;
    if (byte >= 0xc2 && byte < 0xe0)
        return *least = 0x80, 1;
    if (byte >= 0xe0 && byte < 0xf0)
        return *least = 0x800, 2;
    if (byte >= 0xf0 && byte < 0xf5)
        return *least = 0x10000, 3;
    return -1;
}

uint32_t kit_utf8_next(struct kit_slice *rest)
{
    const unsigned char *bytes = (const unsigned char *)rest->start;
    uint32_t least;
    int more = following(bytes[0], &least);
    uint32_t point = more == 0 ? bytes[0] : bytes[0] & (0x3f >> more);
    bool valid = more >= 0 && (size_t)more < rest->length;

    for (int i = 1; valid && i <= more; i++) {
        valid = (bytes[i] & 0xc0) == 0x80;
        point = point << 6 | (bytes[i] & 0x3f);
    }
    valid = valid && point >= least && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    rest->start += valid ? more + 1 : 1;
    rest->length -= valid ? (size_t)more + 1 : 1;
    return valid ? point : KIT_UTF8_INVALID;
}

size_t kit_utf8_length(struct kit_slice slice)
{
    size_t length = 0;

    for (; slice.length; length++)
        kit_utf8_next(&slice);
    return length;
}
