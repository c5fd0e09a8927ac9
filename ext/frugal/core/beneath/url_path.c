#include "core/beneath/url_path.h"

#include <stdbool.h>
#include <string.h>

static int
hex_value(char byte)
{
    if (byte >= '0' && byte <= '9') return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
    return -1;
}

size_t
frugal_beneath_url_unescape(const char *bytes, size_t length, char *unescaped)
{
    size_t used = 0;

    for (size_t at = 0; at < length; at++) {
        int high = -1, low = -1;

        if (bytes[at] == '%' && length - at > 2) {
            high = hex_value(bytes[at + 1]);
            low = hex_value(bytes[at + 2]);
        }
        if (high < 0 || low < 0) {
            unescaped[used++] = bytes[at];
        }
        else {
            unescaped[used++] = (char)(high << 4 | low);
            at += 2;
        }
    }
    return used;
}

static bool
is_name(const char *name, size_t length, const char *expected)
{
    return length == strlen(expected) && memcmp(name, expected, length) == 0;
}

/* The length of `clean` without its last name and the slash before that. */
static size_t
length_without_last(const char *clean, size_t used)
{
    while (used > 0 && clean[used - 1] != '/') used--;
    return used > 0 ? used - 1 : 0;
}

size_t
frugal_beneath_url_clean(const char *bytes, size_t length, char *clean)
{
    size_t used = 0, at = 0;

    while (at < length) {
        const char *name = bytes + at, *slash = memchr(name, '/', length - at);
        size_t size = slash ? (size_t)(slash - name) : length - at;

        at += size + 1;
        if (size == 0 || is_name(name, size, ".")) continue;
        if (is_name(name, size, "..")) {
            used = length_without_last(clean, used);
            continue;
        }
        if (used > 0) clean[used++] = '/';
        memcpy(clean + used, name, size);
        used += size;
    }
    clean[used] = '\0';
    return used;
}
