#include "ignore_program.h"

#include <stdlib.h>
#include <string.h>

/* The steps of a program, a byte each. */
enum {
    END,
    LITERAL, /* the byte that follows */
    ANY,     /* any byte but a slash */
    SET,     /* one of the set in the SET_BYTES that follow, a bit for each byte */
    STAR,    /* any bytes but slashes */
    DEEP,    /* any bytes */
    FOLDERS  /* none or more folders, each with its slash */
};

#define SET_BYTES 32

/* A pattern while it is compiled. */
struct source {
    const unsigned char *at, *end;
    bool whole_path;
    bool wild; /* a special character was before */
};

static bool
append(frugal_ignore_code *code, const void *bytes, size_t size)
{
    if (code->room - code->used < size) {
        size_t room = code->room * 2 + size + 256;
        unsigned char *grown = realloc(code->bytes, room);

        if (grown == NULL) return false;
        code->bytes = grown;
        code->room = room;
    }
    memcpy(code->bytes + code->used, bytes, size);
    code->used += size;
    return true;
}

static size_t
step_size(unsigned char step)
{
    return step == LITERAL ? 2 : step == SET ? 1 + SET_BYTES : 1;
}

/* The byte at `at`, or 0 at the end. */
static unsigned char
peek(const struct source *source, const unsigned char *at)
{
    return at < source->end ? *at : 0;
}

static void
put(unsigned char *set, unsigned from, unsigned to)
{
    for (; from <= to; from++) set[from / 8] |= (unsigned char)(1 << from % 8);
}

static bool
holds(const unsigned char *set, unsigned char byte)
{
    return (set[byte / 8] >> byte % 8 & 1) != 0;
}

/* `[:name:]`: git's own classes, which know ASCII only, and neither VT nor FF among the spaces. */
static bool
put_class(unsigned char *set, const unsigned char *name, size_t length)
{
    static const struct {
        const char *name;
        unsigned char ranges[9]; /* from and to in turn, then 0 */
    } classes[] = {
        {"alnum", "09AZaz"}, {"alpha", "AZaz"}, {"blank", "\t\t  "}, {"cntrl", "\001\037\177\177"}, {"digit", "09"},
        {"graph", "!~"}, {"lower", "az"}, {"print", " ~"}, {"punct", "!/:@[`{~"}, {"space", "\t\n\r\r  "},
        {"upper", "AZ"}, {"xdigit", "09AFaf"},
    };

    for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
        const unsigned char *range = classes[i].ranges;

        if (strlen(classes[i].name) != length || memcmp(classes[i].name, name, length) != 0) continue;
        for (; range[0] != 0; range += 2) put(set, range[0], range[1]);
        return true;
    }
    return false;
}

/*
 * Reads what stands between the brackets, the second of them too. False where
 * that is missing, or where a class is named that is none.
 */
static bool
read_members(struct source *source, unsigned char *set)
{
    unsigned char before = 0; /* what a range may begin with */

    do { /* a bracket that comes first is a member */
        unsigned char byte = peek(source, source->at), next = peek(source, source->at + 1);
        const unsigned char *name = source->at + 2, *close;

        if (byte == '-' && before != 0 && next != 0 && next != ']') {
            byte = peek(source, ++source->at);
            if (byte == '\\') byte = peek(source, ++source->at);
            if (byte == 0) return false;
            put(set, before, byte);
            before = 0;
        } else if (byte == '[' && next == ':') {
            close = memchr(name, ']', (size_t)(source->end - name));
            if (close == NULL) return false;
            if (close > name && close[-1] == ':') {
                if (!put_class(set, name, (size_t)(close - 1 - name))) return false;
                source->at = close;
                before = 0;
            } else {
                put(set, '[', '[');
                before = '[';
            }
        } else {
            if (byte == '\\') byte = peek(source, ++source->at);
            if (byte == 0) return false;
            put(set, byte, byte);
            before = byte;
        }
        source->at++;
    } while (peek(source, source->at) != ']');
    source->at++;
    return true;
}

static bool
read_set(struct source *source, unsigned char *set)
{
    unsigned char first = peek(source, ++source->at);
    bool negated = first == '!' || first == '^';

    memset(set, 0, SET_BYTES);
    if (negated) source->at++;
    if (!read_members(source, set)) return false;
    for (int i = 0; negated && i < SET_BYTES; i++) set[i] = (unsigned char)~set[i];
    set['/' / 8] &= (unsigned char)~(1 << '/' % 8);
    return true;
}

/*
 * Reads `*`, or a run of them. A run means more than one only where it stands
 * alone between slashes; but gits before 2.53 look behind it, not before it,
 * where it is the first special character: `a**` with `/b` behind is also "ab"
 * and "ax/y/b". So it is here.
 */
static unsigned char
read_stars(struct source *source)
{
    const unsigned char *first = source->at;
    bool opens = !source->wild || first[-1] == '/';

    while (peek(source, source->at) == '*') source->at++;
    if (!source->whole_path || source->at - first < 2 || !opens) return STAR;
    if (source->at == source->end) return DEEP;
    if (*source->at == '\\' && peek(source, source->at + 1) == '/') return DEEP; /* a slash there must be */
    if (*source->at != '/') return STAR;
    source->at++;
    return FOLDERS;
}

/* Reads one step into room for the longest; the END at the end. False: hopeless. */
static bool
read_step(struct source *source, unsigned char *step)
{
    unsigned char byte = peek(source, source->at);

    switch (byte) {
    case 0: step[0] = END; return true;
    case '*': step[0] = read_stars(source); break;
    case '?':
        step[0] = ANY;
        source->at++;
        break;
    case '[':
        step[0] = SET;
        if (!read_set(source, step + 1)) return false;
        break;
    default:
        if (byte == '\\') {
            source->wild = true;
            byte = peek(source, ++source->at);
        }
        if (byte == 0) return false;
        step[0] = LITERAL;
        step[1] = byte;
        source->at++;
        return true;
    }
    source->wild = true;
    return true;
}

enum frugal_ignore_result
frugal_ignore_compile(frugal_ignore_code *code, const unsigned char *pattern, const unsigned char *end, bool whole_path)
{
    struct source source = {.at = pattern, .end = end, .whole_path = whole_path};
    unsigned char step[1 + SET_BYTES];
    size_t used = code->used;

    do {
        enum frugal_ignore_result result = FRUGAL_IGNORE_COMPILED;

        if (!read_step(&source, step)) result = FRUGAL_IGNORE_HOPELESS;
        else if (!append(code, step, step_size(step[0]))) result = FRUGAL_IGNORE_NO_MEMORY;
        if (result != FRUGAL_IGNORE_COMPILED) {
            code->used = used;
            return result;
        }
    } while (step[0] != END);
    return FRUGAL_IGNORE_COMPILED;
}

/*
 * A `*` takes as little as it can, so that only the last one need be tried
 * again: what stands behind the earlier ones begins as early as it can, in the
 * same folder, and whatever can be reached from a later place can be from there.
 * The same holds for what stands behind the last DEEP or FOLDERS.
 */
bool
frugal_ignore_run(const unsigned char *program, const char *text, const char *end)
{
    const char *at = text;
    const unsigned char *star = NULL, *deep = NULL; /* what stands behind the last of each, … */
    const char *star_at = NULL, *deep_at = NULL;    /* … and where that was tried last */

    for (;;) {
        unsigned char step = *program;

        if (step == STAR) {
            star = ++program;
            star_at = at;
            continue;
        }
        if (step == DEEP || step == FOLDERS) {
            deep = ++program;
            deep_at = at;
            star = NULL;
            continue;
        }
        if (step == END) {
            if (at == end) return true;
        } else if (at == end) {
            return false; /* from a later place there would be fewer bytes still */
        } else if (step == LITERAL ? *at == (char)program[1]
                   : step == ANY   ? *at != '/'
                                   : holds(program + 1, (unsigned char)*at)) {
            program += step_size(step);
            at++;
            continue;
        }
        if (star != NULL && star_at < end && *star_at != '/') {
            program = star;
            at = ++star_at;
        } else if (deep != NULL && deep_at < end) {
            if (deep[-1] == FOLDERS) deep_at = memchr(deep_at, '/', (size_t)(end - deep_at));
            if (deep_at == NULL) return false;
            program = deep;
            at = ++deep_at;
            star = NULL;
        } else {
            return false;
        }
    }
}

enum frugal_ignore_shape
frugal_ignore_simplify(unsigned char *program, bool whole_path, size_t *length)
{
    bool star = *program == STAR && !whole_path;
    const unsigned char *literals = program + (star ? 1 : 0);
    size_t count = 0;

    while (literals[2 * count] == LITERAL) count++;
    if (literals[2 * count] != END) return FRUGAL_IGNORE_WILD;
    for (size_t i = 0; i < count; i++) program[i] = literals[2 * i + 1];
    *length = count;
    return star ? FRUGAL_IGNORE_ENDING : FRUGAL_IGNORE_PLAIN;
}

int
frugal_ignore_last_byte(const unsigned char *program)
{
    int last = -1;

    for (; *program != END; program += step_size(*program)) last = *program == LITERAL ? program[1] : -1;
    return last;
}
