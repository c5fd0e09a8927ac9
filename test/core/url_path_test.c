/* Paths of URLs: examples, and random bytes compared with a simpler implementation. */
#include "core/beneath/url_path.h"

#include <string.h>

#include "check.h"

static void
check_unescape(const char *escaped, const char *expected, size_t length)
{
    char unescaped[64];

    CHECK(frugal_beneath_url_unescape(escaped, strlen(escaped), unescaped) == length &&
          memcmp(unescaped, expected, length) == 0);
}

static void
check_clean(const char *path, const char *expected)
{
    char clean[64];

    CHECK(frugal_beneath_url_clean(path, strlen(path), clean) == strlen(expected) && strcmp(clean, expected) == 0);
}

/* A simple implementation with a list of names. */
static size_t
clean_slowly(const char *bytes, size_t length, char *clean)
{
    const char *names[256];
    size_t sizes[256], count = 0, used = 0;

    for (size_t at = 0; at <= length;) {
        size_t end = at;

        while (end < length && bytes[end] != '/') end++;
        if (end - at == 2 && bytes[at] == '.' && bytes[at + 1] == '.') {
            if (count > 0) count--;
        }
        else if (end > at && !(end - at == 1 && bytes[at] == '.')) {
            names[count] = bytes + at;
            sizes[count++] = end - at;
        }
        at = end + 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (i > 0) clean[used++] = '/';
        memcpy(clean + used, names[i], sizes[i]);
        used += sizes[i];
    }
    clean[used] = '\0';
    return used;
}

/* Buffers of the exact size, so that the sanitizers report a write after the end. */
static void
check_random(unsigned seed)
{
    static const char letters[] = "///....aab%2eF%/\\\0\xff";
    size_t length = (size_t)rand_r(&seed) % 80;
    char *bytes = malloc(length + (length == 0)), *unescaped = malloc(length + (length == 0));
    char *clean = malloc(length + 1), *slow = malloc(length + 1), *again = malloc(length + 1);
    size_t unescaped_length, clean_length;

    CHECK(bytes && unescaped && clean && slow && again);
    for (size_t i = 0; i < length; i++) {
        if (rand_r(&seed) % 8 == 0) bytes[i] = (char)rand_r(&seed);
        else bytes[i] = letters[(size_t)rand_r(&seed) % (sizeof(letters) - 1)];
    }
    unescaped_length = frugal_beneath_url_unescape(bytes, length, unescaped);
    CHECK(unescaped_length <= length);
    clean_length = frugal_beneath_url_clean(unescaped, unescaped_length, clean);
    CHECK(clean_length == clean_slowly(unescaped, unescaped_length, slow) &&
          memcmp(clean, slow, clean_length + 1) == 0);
    CHECK(clean_length == 0 || clean[0] != '/');
    CHECK(frugal_beneath_url_clean(clean, clean_length, again) == clean_length &&
          memcmp(clean, again, clean_length) == 0);
    CHECK(frugal_beneath_url_unescape(bytes, length, bytes) == unescaped_length &&
          memcmp(bytes, unescaped, unescaped_length) == 0); /* in place */
    free(bytes);
    free(unescaped);
    free(clean);
    free(slow);
    free(again);
}

int
main(void)
{
    check_unescape("/a%20b%2e%2E%2f", "/a b../", 7);
    check_unescape("%", "%", 1);
    check_unescape("%4", "%4", 2);
    check_unescape("%zz%g1%1g", "%zz%g1%1g", 9);
    check_unescape("%2541", "%41", 3); /* decoded once */
    check_unescape("%%41", "%A", 2);
    check_unescape("%00", "\0", 1);
    check_unescape("%ff", "\xff", 1);
    check_unescape("", "", 0);

    check_clean("/a/./b/../c/", "a/c");
    check_clean("/../../etc/passwd", "etc/passwd");
    check_clean("a/../..", "");
    check_clean("/", "");
    check_clean("", "");
    check_clean("//a///b", "a/b");
    check_clean("/.../..a/.b", ".../..a/.b");
    check_clean("/a\\..\\b", "a\\..\\b");
    check_clean("/ab/../abc/..", "");

    for (unsigned seed = 0; seed < 10000; seed++) check_random(seed);
    return 0;
}
