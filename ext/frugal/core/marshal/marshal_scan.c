#include "core/marshal/marshal_scan.h"

#include <string.h>

#include "core/marshal/marshal_read.h"
#include "core/marshal/marshal_time.h"

typedef frugal_marshal_scan scan_t;
typedef frugal_marshal_token token_t;

/* What follows in an open frame. */
enum {
    VALUES,
    PAIRS,            /* keys and values of a Hash */
    MEMBERS,          /* names and values of an object or a Struct */
    IVARS,            /* names and values of any other object's instance variables; a name is next if `left` is even */
    THEN_IVARS,       /* a value, then its IVARS */
    MODIFIED,         /* a value that is extended, or of a subclass */
    NAME_MEMBERS,     /* a class name, then MEMBERS */
    NAME_VALUE,       /* a class name, then a value */
    NAME_MODIFIED,    /* a class name, then MODIFIED */
    NAME_BYTES,       /* a class name, then a string */
    NAME_BYTES_IVARS, /* a class name, then a string and its IVARS */
    LATE              /* no bytes: the object is complete, and gets its number */
};

static bool
push(scan_t *scan, uint8_t expects, uint32_t left)
{
    if (scan->depth == FRUGAL_MARSHAL_DEPTH) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_TOO_DEEP);
    scan->frames[scan->depth++] = (frugal_marshal_frame){ .expects = expects, .left = left };
    return true;
}

void
frugal_marshal_scan_init(scan_t *scan, const unsigned char *bytes, uint32_t size, frugal_marshal_symbols *symbol_table)
{
    scan->bytes = bytes;
    scan->size = size;
    scan->at = scan->objects = scan->symbols = 0;
    scan->symbol_table = symbol_table;
    scan->encoding_symbol = UINT32_MAX;
    scan->reason = FRUGAL_MARSHAL_OK;
    scan->runs_code = scan->has_times = false;
    scan->depth = 0;
}

void
frugal_marshal_expect_values(scan_t *scan, uint32_t count)
{
    scan->depth = 0;
    push(scan, VALUES, count);
}

void
frugal_marshal_expect_pairs(scan_t *scan, uint32_t count)
{
    scan->depth = 0;
    push(scan, PAIRS, 2 * count);
}

/* -- values -- */

/* Returns VALUE for a float that is not a heap object, so each copy of it is the same object; OTHER in doubt. */
static uint8_t
float_kind(const unsigned char *text, uint32_t length)
{
    int exponent = 0;
    uint32_t i = 0;
    bool zero = true;

    if (sizeof(void *) < 8 || length == 0 || length > 24) return FRUGAL_MARSHAL_OTHER;
    if (length == 1 && text[0] == '0') return FRUGAL_MARSHAL_VALUE;
    for (; i < length && text[i] != 'e'; i++) {
        if (text[i] >= '1' && text[i] <= '9') zero = false;
        else if (text[i] != '0' && text[i] != '.' && !(text[i] == '-' && i == 0)) return FRUGAL_MARSHAL_OTHER;
    }
    if (i < length && ++i < length && (text[i] == '-' || text[i] == '+')) i++;
    for (; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || exponent > 40) return FRUGAL_MARSHAL_OTHER;
        exponent = exponent * 10 + text[i] - '0';
    }
    return zero || exponent > 40 ? FRUGAL_MARSHAL_OTHER : FRUGAL_MARSHAL_VALUE;
}

static bool
object(scan_t *scan, token_t *token, uint8_t kind)
{
    token->type = FRUGAL_MARSHAL_OBJECT;
    token->kind = kind;
    token->number = scan->objects++;
    token->end = scan->at;
    return true;
}

/* `unmodified`: the String is of the class String, and not extended. */
static bool
string(scan_t *scan, token_t *token, bool has_ivars, bool unmodified)
{
    uint32_t count;

    if (!read_bytes(scan, &token->text.text, &token->text.length)) return false;
    token->text.encoding = FRUGAL_MARSHAL_NO_ENCODING;
    token->has_encoding = false;
    if (has_ivars) {
        if (!frugal_marshal_read_encoding(scan, token)) return false;
        if (!token->has_encoding) {
            object(scan, token, FRUGAL_MARSHAL_OTHER);
            return read_count(scan, &count, 2) && push(scan, IVARS, 2 * count);
        }
    }
    return object(scan, token, unmodified ? FRUGAL_MARSHAL_STRING : FRUGAL_MARSHAL_OTHER);
}

/* Reports whether the next value is of one of these types. */
static bool
may_follow(const scan_t *scan, const char *types)
{
    return scan->at < scan->size && scan->bytes[scan->at] != 0 && strchr(types, scan->bytes[scan->at]) != NULL;
}

static bool
container(scan_t *scan, token_t *token, uint8_t expects, uint32_t each, bool one_more)
{
    uint32_t count;

    if (!read_count(scan, &count, each)) return false;
    object(scan, token, FRUGAL_MARSHAL_OTHER);
    if (!push(scan, expects, each * count + one_more)) return false;
    scan->frames[scan->depth - 1].has_default = one_more;
    return true;
}

/*
 * The fast path for the most frequent value: a short String whose encoding is stated by a link to an E that was read
 * before. For any other value, reads nothing and returns false.
 *
 *   I " length bytes 6 ; link T          (6: one instance variable; F: US-ASCII)
 */
static inline bool
usual_string(scan_t *scan, token_t *token)
{
    const unsigned char *bytes = scan->bytes + scan->at, *ivar;
    uint32_t length;

    if (scan->encoding_symbol > 122 || scan->size - scan->at < 7) return false;
    if (bytes[0] != 'I' || bytes[1] != '"' || bytes[2] < 6 || bytes[2] > 127) return false;
    length = bytes[2] - 5u;
    if (scan->size - scan->at < 7 + length) return false;
    ivar = bytes + 3 + length;
    if (ivar[0] != 6 || ivar[1] != ';') return false;
    if (ivar[2] != (scan->encoding_symbol == 0 ? 0 : scan->encoding_symbol + 5)) return false;
    if (ivar[3] != 'T' && ivar[3] != 'F') return false;
    token->text = (frugal_marshal_symbol){ .text = scan->at + 3,
                                           .length = length,
                                           .encoding = ivar[3] == 'T' ? FRUGAL_MARSHAL_UTF8 : FRUGAL_MARSHAL_ASCII };
    token->has_encoding = true;
    token->encoding_symbol = scan->encoding_symbol;
    scan->at += 7 + length;
    return object(scan, token, FRUGAL_MARSHAL_STRING);
}

/* An object of a class with _dump: `u`, the class name, a string, and the string's instance variables. */
static bool
dumped_by_class(scan_t *scan, token_t *token)
{
    token->type = FRUGAL_MARSHAL_SIMPLE;
    token->end = ++scan->at;
    return push(scan, LATE, 0) && push(scan, NAME_BYTES_IVARS, 1);
}

static bool
safe_time(scan_t *scan, token_t *token)
{
    scan->has_times = true;
    if (!dumped_by_class(scan, token)) return false;
    scan->frames[scan->depth - 1].safe_time = true;
    return true;
}

static bool
simple(scan_t *scan, token_t *token)
{
    token->type = FRUGAL_MARSHAL_SIMPLE;
    token->end = scan->at;
    return true;
}

static bool
big_integer(scan_t *scan, token_t *token)
{
    uint32_t length;
    bool immediate;

    if (!byte_is(scan, scan->at, '+') && !byte_is(scan, scan->at, '-')) {
        return frugal_marshal_fail(scan, FRUGAL_MARSHAL_MALFORMED);
    }
    scan->at++;
    if (!read_count(scan, &length, 2)) return false;
    scan->at += 2 * length;
    immediate = length <= 3 && sizeof(void *) == 8;
    return object(scan, token, immediate ? FRUGAL_MARSHAL_VALUE : FRUGAL_MARSHAL_OTHER);
}

/* `I`: a value with instance variables. */
static bool
with_ivars(scan_t *scan, token_t *token, bool unmodified)
{
    if (byte_is(scan, scan->at, ':')) {
        scan->at--;
        return frugal_marshal_read_symbol(scan, token);
    }
    if (byte_is(scan, scan->at, '"')) {
        scan->at++;
        return string(scan, token, true, unmodified);
    }
    if (byte_is(scan, scan->at, 'u') && frugal_marshal_is_safe_time(scan)) return safe_time(scan, token);
    scan->runs_code = true;
    if (byte_is(scan, scan->at, 'u')) return dumped_by_class(scan, token);
    if (!may_follow(scan, "/[{}CeSfd")) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_MALFORMED);
    return simple(scan, token) && push(scan, THEN_IVARS, 1);
}

/* A value that names a class or that Marshal.load checks. Loading it may run code or raise. */
static bool
of_class(scan_t *scan, token_t *token, unsigned char type)
{
    uint32_t text, length;

    scan->runs_code = true;
    simple(scan, token);
    switch (type) {
    case 'u': return push(scan, LATE, 0) && push(scan, NAME_BYTES, 1);
    case 'C':
    case 'e': return push(scan, NAME_MODIFIED, 1);
    case 'o':
    case 'S': return object(scan, token, FRUGAL_MARSHAL_OTHER) && push(scan, NAME_MEMBERS, 1);
    case 'U':
    case 'd': return object(scan, token, FRUGAL_MARSHAL_OTHER) && push(scan, NAME_VALUE, 1);
    case 'c':
    case 'm':
    case 'M':
        if (!read_bytes(scan, &text, &length)) return false;
        return object(scan, token, FRUGAL_MARSHAL_VALUE);
    case '/':
        if (!read_bytes(scan, &text, &length)) return false;
        if (scan->at == scan->size) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_TRUNCATED);
        scan->at++; /* the options */
        return object(scan, token, FRUGAL_MARSHAL_OTHER);
    default: return frugal_marshal_fail(scan, FRUGAL_MARSHAL_MALFORMED);
    }
}

/* `unmodified`: the preceding tokens do not change the class or the instance variables. */
static bool
value(scan_t *scan, token_t *token, bool unmodified, bool by_identity)
{
    uint32_t text, length;
    int64_t number;
    unsigned char type;

    token->at = scan->at;
    if (unmodified && usual_string(scan, token)) return true;
    if (scan->at == scan->size) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_TRUNCATED);
    type = scan->bytes[scan->at++];
    switch (type) {
    case '0':
    case 'T':
    case 'F': return simple(scan, token);
    case 'i': return read_long(scan, &number) && simple(scan, token);
    case ':':
    case ';': scan->at--; return frugal_marshal_read_symbol(scan, token);
    case '@':
        token->type = FRUGAL_MARSHAL_LINK;
        if (!read_link(scan, &token->number, scan->objects)) return false;
        token->end = scan->at;
        return true;
    case '"': return string(scan, token, false, unmodified);
    case '[': return container(scan, token, VALUES, 1, false);
    case '{':
    case '}': return container(scan, token, by_identity ? VALUES : PAIRS, 2, type == '}');
    case 'f':
        if (!read_bytes(scan, &text, &length)) return false;
        return object(scan, token, unmodified ? float_kind(scan->bytes + text, length) : FRUGAL_MARSHAL_OTHER);
    case 'l': return big_integer(scan, token);
    case 'I': return with_ivars(scan, token, unmodified);
    default: return of_class(scan, token, type);
    }
}

/* -- frames -- */

/* After a class name was read, changes the frame to expect what follows it. */
static bool
after_class_name(scan_t *scan, frugal_marshal_frame *frame, const token_t *token)
{
    uint32_t text, length, count = 0;

    switch (frame->expects) {
    case NAME_MEMBERS:
        if (!read_count(scan, &count, 2)) return false;
        frame->expects = MEMBERS;
        frame->left = 2 * count;
        return true;
    case NAME_BYTES_IVARS:
        if (!read_bytes(scan, &text, &length) || !read_count(scan, &count, 2)) return false;
        frame->expects = IVARS;
        frame->is_time = is_named(scan, token->number, "Time", 4);
        frame->left = 2 * count;
        return true;
    case NAME_BYTES: return read_bytes(scan, &text, &length);
    case NAME_MODIFIED:
        if (!may_follow(scan, "\"/[{}CeoSUdf")) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_MALFORMED);
        frame->expects = MODIFIED;
        frame->by_identity = is_named(scan, token->number, "Hash", 4);
        break;
    default: frame->expects = VALUES; break;
    }
    frame->left = 1;
    return true;
}

/* Closes the frames that are complete. */
static bool
close_complete(scan_t *scan)
{
    while (scan->depth > 0) {
        frugal_marshal_frame *frame = scan->frames + scan->depth - 1;

        if (frame->left > 0 || frame->expects == LATE) return true;
        if (frame->expects == THEN_IVARS) {
            uint32_t count;

            if (!read_count(scan, &count, 2)) return false;
            frame->expects = IVARS;
            frame->left = 2 * count;
            continue;
        }
        scan->depth--;
    }
    return true;
}

/* The name of an instance variable. It decides whether loading the variable's value may run code. */
static inline void
note_variable(scan_t *scan, frugal_marshal_frame *frame, uint32_t symbol)
{
    frame->role = FRUGAL_MARSHAL_VISIBLE;
    if (is_named(scan, symbol, "encoding", 8)) frame->role = FRUGAL_MARSHAL_ENCODING_NAME;
    else if (frame->is_time && is_named(scan, symbol, "zone", 4)) frame->role = FRUGAL_MARSHAL_ZONE;
    if (!frame->safe_time && frame->role != FRUGAL_MARSHAL_ENCODING_NAME) scan->runs_code = true;
}

/* In PAIRS, a key is next if `left` is even; but with a default, the last value is the default. */
static inline bool
is_key_next(const frugal_marshal_frame *frame, uint32_t left)
{
    return left % 2 == 0 ? !frame->has_default : frame->has_default && left > 1;
}

bool
frugal_marshal_next(scan_t *scan, token_t *token)
{
    frugal_marshal_frame *frame = scan->frames + scan->depth - 1;
    uint32_t left = frame->left;
    bool unmodified, by_identity;

    token->role = FRUGAL_MARSHAL_VISIBLE;
    token->has_encoding = false;
    switch (frame->expects) {
    case LATE:
        token->type = FRUGAL_MARSHAL_LATE_OBJECT;
        token->kind = FRUGAL_MARSHAL_OTHER;
        token->number = scan->objects++;
        token->at = token->end = scan->at;
        scan->depth--;
        return close_complete(scan);
    case PAIRS:
        if (is_key_next(frame, left)) token->role = FRUGAL_MARSHAL_KEY;
        break;
    case IVARS:
        if (left % 2 == 1) token->role = frame->role;
        /* fall through */
    case MEMBERS:
        if (left % 2 == 1) break;
        frame->left--;
        if (!frugal_marshal_read_symbol(scan, token)) return false;
        if (frame->expects == IVARS) note_variable(scan, frame, token->number);
        return true;
    case NAME_MEMBERS:
    case NAME_VALUE:
    case NAME_MODIFIED:
    case NAME_BYTES:
    case NAME_BYTES_IVARS:
        frame->left = 0;
        return frugal_marshal_read_symbol(scan, token) && after_class_name(scan, frame, token) && close_complete(scan);
    default: break;
    }
    frame->left--;
    by_identity = frame->expects == MODIFIED && frame->by_identity;
    unmodified = frame->expects != MODIFIED && frame->expects != THEN_IVARS;
    if (!value(scan, token, unmodified, by_identity)) return false;
    if (token->role == FRUGAL_MARSHAL_ENCODING_NAME && token->type != FRUGAL_MARSHAL_LINK &&
        (token->type != FRUGAL_MARSHAL_OBJECT || token->kind != FRUGAL_MARSHAL_STRING)) {
        scan->runs_code = true; /* not a String: Marshal.load raises */
    }
    return close_complete(scan);
}

void
frugal_marshal_string_at(const unsigned char *bytes, uint32_t at, frugal_marshal_symbol *string)
{
    frugal_marshal_scan scan;
    int64_t number = 0;
    bool has_encoding = bytes[at] == 'I';

    frugal_marshal_scan_init(&scan, bytes, UINT32_MAX, NULL);
    scan.at = at + (has_encoding ? 2 : 1);
    read_long(&scan, &number);
    string->text = scan.at;
    string->length = (uint32_t)number;
    string->encoding = FRUGAL_MARSHAL_NO_ENCODING;
    if (!has_encoding) return;
    scan.at += string->length + 2; /* the number of variables, and the type of the name */
    read_long(&scan, &number);
    if (bytes[scan.at] == 'E') scan.at++;
    string->encoding = bytes[scan.at] == 'T' ? FRUGAL_MARSHAL_UTF8 : FRUGAL_MARSHAL_ASCII;
}
