#include "marshal_scan.h"

#include <string.h>

#include "marshal_read.h"
#include "marshal_time.h"

typedef frugal_marshal_scan scan_t;
typedef frugal_marshal_token token_t;

/* What an open frame expects. */
enum {
    VALUES,
    PAIRS,       /* keys and values of a Hash, */
    MEMBERS,     /* names and values of an object or a Struct, */
    IVARS,       /* of any other object: turns, an even number left is a name's */
    THEN_IVARS,  /* a value, then its IVARS */
    MODIFIED,    /* a value that may be extended or of a class of its own */
    NAME_MEMBERS, /* a class's name, then MEMBERS */
    NAME_VALUE,
    NAME_MODIFIED,
    NAME_BYTES,  /* a class's name, then a string, */
    NAME_BYTES_IVARS, /* and its IVARS */
    LATE         /* nothing, and is told */
};

static bool
push(scan_t *scan, uint8_t expects, uint32_t left)
{
    if (scan->depth == FRUGAL_MARSHAL_DEPTH) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_DEEP);
    scan->frames[scan->depth++] = (frugal_marshal_frame){ .expects = expects, .left = left };
    return true;
}

void
frugal_marshal_scan_init(scan_t *scan, const unsigned char *bytes, uint32_t size, frugal_marshal_symbols *known)
{
    scan->bytes = bytes;
    scan->size = size;
    scan->at = scan->objects = scan->symbols = 0;
    scan->known = known;
    scan->teller = UINT32_MAX;
    scan->reason = FRUGAL_MARSHAL_FINE;
    scan->code = scan->times = false;
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

/* Is this number none of an object's, but the same wherever it is? Where in doubt, not. */
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

/* `plain`: of the class String, not extended. */
static bool
string(scan_t *scan, token_t *token, bool with_ivars, bool plain)
{
    uint32_t count;

    if (!read_bytes(scan, &token->text.text, &token->text.length)) return false;
    token->text.encoding = FRUGAL_MARSHAL_UNTOLD;
    token->told = false;
    if (with_ivars) {
        if (!frugal_marshal_read_encoding(scan, token)) return false;
        if (!token->told) {
            object(scan, token, FRUGAL_MARSHAL_OTHER);
            return read_count(scan, &count, 2) && push(scan, IVARS, 2 * count);
        }
    }
    return object(scan, token, plain ? FRUGAL_MARSHAL_STRING : FRUGAL_MARSHAL_OTHER);
}

/* Types that 'I', 'C' and 'e' may stand before. */
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
    scan->frames[scan->depth - 1].flag = one_more;
    return true;
}

/*
 * Most values: a short String that tells its encoding by the E of those before.
 * False: read it as any other.
 */
static inline bool
usual_string(scan_t *scan, token_t *token)
{
    const unsigned char *bytes = scan->bytes + scan->at, *tells;
    uint32_t length;

    if (scan->teller > 122 || scan->size - scan->at < 7 || bytes[0] != 'I' || bytes[1] != '"' || bytes[2] < 6 || bytes[2] > 127) return false;
    length = bytes[2] - 5u;
    if (scan->size - scan->at < 7 + length) return false;
    tells = bytes + 3 + length;
    if (tells[0] != 6 || tells[1] != ';' || tells[2] != (scan->teller == 0 ? 0 : scan->teller + 5) || (tells[3] != 'T' && tells[3] != 'F')) return false;
    token->text = (frugal_marshal_symbol){
        .text = scan->at + 3, .length = length, .encoding = tells[3] == 'T' ? FRUGAL_MARSHAL_UTF8 : FRUGAL_MARSHAL_ASCII
    };
    token->told = true;
    token->teller = scan->teller;
    scan->at += 7 + length;
    return object(scan, token, FRUGAL_MARSHAL_STRING);
}

/* What has _dump, and instance variables of its string. */
static bool
packed(scan_t *scan, token_t *token)
{
    token->type = FRUGAL_MARSHAL_SIMPLE; /* a prefix */
    token->end = ++scan->at;
    return push(scan, LATE, 0) && push(scan, NAME_BYTES_IVARS, 1);
}

static bool
time(scan_t *scan, token_t *token)
{
    scan->times = true;
    if (!packed(scan, token)) return false;
    scan->frames[scan->depth - 1].plain = true;
    return true;
}

static bool
value(scan_t *scan, token_t *token, bool plain, bool identity)
{
    uint32_t text, length;
    int64_t number;
    unsigned char type;

    token->at = scan->at;
    if (plain && usual_string(scan, token)) return true;
    if (scan->at == scan->size) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_SHORT);
    type = scan->bytes[scan->at++];
    switch (type) {
    case '0': case 'T': case 'F':
        token->type = FRUGAL_MARSHAL_SIMPLE;
        token->end = scan->at;
        return true;
    case 'i':
        if (!read_long(scan, &number)) return false;
        token->type = FRUGAL_MARSHAL_SIMPLE;
        token->end = scan->at;
        return true;
    case ':': case ';':
        scan->at--;
        return frugal_marshal_read_symbol(scan, token);
    case '@':
        token->type = FRUGAL_MARSHAL_LINK;
        if (!read_link(scan, &token->number, scan->objects)) return false;
        token->end = scan->at;
        return true;
    case '"':
        return string(scan, token, false, plain);
    case '[':
        return container(scan, token, VALUES, 1, false);
    case '{':
        return container(scan, token, identity ? VALUES : PAIRS, 2, false);
    case '}':
        return container(scan, token, identity ? VALUES : PAIRS, 2, true);
    case 'f':
        if (!read_bytes(scan, &text, &length)) return false;
        return object(scan, token, plain ? float_kind(scan->bytes + text, length) : FRUGAL_MARSHAL_OTHER);
    case 'l':
        if (!byte_is(scan, scan->at, '+') && !byte_is(scan, scan->at, '-')) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_STRANGE);
        scan->at++;
        if (!read_count(scan, &length, 2)) return false;
        scan->at += 2 * length;
        return object(scan, token, length <= 3 && sizeof(void *) == 8 ? FRUGAL_MARSHAL_VALUE : FRUGAL_MARSHAL_OTHER);
    case 'I':
        if (byte_is(scan, scan->at, ':')) {
            scan->at--;
            return frugal_marshal_read_symbol(scan, token);
        }
        if (byte_is(scan, scan->at, '"')) {
            scan->at++;
            return string(scan, token, true, plain);
        }
        if (byte_is(scan, scan->at, 'u') && frugal_marshal_is_plain_time(scan)) return time(scan, token);
        break;
    default: break;
    }

    scan->code = true; /* from here on: classes, and what is checked when it is loaded */
    token->type = FRUGAL_MARSHAL_SIMPLE; /* a prefix */
    token->end = scan->at;
    switch (type) {
    case 'I':
        if (byte_is(scan, scan->at, 'u')) return packed(scan, token);
        if (!may_follow(scan, "/[{}CeSfd")) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_STRANGE);
        return push(scan, THEN_IVARS, 1);
    case 'u':
        return push(scan, LATE, 0) && push(scan, NAME_BYTES, 1);
    case 'C': case 'e':
        return push(scan, NAME_MODIFIED, 1);
    case 'o': case 'S':
        return object(scan, token, FRUGAL_MARSHAL_OTHER) && push(scan, NAME_MEMBERS, 1);
    case 'U': case 'd':
        return object(scan, token, FRUGAL_MARSHAL_OTHER) && push(scan, NAME_VALUE, 1);
    case 'c': case 'm': case 'M':
        if (!read_bytes(scan, &text, &length)) return false;
        return object(scan, token, FRUGAL_MARSHAL_VALUE);
    case '/':
        if (!read_bytes(scan, &text, &length)) return false;
        if (scan->at == scan->size) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_SHORT);
        scan->at++;
        return object(scan, token, FRUGAL_MARSHAL_OTHER);
    default:
        return frugal_marshal_fail(scan, FRUGAL_MARSHAL_STRANGE);
    }
}

/* -- frames -- */

/* A class's name was read: what comes behind it? */
static bool
named(scan_t *scan, frugal_marshal_frame *frame, const token_t *token)
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
        frame->flag = is_named(scan, token->number, "Time", 4);
        frame->left = 2 * count;
        return true;
    case NAME_BYTES:
        return read_bytes(scan, &text, &length);
    case NAME_MODIFIED:
        if (!may_follow(scan, "\"/[{}CeoSUdf")) return frugal_marshal_fail(scan, FRUGAL_MARSHAL_STRANGE);
        frame->expects = MODIFIED;
        frame->flag = is_named(scan, token->number, "Hash", 4);
        break;
    default:
        frame->expects = VALUES;
        break;
    }
    frame->left = 1;
    return true;
}

/* Closes what is complete. */
static bool
settle(scan_t *scan)
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

bool
frugal_marshal_next(scan_t *scan, token_t *token)
{
    frugal_marshal_frame *frame = scan->frames + scan->depth - 1;
    uint32_t turn = frame->left;
    bool plain, identity;

    token->role = FRUGAL_MARSHAL_SEEN;
    token->told = false;
    switch (frame->expects) {
    case LATE:
        token->type = FRUGAL_MARSHAL_LATE_OBJECT;
        token->kind = FRUGAL_MARSHAL_OTHER;
        token->number = scan->objects++;
        token->at = token->end = scan->at;
        scan->depth--;
        return settle(scan);
    case PAIRS:
        /* An even turn is a key's; but the last of an odd number is the default. */
        if (turn % 2 == 0 ? !frame->flag : frame->flag && turn > 1) token->role = FRUGAL_MARSHAL_KEY;
        break;
    case IVARS:
        if (turn % 2 == 1) token->role = frame->role;
        /* fall through */
    case MEMBERS:
        if (turn % 2 == 1) break;
        frame->left--;
        if (!frugal_marshal_read_symbol(scan, token)) return false;
        if (frame->expects == IVARS) {
            frame->role = is_named(scan, token->number, "encoding", 8)            ? FRUGAL_MARSHAL_NAME
                          : frame->flag && is_named(scan, token->number, "zone", 4) ? FRUGAL_MARSHAL_ZONE
                                                                                    : FRUGAL_MARSHAL_SEEN;
            scan->code = scan->code || !(frame->plain || frame->role == FRUGAL_MARSHAL_NAME);
        }
        return true;
    case NAME_MEMBERS: case NAME_VALUE: case NAME_MODIFIED: case NAME_BYTES: case NAME_BYTES_IVARS:
        frame->left = 0;
        return frugal_marshal_read_symbol(scan, token) && named(scan, frame, token) && settle(scan);
    default: break;
    }
    frame->left--;
    identity = frame->expects == MODIFIED && frame->flag;
    plain = frame->expects != MODIFIED && frame->expects != THEN_IVARS;
    if (!value(scan, token, plain, identity)) return false;
    if (token->role == FRUGAL_MARSHAL_NAME && token->type != FRUGAL_MARSHAL_LINK &&
        (token->type != FRUGAL_MARSHAL_OBJECT || token->kind != FRUGAL_MARSHAL_STRING)) {
        scan->code = true;
    }
    return settle(scan);
}
