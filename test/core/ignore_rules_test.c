/* What git says to the same is in test/unit/ignore_rules_test.rb. */
#include "ignore_rules.h"

#include <pthread.h>
#include <string.h>

#include "check.h"

static int
ask(const frugal_ignore_rules *rules, const char *path, bool directory)
{
    const char *slash = strrchr(path, '/');

    return frugal_ignore_match(rules, path, strlen(path), slash != NULL ? slash + 1 : path, directory);
}

/* What rules of one file say; the bytes are copied, so that a read behind them is seen. */
static int
say(const char *bytes, const char *path, bool directory)
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
    answer = ask(rules, path, directory);
    frugal_ignore_free(rules);
    return answer;
}

#define OUT(bytes, path) CHECK(say(bytes, path, false) == FRUGAL_IGNORE_OUT)
#define IN(bytes, path) CHECK(say(bytes, path, false) == FRUGAL_IGNORE_IN)
#define SILENT(bytes, path) CHECK(say(bytes, path, false) == FRUGAL_IGNORE_SILENT)

static void
check_lines(void)
{
    SILENT("", "a");
    SILENT("\n\r\n#a\n \n/\n!\n", "a");
    OUT("a", "d/a");
    OUT("a\r\n", "a");
    OUT("b\na  ", "a");
    OUT("a\\ ", "a ");
    OUT("\xEF\xBB\xBF" "a\n", "a");
    OUT("\\#a\n\\!b\n", "!b");
    IN("*.o\n!a.o\n", "d/a.o");
    OUT("!a.o\n*.o\n", "a.o");
    IN("a?\n!?b\n", "ab"); /* the later of two chains */
    OUT("!?b\na?\n", "ab");
    SILENT("a/\n", "a");
    CHECK(say("a/\n", "d/a", true) == FRUGAL_IGNORE_OUT);
    SILENT("/a\n", "d/a");

    frugal_ignore_rules *rules = frugal_ignore_parse("a\0b\nc\0\r\nd\r", 9);
    CHECK(ask(rules, "a", false) == FRUGAL_IGNORE_OUT && ask(rules, "ab", false) == FRUGAL_IGNORE_SILENT);
    CHECK(ask(rules, "c", false) == FRUGAL_IGNORE_OUT && ask(rules, "d", false) == FRUGAL_IGNORE_OUT);
    frugal_ignore_free(rules);
    frugal_ignore_free(NULL);
}

static void
check_wildcards(void)
{
    OUT("d/*.c", "d/a.c");
    SILENT("d/*.c", "d/e/a.c");
    OUT("d/**/*.c", "d/a.c");
    OUT("d/**/*.c", "d/e/f/a.c");
    SILENT("d/**/*.c", "d/e/f/a.h");
    OUT("d/**", "d/e");
    SILENT("d/**", "d");
    SILENT("d/**\\/e", "d/e");
    OUT("d/**\\/e", "d/f/e");
    OUT("**/a*b/*c/**/e", "x/aab/b/dc/aab/cc/x/e");
    SILENT("**/a*b/*c/**/e", "x/aab/b/dc/aab/cd/x/e");
    OUT("d**/e", "de"); /* as gits before 2.53 say */
    SILENT("?d**/e", "xde");
    OUT("[]-_]", "^");
    OUT("[^a-c]", "\xFF");
    SILENT("?", "\xC3\xA9");
    OUT("[[:digit:]x-]", "-");

    /* Never read past their end. */
    static const char *const hopeless[] = {"[", "[!", "[a", "[a-", "[a-\\", "[\\", "[[:", "[[:a", "[[:x:]", "[[:x:]]", "\\", "a\\", "*["};

    for (size_t i = 0; i < sizeof(hopeless) / sizeof(*hopeless); i++) {
        SILENT(hopeless[i], "a");
        SILENT(hopeless[i], hopeless[i]);
    }
}

/* Exponential in git. */
static void
check_bad_cases(void)
{
    char path[4096], pattern[512] = "**/";

    memset(path, 'a', sizeof(path));
    for (size_t i = 100; i < sizeof(path); i += 100) path[i] = '/';
    path[sizeof(path) - 1] = 0;
    for (int i = 0; i < 200; i++) strcat(pattern, "*a");
    SILENT(pattern, path);
    pattern[3 + 2 * 90] = 0;
    OUT(pattern, path);
    strcat(pattern, "b");
    SILENT(pattern, path);
}

static const frugal_ignore_rules *shared;

static void *
ask_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < 1000; i++) {
        CHECK(ask(shared, "d/a.o", false) == FRUGAL_IGNORE_OUT && ask(shared, "d/b.o", false) == FRUGAL_IGNORE_IN);
        CHECK(ask(shared, "x/y/z", true) == FRUGAL_IGNORE_OUT && ask(shared, "x", true) == FRUGAL_IGNORE_SILENT);
    }
    return NULL;
}

/* More patterns than the first room holds, on several threads at once. */
static void
check_threads(void)
{
    char bytes[20000] = "";
    pthread_t threads[3];
    frugal_ignore_rules *rules;

    for (int i = 0; i < 1000; i++) snprintf(bytes + strlen(bytes), 32, "name-[%d]*\n", i);
    strcat(bytes, "*.o\n!b.o\nx/**/z/\n");
    shared = rules = frugal_ignore_parse(bytes, strlen(bytes));
    CHECK(rules != NULL && ask(rules, "name-7", false) == FRUGAL_IGNORE_OUT);
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, ask_often, NULL) == 0);
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
