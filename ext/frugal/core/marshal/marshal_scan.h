/*
 * A scanner for Marshal 4.8. It returns one token at a time, with the numbers that Marshal.load gives to symbols and
 * objects, and makes no Ruby object. Does not depend on Ruby.
 *
 *   A dump is a value. A value may contain others, up to FRUGAL_MARSHAL_DEPTH
 *   levels deep. `;` links to a symbol and `@` to an object by the number of its
 *   first appearance, so a part of a dump cannot be read without what precedes it.
 *
 * The scanner refuses bytes that Marshal.dump does not write, even if Marshal.load accepts them.
 */
#ifndef FRUGAL_MARSHAL_SCAN_H
#define FRUGAL_MARSHAL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRUGAL_MARSHAL_DEPTH 500

/* Why there is no index. */
enum frugal_marshal_reason {
    FRUGAL_MARSHAL_OK,
    FRUGAL_MARSHAL_TRUNCATED,
    FRUGAL_MARSHAL_WRONG_HEADER, /* not version 4.8, or not a Hash (of a list: not an Array) */
    FRUGAL_MARSHAL_MALFORMED,    /* bytes that Marshal.dump does not write */
    FRUGAL_MARSHAL_DANGLING,     /* a link to a number that is not given yet */
    FRUGAL_MARSHAL_TOO_DEEP,
    FRUGAL_MARSHAL_TOO_BIG,  /* 4 GiB or more */
    FRUGAL_MARSHAL_TRAILING, /* bytes after the value */
    FRUGAL_MARSHAL_KEYS,     /* a key that is not a String, Symbol or Integer, or the same key twice */
    FRUGAL_MARSHAL_CYCLE,    /* the table contains itself */
    FRUGAL_MARSHAL_NO_MEMORY
};

/*
 * The encoding that the dump states by E. NO_ENCODING: the dump states none, so a String is binary, and a symbol ASCII.
 */
enum frugal_marshal_encoding { FRUGAL_MARSHAL_NO_ENCODING, FRUGAL_MARSHAL_UTF8, FRUGAL_MARSHAL_ASCII };

typedef struct {
    uint32_t text, length; /* `text` is the offset of its bytes */
    uint8_t encoding;
    bool linked; /* a root other than the one where it first appears links to it; set only by an index */
} frugal_marshal_symbol;

typedef struct {
    frugal_marshal_symbol *list;
    uint32_t count, room;
} frugal_marshal_symbols;

/* Where a copy may replace the object without any program noticing. */
enum frugal_marshal_kind {
    FRUGAL_MARSHAL_OTHER,  /* nowhere */
    FRUGAL_MARSHAL_STRING, /* as a Hash's key: a String without instance variables */
    FRUGAL_MARSHAL_VALUE   /* anywhere: a class, or a number that is not a heap object */
};

enum frugal_marshal_token_type {
    FRUGAL_MARSHAL_SIMPLE, /* nil, true, false, a small integer, or the first byte of a value in several tokens */
    FRUGAL_MARSHAL_SYMBOL, /* the first appearance of symbol `number` */
    FRUGAL_MARSHAL_SYMBOL_LINK,
    FRUGAL_MARSHAL_OBJECT, /* the first appearance of object `number`, of this `kind` */
    FRUGAL_MARSHAL_LINK,
    FRUGAL_MARSHAL_LATE_OBJECT /* the end of an object that is numbered after the objects in it; no bytes */
};

/* How Ruby uses a value: can a program distinguish a String in this place from a copy of it? */
enum frugal_marshal_role {
    FRUGAL_MARSHAL_VISIBLE,      /* yes */
    FRUGAL_MARSHAL_KEY,          /* no: a Hash takes Ruby's one interned string of these bytes as its key */
    FRUGAL_MARSHAL_ZONE,         /* no: a Time does the same for its zone */
    FRUGAL_MARSHAL_ENCODING_NAME /* no: Marshal.load only looks the encoding up */
};

/* A token: the bytes from `at` up to `end`. For an object that contains others, only the bytes of its head. */
typedef struct {
    uint8_t type, kind, role;
    bool has_encoding; /* a String or symbol with an E, which is symbol number `encoding_symbol` */
    uint32_t at, end, number;
    uint32_t encoding_symbol;
    frugal_marshal_symbol text; /* of a symbol or STRING */
} frugal_marshal_token;

/* A value that is not complete yet. */
typedef struct {
    uint8_t expects; /* what follows: see marshal_scan.c */
    uint8_t role;    /* in IVARS: the role of the next value */
    union {
        bool has_default; /* in PAIRS: the Hash has a default, which is the last value */
        bool by_identity; /* in MODIFIED: if this is a Hash, it compares by identity */
        bool is_time;     /* in IVARS: the variables belong to a Time */
    };
    bool safe_time; /* in IVARS: frugal_marshal_is_safe_time has accepted the Time */
    uint32_t left;  /* how many tokens or values are still to come */
} frugal_marshal_frame;

/*
 * Call frugal_marshal_scan_init; to scan only a part of a dump, set `at`, `objects` and `symbols`; then call one of
 * frugal_marshal_expect_*.
 */
typedef struct {
    const unsigned char *bytes;
    uint32_t size, at;
    uint32_t objects, symbols;            /* how many numbers are given */
    frugal_marshal_symbols *symbol_table; /* has at least the symbols up to `at`; the first scan of a dump adds them */
    uint32_t encoding_symbol;             /* the last symbol E that was read */
    enum frugal_marshal_reason reason;
    bool runs_code; /* a value was scanned whose loading may run code of the program, or raise */
    bool has_times; /* a safe Time was scanned; loading it runs code only if a program changed Time._load */
    int depth;      /* how many frames are open */
    frugal_marshal_frame frames[FRUGAL_MARSHAL_DEPTH];
} frugal_marshal_scan;

void frugal_marshal_scan_init(frugal_marshal_scan *scan, const unsigned char *bytes, uint32_t size,
                              frugal_marshal_symbols *symbol_table);

/* Opens a frame of `count` values, or of `count` pairs of a Hash. */
void frugal_marshal_expect_values(frugal_marshal_scan *scan, uint32_t count);
void frugal_marshal_expect_pairs(frugal_marshal_scan *scan, uint32_t count);

/* Reads the next token. Returns false with `reason` set if it cannot. Must not be called when `depth` is 0. */
bool frugal_marshal_next(frugal_marshal_scan *scan, frugal_marshal_token *token);

/* Reads the number at `scan->at`. */
bool frugal_marshal_read_long(frugal_marshal_scan *scan, int64_t *number);

/* The text of a STRING that begins at this offset and was scanned before. */
void frugal_marshal_string_at(const unsigned char *bytes, uint32_t at, frugal_marshal_symbol *string);

#endif
