/* The patterns of one .gitignore, as git reads them. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_IGNORE_RULES_H
#define FRUGAL_IGNORE_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* Never changes once it is parsed: any number of threads may ask it. */
typedef struct frugal_ignore_rules frugal_ignore_rules;

enum { FRUGAL_IGNORE_SILENT, FRUGAL_IGNORE_OUT, FRUGAL_IGNORE_IN };

/*
 * Reads a file's bytes; keeps none of them. A line that git can match with
 * nothing is left out, so the set may be empty. NULL: out of memory.
 */
frugal_ignore_rules *frugal_ignore_parse(const char *bytes, size_t length);

/* NULL is fine. */
void frugal_ignore_free(frugal_ignore_rules *rules);

/*
 * What the last pattern that matches says: that the path is out (ignored), or
 * in (a `!` pattern). `path` is relative to the folder of the rules, of at
 * least one byte, without a slash at either end; `name`, its last part, points
 * into it. A link to a directory is no directory.
 *
 * One set is one file. Ask that of the deepest folder first, then its parents',
 * then .git/info/exclude, by the path from the repository's root: the first
 * that is not silent decides. Below a directory that is out all is out.
 *
 * Allocates nothing. A pattern of m bytes costs at most O(n² m) for a path of n.
 */
int frugal_ignore_match(const frugal_ignore_rules *rules, const char *path, size_t length, const char *name, bool directory);

#endif
