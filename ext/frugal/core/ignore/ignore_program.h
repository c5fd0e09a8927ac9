/* Compiles and runs one wildcard pattern, with git's semantics. Does not depend on Ruby. */
#ifndef FRUGAL_IGNORE_PROGRAM_H
#define FRUGAL_IGNORE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* A buffer for programs, one after the other. Initialize it with zeros, and free `bytes`. */
typedef struct {
    unsigned char *bytes;
    size_t used;
    size_t room;
} frugal_ignore_code;

enum frugal_ignore_result { FRUGAL_IGNORE_COMPILED, FRUGAL_IGNORE_NEVER_MATCHES, FRUGAL_IGNORE_NO_MEMORY };

/*
 * Compiles a pattern without NUL, and appends its program. `for_paths`: the pattern matches paths, and `**` may match
 * folders; otherwise it matches names, which have no slash. For a pattern that never matches, nothing is appended.
 */
enum frugal_ignore_result frugal_ignore_compile(frugal_ignore_code *code, const unsigned char *pattern,
                                                const unsigned char *end, bool for_paths);

/*
 * Reports whether a program matches the complete text. Allocates nothing. Takes at most O(n² m) for a text of n bytes
 * and a pattern of m bytes.
 */
bool frugal_ignore_run(const unsigned char *program, const char *text, const char *end);

enum frugal_ignore_shape { FRUGAL_IGNORE_WILDCARDS, FRUGAL_IGNORE_LITERAL, FRUGAL_IGNORE_SUFFIX };

/*
 * A program of literal bytes only, optionally after a `*` if it is for names, is replaced by those bytes, `length` of
 * them. A program with other wildcards is not changed.
 */
enum frugal_ignore_shape frugal_ignore_simplify(unsigned char *program, bool for_paths, size_t *length);

/* The last byte of every text that the program matches, or -1 if that byte may vary. */
int frugal_ignore_last_byte(const unsigned char *program);

#endif
