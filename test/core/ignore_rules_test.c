/* test/unit/ignore_rules_test.rb compares the same rules with git. */
#include "core/ignore/ignore_rules.h"

#include <pthread.h>
#include <string.h>

#include "check.h"

static int
match(const frugal_ignore_rules *rules, const char *path, bool directory)
{
    const char *slash = strrchr(path, '/');

    return frugal_ignore_match(rules, path, strlen(path), slash != NULL ? slash + 1 : path, directory);
}

/* The result of rules from one file. The bytes are copied, so that a sanitizer reports a read after the end. */
static int
match_bytes(const char *bytes, const char *path, bool directory)
{
    size_t length = strlen(bytes);
    char *copy = malloc(length > 0 ? length : 1);
    frugal_ignore_rules *rules;
    int answer;

    CHECK(copy != NULL);
    memcpy(copy, bytes, length);
    rules = frugal_ignore_parse(copy, length);
    free(copy);
    CHECK(rules != NULL);
    answer = match(rules, path, directory);
    frugal_ignore_free(rules);
    return answer;
}

#define EXCLUDED(bytes, path) CHECK(match_bytes(bytes, path, false) == FRUGAL_IGNORE_EXCLUDED)
#define INCLUDED(bytes, path) CHECK(match_bytes(bytes, path, false) == FRUGAL_IGNORE_INCLUDED)
#define NO_MATCH(bytes, path) CHECK(match_bytes(bytes, path, false) == FRUGAL_IGNORE_NO_MATCH)

static void
check_lines(void)
{
    NO_MATCH("", "a");
    NO_MATCH("\n\r\n#a\n \n/\n!\n", "a");
    EXCLUDED("a", "d/a");
    EXCLUDED("a\r\n", "a");
    EXCLUDED("b\na  ", "a");
    EXCLUDED("a\\ ", "a ");
    EXCLUDED("\xEF\xBB\xBF"
             "a\n",
             "a");
    EXCLUDED("\\#a\n\\!b\n", "!b");
    INCLUDED("*.o\n!a.o\n", "d/a.o");
    EXCLUDED("!a.o\n*.o\n", "a.o");
    INCLUDED("a?\n!?b\n", "ab"); /* the later pattern decides, although it is in another chain */
    EXCLUDED("!?b\na?\n", "ab");
    NO_MATCH("a/\n", "a");
    CHECK(match_bytes("a/\n", "d/a", true) == FRUGAL_IGNORE_EXCLUDED);
    NO_MATCH("/a\n", "d/a");

    frugal_ignore_rules *rules = frugal_ignore_parse("a\0b\nc\0\r\nd\r", 9);
    CHECK(match(rules, "a", false) == FRUGAL_IGNORE_EXCLUDED && match(rules, "ab", false) == FRUGAL_IGNORE_NO_MATCH);
    CHECK(match(rules, "c", false) == FRUGAL_IGNORE_EXCLUDED && match(rules, "d", false) == FRUGAL_IGNORE_EXCLUDED);
    frugal_ignore_free(rules);
    frugal_ignore_free(NULL);
}

static void
check_wildcards(void)
{
    EXCLUDED("d/*.c", "d/a.c");
    NO_MATCH("d/*.c", "d/e/a.c");
    EXCLUDED("d/**/*.c", "d/a.c");
    EXCLUDED("d/**/*.c", "d/e/f/a.c");
    NO_MATCH("d/**/*.c", "d/e/f/a.h");
    EXCLUDED("d/**", "d/e");
    NO_MATCH("d/**", "d");
    NO_MATCH("d/**\\/e", "d/e");
    EXCLUDED("d/**\\/e", "d/f/e");
    EXCLUDED("**/a*b/*c/**/e", "x/aab/b/dc/aab/cc/x/e");
    NO_MATCH("**/a*b/*c/**/e", "x/aab/b/dc/aab/cd/x/e");
    EXCLUDED("d**/e", "de"); /* as git before 2.53 */
    NO_MATCH("?d**/e", "xde");
    EXCLUDED("[]-_]", "^");
    EXCLUDED("[^a-c]", "\xFF");
    NO_MATCH("?", "\xC3\xA9");
    EXCLUDED("[[:digit:]x-]", "-");

    /* Patterns that never match, and must not be read past their end. */
    static const char *const never_match[] = { "[",    "[!",     "[a",      "[a-", "[a-\\", "[\\", "[[:",
                                               "[[:a", "[[:x:]", "[[:x:]]", "\\",  "a\\",   "*[" };

    for (size_t i = 0; i < sizeof(never_match) / sizeof(*never_match); i++) {
        NO_MATCH(never_match[i], "a");
        NO_MATCH(never_match[i], never_match[i]);
    }
}

/* These take exponential time in git. */
static void
check_bad_cases(void)
{
    char path[4096], pattern[512] = "**/";

    memset(path, 'a', sizeof(path));
    for (size_t i = 100; i < sizeof(path); i += 100) path[i] = '/';
    path[sizeof(path) - 1] = 0;
    for (int i = 0; i < 200; i++) strcat(pattern, "*a");
    NO_MATCH(pattern, path);
    pattern[3 + 2 * 90] = 0;
    EXCLUDED(pattern, path);
    strcat(pattern, "b");
    NO_MATCH(pattern, path);
}

static const frugal_ignore_rules *shared;

static void *
match_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < 1000; i++) {
        CHECK(match(shared, "d/a.o", false) == FRUGAL_IGNORE_EXCLUDED &&
              match(shared, "d/b.o", false) == FRUGAL_IGNORE_INCLUDED);
        CHECK(match(shared, "x/y/z", true) == FRUGAL_IGNORE_EXCLUDED &&
              match(shared, "x", true) == FRUGAL_IGNORE_NO_MATCH);
    }
    return NULL;
}

/* More patterns than the first allocation holds, used by several threads at once. */
static void
check_threads(void)
{
    char bytes[20000] = "";
    pthread_t threads[3];
    frugal_ignore_rules *rules;

    for (int i = 0; i < 1000; i++) snprintf(bytes + strlen(bytes), 32, "name-[%d]*\n", i);
    strcat(bytes, "*.o\n!b.o\nx/**/z/\n");
    shared = rules = frugal_ignore_parse(bytes, strlen(bytes));
    CHECK(rules != NULL && match(rules, "name-7", false) == FRUGAL_IGNORE_EXCLUDED);
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, match_often, NULL) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    frugal_ignore_free(rules);
}

int
main(void)
{
    check_lines();
    check_wildcards();
    check_bad_cases();
    check_threads();
    return 0;
}
