/*
 * Matches paths for test/unit/ignore_rules_test.rb. Each line of standard input
 * is followed by SIZE bytes:
 *
 *   rules SIZE    the content of a rule file
 *   path SIZE     matched by the last rules; prints s (no match), o (excluded) or i (included)
 *   folder SIZE   the same for a directory
 */
#include "core/ignore/ignore_rules.h"

#include <string.h>

#include "check.h"

/* Allocates exactly this size, so that a sanitizer reports a read after the end. */
static char *
take(size_t size)
{
    char *bytes = malloc(size > 0 ? size : 1);

    CHECK(bytes != NULL && fread(bytes, 1, size, stdin) == size);
    return bytes;
}

static char
answer(const frugal_ignore_rules *rules, const char *path, size_t size, bool directory)
{
    const char *name = path + size;

    while (name > path && name[-1] != '/') name--;
    switch (frugal_ignore_match(rules, path, size, name, directory)) {
    case FRUGAL_IGNORE_NO_MATCH: return 's';
    case FRUGAL_IGNORE_EXCLUDED: return 'o';
    case FRUGAL_IGNORE_INCLUDED: return 'i';
    }
    return '?';
}

int
main(void)
{
    frugal_ignore_rules *rules = NULL;
    char word[16];
    size_t size;

    while (scanf("%15s %zu", word, &size) == 2) {
        char *bytes;

        CHECK(getchar() == '\n');
        bytes = take(size);
        if (strcmp(word, "rules") == 0) {
            frugal_ignore_free(rules);
            rules = frugal_ignore_parse(bytes, size);
            CHECK(rules != NULL);
        }
        else {
            CHECK(rules != NULL && size > 0);
            putchar(answer(rules, bytes, size, strcmp(word, "folder") == 0));
        }
        free(bytes);
    }
    frugal_ignore_free(rules);
    return 0;
}
