/*
 * Marshal 4.8, token by token, with the numbers that Marshal.load gives to
 * symbols and objects. Plain C: knows nothing of Ruby, makes no object.
 *
 *   A dump is a value; a value may open others, up to FRUGAL_MARSHAL_DEPTH deep.
 *   `;` links to a symbol and `@` to an object by the number of its first
 *   appearance, so a part of a dump means nothing without what is before it.
 *
 * Whatever Marshal.dump does not write is refused, though Marshal.load may take it.
 */
#ifndef FRUGAL_MARSHAL_SCAN_H
#define FRUGAL_MARSHAL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRUGAL_MARSHAL_DEPTH 500

enum frugal_marshal_reason {
    FRUGAL_MARSHAL_FINE,
    FRUGAL_MARSHAL_SHORT,     /* ends too early */
    FRUGAL_MARSHAL_FOREIGN,   /* not a dump of version 4.8, or not of what was asked for */
    FRUGAL_MARSHAL_STRANGE,   /* nothing that Marshal.dump writes */
    FRUGAL_MARSHAL_DANGLING,  /* a link to what was not there yet */
    FRUGAL_MARSHAL_DEEP,
    FRUGAL_MARSHAL_BIG,       /* 4 GiB */
    FRUGAL_MARSHAL_TRAILING,  /* bytes behind the value */
    FRUGAL_MARSHAL_KEYS,      /* keys that are not strings, symbols or integers, or one of them twice */
    FRUGAL_MARSHAL_CYCLE,     /* holds itself */
    FRUGAL_MARSHAL_NO_MEMORY
};

/* The encodings that a string or symbol tells, and UNTOLD: binary, or ASCII in a symbol. */
enum frugal_marshal_encoding { FRUGAL_MARSHAL_UNTOLD, FRUGAL_MARSHAL_UTF8, FRUGAL_MARSHAL_ASCII };

typedef struct {
    uint32_t text, length;
    uint8_t encoding;
    bool linked; /* from outside the root that brought it; only an index knows */
} frugal_marshal_symbol;

typedef struct {
    frugal_marshal_symbol *list;
    uint32_t count, room;
} frugal_marshal_symbols;

enum frugal_marshal_kind {
    FRUGAL_MARSHAL_OTHER,  /* one that a program can tell from its copy */
    FRUGAL_MARSHAL_STRING, /* a String without instance variables: a copy will do as a Hash's key */
    FRUGAL_MARSHAL_VALUE   /* a copy will do anywhere: a number that is no object, a class */
};

enum frugal_marshal_token_type {
    FRUGAL_MARSHAL_SIMPLE,     /* nil, true, false, a small integer */
    FRUGAL_MARSHAL_SYMBOL,     /* the first appearance of `number` */
    FRUGAL_MARSHAL_SYMBOL_LINK,
    FRUGAL_MARSHAL_OBJECT,     /* the first appearance of `number`, of this `kind` */
    FRUGAL_MARSHAL_LINK,
    FRUGAL_MARSHAL_LATE_OBJECT /* an object that has its number after those in it: where it ends, no bytes */
};

/* Where it stands: who can tell a String there from a copy of it? */
enum frugal_marshal_role {
    FRUGAL_MARSHAL_SEEN,
    FRUGAL_MARSHAL_KEY, /* nobody: a Hash takes Ruby's one string of these bytes, */
    FRUGAL_MARSHAL_ZONE, /* and so does a Time for its zone */
    FRUGAL_MARSHAL_NAME /* nobody: of an encoding */
};

/* What stands from byte `at` up to `end`; of an object that holds others, its head. */
typedef struct {
    uint8_t type, kind, role;
    bool told;                  /* a STRING or symbol that tells its encoding, by the symbol `teller` */
    uint32_t at, end, number;
    uint32_t teller;
    frugal_marshal_symbol text; /* of a symbol or STRING */
} frugal_marshal_token;

typedef struct {
    uint8_t expects;
    uint8_t role;  /* of the next value of an instance variable */
    bool flag;     /* of a Hash: it has a default; before one: it compares by identity; of IVARS: a Time's */
    bool plain;    /* of IVARS: one that frugal_marshal_is_plain_time knows */
    uint32_t left; /* what is to come in it */
} frugal_marshal_frame;

/* frugal_marshal_scan_init, then maybe at, objects and symbols, then one of frugal_marshal_expect_*. */
typedef struct {
    const unsigned char *bytes;
    uint32_t size, at;
    uint32_t objects, symbols;     /* the numbers given so far */
    frugal_marshal_symbols *known; /* the symbols up to here, at least; the first pass adds to them */
    uint32_t teller;               /* a symbol that is E */
    enum frugal_marshal_reason reason;
    bool code;                     /* something was passed that runs code when it is loaded, or may raise, */
    bool times;                    /* or a plain Time, which does neither unless a program changed Time._load */
    int depth;                     /* frames that are open */
    frugal_marshal_frame frames[FRUGAL_MARSHAL_DEPTH];
} frugal_marshal_scan;

void frugal_marshal_scan_init(frugal_marshal_scan *scan, const unsigned char *bytes, uint32_t size, frugal_marshal_symbols *known);

/* Opens a frame of so many values, or of so many pairs of a Hash. */
void frugal_marshal_expect_values(frugal_marshal_scan *scan, uint32_t count);
void frugal_marshal_expect_pairs(frugal_marshal_scan *scan, uint32_t count);

/* The next token; false at a fault, `reason`. Not to be called when depth is 0. */
bool frugal_marshal_next(frugal_marshal_scan *scan, frugal_marshal_token *token);

/* A number as Marshal writes it, at `scan->at`. */
bool frugal_marshal_read_long(frugal_marshal_scan *scan, int64_t *number);

/* The text of a STRING that was scanned before, by where it begins. */
void frugal_marshal_string_at(const unsigned char *bytes, uint32_t at, frugal_marshal_symbol *string);

#endif
