#include "core/ignore/ignore_program.h"

#include <stdlib.h>
#include <string.h>

#include "core/system/system.h"

/* The instructions of a program, one byte each, followed by their operands. */
enum {
    END,
    LITERAL,     /* the byte that follows */
    ANY,         /* any byte but a slash */
    SET,         /* one byte of the set in the SET_BYTES that follow, one bit for each byte */
    STAR,        /* any bytes but slashes */
    DOUBLE_STAR, /* any bytes */
    FOLDERS      /* any number of folders, each with its slash */
};

#define SET_BYTES 32

/* A pattern while it is compiled. */
struct source {
    const unsigned char *at, *end;
    bool for_paths;
    bool wildcard_seen; /* a special character was read before */
};

static bool
append(frugal_ignore_code *code, const void *bytes, size_t size)
{
    if (code->room - code->used < size && !FRUGAL_SYSTEM_GROW(code->bytes, code->room, size + 256)) return false;
    memcpy(code->bytes + code->used, bytes, size);
    code->used += size;
    return true;
}

static size_t
instruction_size(unsigned char instruction)
{
    return instruction == LITERAL ? 2 : instruction == SET ? 1 + SET_BYTES : 1;
}

/* The byte at `at`, or 0 at the end. */
static unsigned char
peek(const struct source *source, const unsigned char *at)
{
    return at < source->end ? *at : 0;
}

static void
add_range(unsigned char *set, unsigned from, unsigned to)
{
    for (; from <= to; from++) set[from / 8] |= (unsigned char)(1 << from % 8);
}

static bool
contains(const unsigned char *set, unsigned char byte)
{
    return (set[byte / 8] >> byte % 8 & 1) != 0;
}

/* `[:name:]`: the same classes as in git. They contain only ASCII; the spaces include neither VT nor FF. */
static bool
add_class(unsigned char *set, const unsigned char *name, size_t length)
{
    static const struct {
        const char *name;
        unsigned char ranges[9]; /* pairs of first and last byte, then 0 */
    } classes[] = {
        { "alnum", "09AZaz" },   { "alpha", "AZaz" },       { "blank", "\t\t  " }, { "cntrl", "\001\037\177\177" },
        { "digit", "09" },       { "graph", "!~" },         { "lower", "az" },     { "print", " ~" },
        { "punct", "!/:@[`{~" }, { "space", "\t\n\r\r  " }, { "upper", "AZ" },     { "xdigit", "09AFaf" },
    };

    for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
        const unsigned char *range = classes[i].ranges;

        if (strlen(classes[i].name) != length || memcmp(classes[i].name, name, length) != 0) continue;
        for (; range[0] != 0; range += 2) add_range(set, range[0], range[1]);
        return true;
    }
    return false;
}

/*
 * Reads the members of a set and its closing bracket. Returns false if the bracket is missing, or if a class is
 * unknown.
 */
static bool
read_members(struct source *source, unsigned char *set)
{
    unsigned char range_start = 0; /* the byte that a range may begin with, or 0 */

    do { /* a closing bracket is a member if it comes first */
        unsigned char byte = peek(source, source->at), next = peek(source, source->at + 1);
        const unsigned char *name = source->at + 2, *close;

        if (byte == '-' && range_start != 0 && next != 0 && next != ']') {
            byte = peek(source, ++source->at);
            if (byte == '\\') byte = peek(source, ++source->at);
            if (byte == 0) return false;
            add_range(set, range_start, byte);
            range_start = 0;
        }
        else if (byte == '[' && next == ':') {
            close = memchr(name, ']', (size_t)(source->end - name));
            if (close == NULL) return false;
            if (close > name && close[-1] == ':') {
                if (!add_class(set, name, (size_t)(close - 1 - name))) return false;
                source->at = close;
                range_start = 0;
            }
            else {
                add_range(set, '[', '[');
                range_start = '[';
            }
        }
        else {
            if (byte == '\\') byte = peek(source, ++source->at);
            if (byte == 0) return false;
            add_range(set, byte, byte);
            range_start = byte;
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
 * Reads one `*` or several. Several mean DOUBLE_STAR or FOLDERS only as a complete path component. But git before 2.53
 * does not check the preceding byte if they are the first special character: the pattern `a**` followed by `/b` also
 * matches "ab" and "ax/y/b". This function does the same.
 */
static unsigned char
read_stars(struct source *source)
{
    const unsigned char *first = source->at;
    bool is_component_start = !source->wildcard_seen || first[-1] == '/';

    while (peek(source, source->at) == '*') source->at++;
    if (!source->for_paths || source->at - first < 2 || !is_component_start) return STAR;
    if (source->at == source->end) return DOUBLE_STAR;
    /* An escaped slash is not optional. */
    if (*source->at == '\\' && peek(source, source->at + 1) == '/') return DOUBLE_STAR;
    if (*source->at != '/') return STAR;
    source->at++;
    return FOLDERS;
}

/*
 * Reads one instruction; END at the end of the pattern. `instruction` has room for the longest one. Returns false if
 * the pattern can match nothing.
 */
static bool
read_instruction(struct source *source, unsigned char *instruction)
{
    unsigned char byte = peek(source, source->at);

    switch (byte) {
    case 0: instruction[0] = END; return true;
    case '*': instruction[0] = read_stars(source); break;
    case '?':
        instruction[0] = ANY;
        source->at++;
        break;
    case '[':
        instruction[0] = SET;
        if (!read_set(source, instruction + 1)) return false;
        break;
    default:
        if (byte == '\\') {
            source->wildcard_seen = true;
            byte = peek(source, ++source->at);
        }
        if (byte == 0) return false;
        instruction[0] = LITERAL;
        instruction[1] = byte;
        source->at++;
        return true;
    }
    source->wildcard_seen = true;
    return true;
}

enum frugal_ignore_result
frugal_ignore_compile(frugal_ignore_code *code, const unsigned char *pattern, const unsigned char *end, bool for_paths)
{
    struct source source = { .at = pattern, .end = end, .for_paths = for_paths };
    unsigned char instruction[1 + SET_BYTES];
    size_t used = code->used;

    do {
        enum frugal_ignore_result result = FRUGAL_IGNORE_COMPILED;

        if (!read_instruction(&source, instruction)) result = FRUGAL_IGNORE_NEVER_MATCHES;
        else if (!append(code, instruction, instruction_size(instruction[0]))) result = FRUGAL_IGNORE_NO_MEMORY;
        if (result != FRUGAL_IGNORE_COMPILED) {
            code->used = used;
            return result;
        }
    } while (instruction[0] != END);
    return FRUGAL_IGNORE_COMPILED;
}

/*
 * Each `*` first matches as few bytes as possible. Only the last `*` is tried again with more bytes: the instructions
 * after an earlier `*` match as early as possible within the same folder, and every match from a later position is also
 * possible from the earlier one. The same holds for the instructions after the last DOUBLE_STAR or FOLDERS.
 */
bool
frugal_ignore_run(const unsigned char *program, const char *text, const char *end)
{
    const char *at = text;
    const unsigned char *star = NULL, *double_star = NULL; /* the instructions after the last of each, … */
    const char *star_at = NULL, *double_star_at = NULL;    /* … and the position at which they were tried last */

    for (;;) {
        unsigned char instruction = *program;

        if (instruction == STAR) {
            star = ++program;
            star_at = at;
            continue;
        }
        if (instruction == DOUBLE_STAR || instruction == FOLDERS) {
            double_star = ++program;
            double_star_at = at;
            star = NULL;
            continue;
        }
        if (instruction == END) {
            if (at == end) return true;
        }
        else if (at == end) {
            return false; /* a later position leaves even fewer bytes */
        }
        else if (instruction == LITERAL ? *at == (char)program[1]
                 : instruction == ANY   ? *at != '/'
                                        : contains(program + 1, (unsigned char)*at)) {
            program += instruction_size(instruction);
            at++;
            continue;
        }
        if (star != NULL && star_at < end && *star_at != '/') {
            program = star;
            at = ++star_at;
        }
        else if (double_star != NULL && double_star_at < end) {
            if (double_star[-1] == FOLDERS) {
                double_star_at = memchr(double_star_at, '/', (size_t)(end - double_star_at));
            }
            if (double_star_at == NULL) return false;
            program = double_star;
            at = ++double_star_at;
            star = NULL;
        }
        else {
            return false;
        }
    }
}

enum frugal_ignore_shape
frugal_ignore_simplify(unsigned char *program, bool for_paths, size_t *length)
{
    bool star = *program == STAR && !for_paths;
    const unsigned char *literals = program + (star ? 1 : 0);
    size_t count = 0;

    while (literals[2 * count] == LITERAL) count++;
    if (literals[2 * count] != END) return FRUGAL_IGNORE_WILDCARDS;
    for (size_t i = 0; i < count; i++) program[i] = literals[2 * i + 1];
    *length = count;
    return star ? FRUGAL_IGNORE_SUFFIX : FRUGAL_IGNORE_LITERAL;
}

int
frugal_ignore_last_byte(const unsigned char *program)
{
    int last = -1;

    for (; *program != END; program += instruction_size(*program)) last = *program == LITERAL ? program[1] : -1;
    return last;
}
