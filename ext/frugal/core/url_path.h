/* The path of a URL, as a web server's files are named by it. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_URL_PATH_H
#define FRUGAL_URL_PATH_H

#include <stddef.h>

/*
 * Takes the %XX out, once; what is no %XX stays as it is. Writes to `plain`,
 * which has room for `length` bytes and may be `bytes` itself; tells how many.
 */
size_t frugal_url_path_unescape(const char *bytes, size_t length, char *plain);

/*
 * Takes out empty names, "." and "..", which takes the name before it along and
 * never leads above the beginning: "/a/./b/../c/" is "a/c". Writes to `clean`,
 * which has room for `length` + 1 bytes, and a NUL behind; tells how many before it.
 */
size_t frugal_url_path_clean(const char *bytes, size_t length, char *clean);

#endif
