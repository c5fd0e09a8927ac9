/* The patterns of one .gitignore, with git's semantics. Does not depend on Ruby. */
#ifndef FRUGAL_IGNORE_RULES_H
#define FRUGAL_IGNORE_RULES_H

#include <stdbool.h>
#include <stddef.h>

/* Immutable after parsing, so several threads may use it at the same time. */
typedef struct frugal_ignore_rules frugal_ignore_rules;

enum { FRUGAL_IGNORE_NO_MATCH, FRUGAL_IGNORE_EXCLUDED, FRUGAL_IGNORE_INCLUDED };

/*
 * Parses the content of a file, which may be freed afterwards. Patterns that can match nothing are left out, so the
 * result may be empty. Returns NULL if out of memory.
 */
frugal_ignore_rules *frugal_ignore_parse(const char *bytes, size_t length);

/* Accepts NULL. */
void frugal_ignore_free(frugal_ignore_rules *rules);

/* The bytes that the rules have allocated; 0 for NULL. */
size_t frugal_ignore_memory(const frugal_ignore_rules *rules);

/*
 * The result of the last pattern that matches: EXCLUDED (ignored), INCLUDED (a `!` pattern), or NO_MATCH. `path` is
 * relative to the folder of the rules; it has at least one byte, and no slash at its beginning or end. `name` points to
 * its last component. A link to a directory is not a directory.
 *
 * The rules are those of one file. Match against the file of the deepest folder first, then those of its parents, then
 * .git/info/exclude with the path from the repository: the first result other than NO_MATCH decides. All paths below an
 * excluded directory are excluded.
 *
 * Allocates nothing. A pattern of m bytes takes at most O(n² m) for a path of n bytes.
 */
int frugal_ignore_match(const frugal_ignore_rules *rules, const char *path, size_t length, const char *name,
                        bool directory);

#endif
