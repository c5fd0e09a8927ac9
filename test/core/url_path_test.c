/* Paths of URLs: examples, and random bytes beside a slow way that is easy to see through. */
#include "url_path.h"

#include <string.h>

#include "check.h"

static void
check_unescape(const char *escaped, const char *expected, size_t length)
{
    char plain[64];

    CHECK(frugal_url_path_unescape(escaped, strlen(escaped), plain) == length && memcmp(plain, expected, length) == 0);
}

static void
check_clean(const char *path, const char *expected)
{
    char clean[64];

    CHECK(frugal_url_path_clean(path, strlen(path), clean) == strlen(expected) && strcmp(clean, expected) == 0);
}

/* The names one by one, on a list. */
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
        } else if (end > at && !(end - at == 1 && bytes[at] == '.')) {
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

/* As large as it has to be, and no larger: the sanitizers watch the end. */
static void
check_random(unsigned seed)
{
    static const char letters[] = "///....aab%2eF%/\\\0\xff";
    size_t length = (size_t)rand_r(&seed) % 80;
    char *bytes = malloc(length + (length == 0)), *plain = malloc(length + (length == 0));
    char *clean = malloc(length + 1), *slow = malloc(length + 1), *again = malloc(length + 1);
    size_t plain_length, clean_length;

    CHECK(bytes && plain && clean && slow && again);
    for (size_t i = 0; i < length; i++) bytes[i] = rand_r(&seed) % 8 == 0 ? (char)rand_r(&seed) : letters[(size_t)rand_r(&seed) % (sizeof(letters) - 1)];
    plain_length = frugal_url_path_unescape(bytes, length, plain);
    CHECK(plain_length <= length);
    clean_length = frugal_url_path_clean(plain, plain_length, clean);
    CHECK(clean_length == clean_slowly(plain, plain_length, slow) && memcmp(clean, slow, clean_length + 1) == 0);
    CHECK(clean_length == 0 || clean[0] != '/');
    CHECK(frugal_url_path_clean(clean, clean_length, again) == clean_length && memcmp(clean, again, clean_length) == 0);
    CHECK(frugal_url_path_unescape(bytes, length, bytes) == plain_length && memcmp(bytes, plain, plain_length) == 0); /* in place */
    free(bytes);
    free(plain);
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
    check_unescape("%2541", "%41", 3); /* once */
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
