/* One wildcard pattern as git reads it, compiled. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_IGNORE_PROGRAM_H
#define FRUGAL_IGNORE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Where programs are written, one after the other. Zeros to begin with; free `bytes`. */
typedef struct {
    unsigned char *bytes;
    size_t used;
    size_t room;
} frugal_ignore_code;

enum frugal_ignore_result { FRUGAL_IGNORE_COMPILED, FRUGAL_IGNORE_HOPELESS, FRUGAL_IGNORE_NO_MEMORY };

/*
 * Appends the program of a pattern, which has no NUL. `whole_path`: it is for
 * paths, and `**` may stand for folders; else it is for names, which have no
 * slash. A hopeless pattern matches nothing, and nothing is appended.
 */
enum frugal_ignore_result frugal_ignore_compile(frugal_ignore_code *code, const unsigned char *pattern,
                                                const unsigned char *end, bool whole_path);

/* Does it match all of the text? Allocates nothing; at most O(n² m) for a text of n and a pattern of m bytes. */
bool frugal_ignore_run(const unsigned char *program, const char *text, const char *end);

enum frugal_ignore_shape { FRUGAL_IGNORE_WILD, FRUGAL_IGNORE_PLAIN, FRUGAL_IGNORE_ENDING };

/*
 * A program that compares with plain bytes only, or a name's end with such,
 * becomes those bytes, `length` of them. A wild one stays as it is.
 */
enum frugal_ignore_shape frugal_ignore_simplify(unsigned char *program, bool whole_path, size_t *length);

/* The byte that whatever a program matches ends with, or -1 where it may be any. */
int frugal_ignore_last_byte(const unsigned char *program);

#endif
