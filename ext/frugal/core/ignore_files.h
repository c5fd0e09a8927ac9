/* Where the patterns lie that count in a directory: .gitignore files and a repository's info/exclude. Plain C. */
#ifndef FRUGAL_IGNORE_FILES_H
#define FRUGAL_IGNORE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "ignore_rules.h"

typedef struct {
    frugal_ignore_rules *rules; /* NULL: there is no such file, or it could not be read */
    char *bytes;                /* what it says: to see whether that has changed */
    size_t length;
    int error;                  /* why it could not be read */
} frugal_ignore_file;

/*
 * A path from an open directory, or an absolute one. What is missing or no
 * regular file has no rules, and neither has a link where it is not to be
 * `followed`. `st`, where it is not NULL, is what fstat said, or zeros. False:
 * out of memory.
 */
bool frugal_ignore_file_read(frugal_ignore_file *file, int directory, const char *path, bool followed, struct stat *st);
bool frugal_ignore_file_equals(const frugal_ignore_file *one, const frugal_ignore_file *other);
void frugal_ignore_file_free(frugal_ignore_file *file);

/*
 * Is this directory a repository's? Then `exclude` is the path of its
 * info/exclude: of the main one's, where it is another work tree of that. The
 * directory is what `at` says: "", or a path that ends in a slash.
 */
bool frugal_ignore_repository(int directory, const char *at, char *exclude, size_t room);

/* One file above the root of a walk. */
typedef struct {
    frugal_ignore_file file;
    char *path;
    size_t base; /* bytes of a path that lie in front of what its rules speak of */
} frugal_ignore_level;

/* What the repository that a directory lies in says of it and of all below it. */
typedef struct {
    char *prefix;  /* the directory's path from there, a slash at its end; or "" */
    size_t length;
    frugal_ignore_level *levels; /* the deepest first */
    size_t count;
    bool out;      /* the directory itself is ignored */
} frugal_ignore_above;

/* For an open directory, and its path. False with errno set: it has no path that the kernel tells, or out of memory, or of descriptors. */
bool frugal_ignore_above_find(frugal_ignore_above *above, int directory, const char *path);
bool frugal_ignore_above_equals(const frugal_ignore_above *one, const frugal_ignore_above *other);
void frugal_ignore_above_free(frugal_ignore_above *above);

#endif
