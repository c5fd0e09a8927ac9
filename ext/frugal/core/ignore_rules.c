#include "ignore_rules.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ignore_program.h"

#define NONE SIZE_MAX

/* A wild pattern is a program; the code of the other shapes is plain bytes. */
struct pattern {
    enum frugal_ignore_shape shape;
    bool negative;
    bool directories_only;
    bool whole_path; /* it has a slash; else it is for names */
    size_t at;       /* in the code */
    size_t length;
    size_t earlier; /* the one before it in its chain, or NONE */
};

/*
 * Most patterns fix the last byte of what they match. Each is in the chain of
 * those with the same byte, the latest first; the others are in the last chain.
 */
enum { ANY_LAST = 256, CHAINS };

struct frugal_ignore_rules {
    struct pattern *patterns;
    size_t count;
    size_t room;
    frugal_ignore_code code;
    size_t latest[CHAINS];
};

/* False: out of memory. */
static bool
add_pattern(frugal_ignore_rules *rules, struct pattern pattern)
{
    unsigned char *program = rules->code.bytes + pattern.at;
    int last = frugal_ignore_last_byte(program);
    size_t *latest = &rules->latest[last < 0 ? ANY_LAST : last];

    if (rules->count == rules->room) {
        size_t room = rules->room * 2 + 16;
        struct pattern *grown = realloc(rules->patterns, room * sizeof(*grown));

        if (grown == NULL) return false;
        rules->patterns = grown;
        rules->room = room;
    }
    pattern.shape = frugal_ignore_simplify(program, pattern.whole_path, &pattern.length);
    pattern.earlier = *latest;
    *latest = rules->count;
    rules->patterns[rules->count++] = pattern;
    return true;
}

/* The end without its blanks; one behind a backslash counts. */
static const unsigned char *
trim(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *kept = at;

    while (at < end) {
        bool escape = *at == '\\' && end - at > 1;
        bool blank = *at == ' ';

        at += escape ? 2 : 1;
        if (!blank) kept = at;
    }
    return kept;
}

/* Behind the `**` and the slash that a pattern begins with, where no other slash follows; else NULL. */
static const unsigned char *
in_any_folder(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *first = at;

    while (at < end && *at == '*') at++;
    if (at - first < 2 || at == end || *at != '/') return NULL;
    at++;
    return memchr(at, '/', (size_t)(end - at)) == NULL ? at : NULL;
}

/* One line, without its end. False: out of memory. */
static bool
add_line(frugal_ignore_rules *rules, const unsigned char *at, const unsigned char *end)
{
    struct pattern pattern = {.at = rules->code.used};
    const unsigned char *name;

    end = trim(at, end);
    if (at < end && *at == '!') {
        pattern.negative = true;
        at++;
    }
    if (at < end && end[-1] == '/') {
        pattern.directories_only = true;
        end--;
    }
    if (at < end && memchr(at, '/', (size_t)(end - at)) != NULL) {
        pattern.whole_path = true;
        if (*at == '/') at++;
        name = in_any_folder(at, end);
        if (name != NULL) { /* what the name alone would say, and cheaper */
            pattern.whole_path = false;
            at = name;
        }
    }
    if (at == end) return true;
    switch (frugal_ignore_compile(&rules->code, at, end, pattern.whole_path)) {
    case FRUGAL_IGNORE_COMPILED: return add_pattern(rules, pattern);
    case FRUGAL_IGNORE_HOPELESS: return true;
    default: return false;
    }
}

frugal_ignore_rules *
frugal_ignore_parse(const char *bytes, size_t length)
{
    const unsigned char *at = (const unsigned char *)bytes, *end = at + length;
    frugal_ignore_rules *rules = calloc(1, sizeof(*rules));

    if (rules == NULL) return NULL;
    for (int i = 0; i < CHAINS; i++) rules->latest[i] = NONE;
    if (length >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) at += 3;
    while (at < end) {
        const unsigned char *feed = memchr(at, '\n', (size_t)(end - at));
        const unsigned char *stop = feed != NULL ? feed : end, *nul;

        if (stop > at && *at != '#') {
            if (stop[-1] == '\r') stop--;
            nul = memchr(at, 0, (size_t)(stop - at)); /* git reads no further */
            if (!add_line(rules, at, nul != NULL ? nul : stop)) {
                frugal_ignore_free(rules);
                return NULL;
            }
        }
        at = feed != NULL ? feed + 1 : end;
    }
    return rules;
}

void
frugal_ignore_free(frugal_ignore_rules *rules)
{
    if (rules == NULL) return;
    free(rules->patterns);
    free(rules->code.bytes);
    free(rules);
}

int
frugal_ignore_match(const frugal_ignore_rules *rules, const char *path, size_t length, const char *name, bool directory)
{
    const char *end = path + length;
    size_t fixed = rules->latest[(unsigned char)end[-1]], open = rules->latest[ANY_LAST];

    while (fixed != NONE || open != NONE) {
        size_t *later = fixed == NONE || (open != NONE && open > fixed) ? &open : &fixed;
        const struct pattern *pattern = &rules->patterns[*later];
        const unsigned char *code = rules->code.bytes + pattern->at;
        const char *text = pattern->whole_path ? path : name;
        size_t size = (size_t)(end - text);
        bool matches = directory || !pattern->directories_only;

        if (pattern->shape == FRUGAL_IGNORE_WILD) {
            matches = matches && frugal_ignore_run(code, text, end);
        } else {
            matches = matches && (size == pattern->length || (size > pattern->length && pattern->shape == FRUGAL_IGNORE_ENDING));
            matches = matches && memcmp(end - pattern->length, code, pattern->length) == 0;
        }
        if (matches) return pattern->negative ? FRUGAL_IGNORE_IN : FRUGAL_IGNORE_OUT;
        *later = pattern->earlier;
    }
    return FRUGAL_IGNORE_SILENT;
}
