#include "core/ignore/ignore_rules.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/ignore/ignore_program.h"
#include "core/system/system.h"

#define NONE SIZE_MAX

/* A pattern with wildcards is a program; the code of the other shapes is literal bytes. */
struct pattern {
    enum frugal_ignore_shape shape;
    bool negative;
    bool directories_only;
    bool for_paths; /* it has a slash; otherwise it matches names */
    size_t at;      /* offset in the code */
    size_t length;
    size_t previous; /* index of the previous pattern in its chain, or NONE */
};

/*
 * Most patterns match only texts with a certain last byte. Patterns with the same last byte form a chain, the latest
 * first. The last chain is for all other patterns.
 */
enum { ANY_LAST = 256, CHAINS };

struct frugal_ignore_rules {
    struct pattern *patterns;
    size_t count;
    size_t room;
    frugal_ignore_code code;
    size_t latest[CHAINS];
};

/* Returns false if out of memory. */
static bool
add_pattern(frugal_ignore_rules *rules, struct pattern pattern)
{
    unsigned char *program = rules->code.bytes + pattern.at;
    int last = frugal_ignore_last_byte(program);
    size_t *latest = &rules->latest[last < 0 ? ANY_LAST : last];

    if (rules->count == rules->room && !FRUGAL_SYSTEM_GROW(rules->patterns, rules->room, 16)) return false;
    pattern.shape = frugal_ignore_simplify(program, pattern.for_paths, &pattern.length);
    pattern.previous = *latest;
    *latest = rules->count;
    rules->patterns[rules->count++] = pattern;
    return true;
}

/* Returns the end of a line without its trailing spaces. A space after a backslash is kept. */
static const unsigned char *
trim_spaces(const unsigned char *at, const unsigned char *end)
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

/* If a pattern begins with `**` and a slash, and has no other slash, returns the part after that; otherwise NULL. */
static const unsigned char *
skip_any_folder(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *first = at;

    while (at < end && *at == '*') at++;
    if (at - first < 2 || at == end || *at != '/') return NULL;
    at++;
    return memchr(at, '/', (size_t)(end - at)) == NULL ? at : NULL;
}

/* Parses one line without its line ending. Returns false if out of memory. */
static bool
add_line(frugal_ignore_rules *rules, const unsigned char *at, const unsigned char *end)
{
    struct pattern pattern = { .at = rules->code.used };
    const unsigned char *name;

    end = trim_spaces(at, end);
    if (at < end && *at == '!') {
        pattern.negative = true;
        at++;
    }
    if (at < end && end[-1] == '/') {
        pattern.directories_only = true;
        end--;
    }
    if (at < end && memchr(at, '/', (size_t)(end - at)) != NULL) {
        pattern.for_paths = true;
        if (*at == '/') at++;
        name = skip_any_folder(at, end);
        if (name != NULL) { /* the name alone matches the same paths, and faster */
            pattern.for_paths = false;
            at = name;
        }
    }
    if (at == end) return true;
    switch (frugal_ignore_compile(&rules->code, at, end, pattern.for_paths)) {
    case FRUGAL_IGNORE_COMPILED: return add_pattern(rules, pattern);
    case FRUGAL_IGNORE_NEVER_MATCHES: return true;
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
        const unsigned char *newline = memchr(at, '\n', (size_t)(end - at));
        const unsigned char *line_end = newline != NULL ? newline : end, *nul;

        if (line_end > at && *at != '#') {
            if (line_end[-1] == '\r') line_end--;
            nul = memchr(at, 0, (size_t)(line_end - at)); /* git ignores the rest of the line */
            if (!add_line(rules, at, nul != NULL ? nul : line_end)) {
                frugal_ignore_free(rules);
                return NULL;
            }
        }
        at = newline != NULL ? newline + 1 : end;
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

size_t
frugal_ignore_memory(const frugal_ignore_rules *rules)
{
    if (rules == NULL) return 0;
    return sizeof(*rules) + rules->room * sizeof(*rules->patterns) + rules->code.room;
}

int
frugal_ignore_match(const frugal_ignore_rules *rules, const char *path, size_t length, const char *name, bool directory)
{
    const char *end = path + length;
    size_t same_byte = rules->latest[(unsigned char)end[-1]], any_byte = rules->latest[ANY_LAST];

    while (same_byte != NONE || any_byte != NONE) {
        size_t *index = same_byte == NONE || (any_byte != NONE && any_byte > same_byte) ? &any_byte : &same_byte;
        const struct pattern *pattern = &rules->patterns[*index];
        const unsigned char *code = rules->code.bytes + pattern->at;
        const char *text = pattern->for_paths ? path : name;
        size_t size = (size_t)(end - text);
        bool matches = directory || !pattern->directories_only;

        if (pattern->shape == FRUGAL_IGNORE_WILDCARDS) {
            matches = matches && frugal_ignore_run(code, text, end);
        }
        else {
            matches = matches && size >= pattern->length;
            matches = matches && (size == pattern->length || pattern->shape == FRUGAL_IGNORE_SUFFIX);
            matches = matches && memcmp(end - pattern->length, code, pattern->length) == 0;
        }
        if (matches) return pattern->negative ? FRUGAL_IGNORE_INCLUDED : FRUGAL_IGNORE_EXCLUDED;
        *index = pattern->previous;
    }
    return FRUGAL_IGNORE_NO_MATCH;
}
