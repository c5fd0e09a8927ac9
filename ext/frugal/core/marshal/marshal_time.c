#include "core/marshal/marshal_time.h"

#include <string.h>

#include "core/marshal/marshal_read.h"

typedef frugal_marshal_scan scan_t;

enum { DATE_SIZE = 8, SUBMICRO_MAX = 8 }; /* bytes */
enum { OFFSET = 1, ZONE = 2, NUMERATOR = 4, DENOMINATOR = 8, SUBMICRO = 16 };

static const struct {
    const char *name;
    int variable;
} VARIABLES[] = { { "offset", OFFSET },
                  { "zone", ZONE },
                  { "nano_num", NUMERATOR },
                  { "nano_den", DENOMINATOR },
                  { "submicro", SUBMICRO } };

static bool
skip(scan_t *scan, unsigned char byte)
{
    if (!byte_is(scan, scan->at, byte)) return false;
    scan->at++;
    return true;
}

/* Reads a symbol or a link to a symbol. The symbol is scanned again later, so the scan does not add it now. */
static bool
read_name(scan_t *scan, frugal_marshal_symbol *name)
{
    uint32_t number;

    name->encoding = FRUGAL_MARSHAL_NO_ENCODING;
    if (skip(scan, ':')) return read_bytes(scan, &name->text, &name->length);
    if (!skip(scan, ';') || !read_link(scan, &number, scan->symbol_table->count)) return false;
    *name = scan->symbol_table->list[number];
    return true;
}

static bool
is_text(const scan_t *scan, const frugal_marshal_symbol *name, const char *text)
{
    return name->length == strlen(text) && memcmp(scan->bytes + name->text, text, name->length) == 0;
}

/* Two little-endian words: day, month, year and hour, with the highest bit set; then minute, second and microsecond. */
static bool
is_date(const unsigned char *bytes)
{
    uint32_t day = 0, second = 0;

    for (int i = 3; i >= 0; i--) {
        day = day << 8 | bytes[i];
        second = second << 8 | bytes[4 + i];
    }
    return day >> 31 == 1 && (day >> 10 & 15) < 12 && (day >> 5 & 31) > 0 && (day & 31) < 24 && second >> 26 < 60 &&
           (second >> 20 & 63) <= 60 && (second & 0xFFFFF) < 1000000;
}

static bool
skip_integer(scan_t *scan, int64_t from, int64_t to)
{
    int64_t number = 0;

    return skip(scan, 'i') && read_long(scan, &number) && number >= from && number <= to;
}

/* Skips a String that states its encoding by E, or states none. */
static bool
skip_string(scan_t *scan)
{
    frugal_marshal_symbol name;
    uint32_t text, length = 0;

    if (skip(scan, '"')) return read_bytes(scan, &text, &length);
    if (!skip(scan, 'I') || !skip(scan, '"') || !read_bytes(scan, &text, &length) || !skip(scan, 6)) return false;
    return read_name(scan, &name) && is_text(scan, &name, "E") && (skip(scan, 'T') || skip(scan, 'F'));
}

static bool
skip_zone(scan_t *scan)
{
    uint32_t number;

    if (skip(scan, '@')) return read_link(scan, &number, scan->objects);
    return skip(scan, '0') || skip_string(scan);
}

static bool
skip_value(scan_t *scan, int variable)
{
    uint32_t text, length = 0;

    switch (variable) {
    case OFFSET: return skip_integer(scan, -86399, 86399);
    case ZONE: return skip_zone(scan);
    case NUMERATOR: return skip_integer(scan, 0, INT32_MAX);
    case DENOMINATOR: return skip_integer(scan, 1, INT32_MAX);
    default: return skip(scan, '"') && read_bytes(scan, &text, &length) && length <= SUBMICRO_MAX;
    }
}

static bool
skip_variables(scan_t *scan)
{
    uint32_t count;
    int seen = 0;

    if (!read_count(scan, &count, 2)) return false;
    while (count-- > 0) {
        frugal_marshal_symbol name;
        int variable = 0;

        if (!read_name(scan, &name) || name.encoding != FRUGAL_MARSHAL_NO_ENCODING) return false;
        for (size_t i = 0; i < sizeof(VARIABLES) / sizeof(*VARIABLES); i++) {
            if (is_text(scan, &name, VARIABLES[i].name)) variable = VARIABLES[i].variable;
        }
        if (variable == 0 || seen & variable || !skip_value(scan, variable)) return false;
        seen |= variable;
    }
    return !(seen & NUMERATOR) == !(seen & DENOMINATOR);
}

static bool
skip_time(scan_t *scan)
{
    frugal_marshal_symbol name;
    uint32_t date, length = 0;

    return skip(scan, 'u') && read_name(scan, &name) && is_text(scan, &name, "Time") &&
           read_bytes(scan, &date, &length) && length == DATE_SIZE && is_date(scan->bytes + date) &&
           skip_variables(scan);
}

bool
frugal_marshal_is_safe_time(scan_t *scan)
{
    uint32_t at = scan->at;
    enum frugal_marshal_reason reason = scan->reason;
    bool safe = skip_time(scan);

    scan->at = at;
    scan->reason = reason;
    return safe;
}
