#include "kit/slice.h"

#include <string.h>

struct kit_slice kit_slice(const char *string)
{
    return (struct kit_slice){ string, strlen(string) };
}

bool kit_slice_equal(struct kit_slice a, struct kit_slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.start, b.start, a.length) == 0);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

struct kit_slice kit_slice_trim(struct kit_slice slice)
{
    while (slice.length && is_blank(slice.start[slice.length - 1]))
        slice.length--;
    while (slice.length && is_blank(*slice.start)) {
        slice.start++;
        slice.length--;
    }
    return slice;
}

bool kit_slice_next(struct kit_slice *rest, char separator, struct kit_slice *part)
{
    const char *end;

    if (!rest->start)
        return false;
    end = rest->length ? memchr(rest->start, separator, rest->length) : NULL;
    if (!end) {
        *part = *rest;
        *rest = (struct kit_slice){ NULL, 0 };
        return true;
    }
    part->start = rest->start;
    part->length = (size_t)(end - rest->start);
    rest->start = end + 1;
    rest->length -= part->length + 1;
    return true;
}
