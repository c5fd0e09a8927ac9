/* Decodes and normalizes the path of a URL. Does not depend on Ruby. */
#ifndef FRUGAL_URL_PATH_H
#define FRUGAL_URL_PATH_H

#include <stddef.h>

/*
 * Decodes each %XX once, and copies everything else. Writes to `unescaped`, which has room for `length` bytes and may
 * be `bytes` itself. Returns the number of bytes written.
 */
size_t frugal_beneath_url_unescape(const char *bytes, size_t length, char *unescaped);

/*
 * Removes empty names and ".", and each ".." together with the name before it: "/a/./b/../c/" becomes "a/c". The path
 * never leads above its beginning. Writes to `clean`, which has room for `length` + 1 bytes, with a NUL at the end.
 * Returns the number of bytes before that.
 */
size_t frugal_beneath_url_clean(const char *bytes, size_t length, char *clean);

#endif
