/*
 * The files with patterns for a directory: .gitignore files, and a repository's info/exclude. Does not depend on Ruby.
 */
#ifndef FRUGAL_IGNORE_FILES_H
#define FRUGAL_IGNORE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "core/ignore/ignore_rules.h"

typedef struct {
    frugal_ignore_rules *rules; /* NULL: the file does not exist, is empty, or could not be read */
    char *bytes;                /* its content, to compare it later */
    size_t length;
    int error; /* errno, if it could not be read */
} frugal_ignore_file;

/*
 * Reads rules from a path, absolute or relative to an open directory. A missing file, and any file that is not regular,
 * has no rules; a link has none unless `followed`. If `st` is not NULL, it becomes the file's stat, or zeros. Returns
 * false if out of memory.
 */
bool frugal_ignore_file_read(frugal_ignore_file *file, int directory, const char *path, bool followed, struct stat *st);
bool frugal_ignore_file_equals(const frugal_ignore_file *one, const frugal_ignore_file *other);
void frugal_ignore_file_free(frugal_ignore_file *file);
size_t frugal_ignore_file_memory(const frugal_ignore_file *file);

/*
 * Reports whether a directory is the top of a repository's work tree, and writes the path of its info/exclude to
 * `exclude`. A linked work tree uses the info/exclude of the main repository. The directory is `dir_path`, relative to
 * the descriptor: "", or a path with a slash at its end.
 */
bool frugal_ignore_find_exclude(int directory, const char *dir_path, char *exclude, size_t capacity);

/* One rule file above the root of a walk. */
typedef struct {
    frugal_ignore_file file;
    char *path;
    size_t base; /* length of the part of a path that its rules do not match against */
} frugal_ignore_level;

/* The rules of the repository around a directory, for that directory and all below it. */
typedef struct {
    char *prefix; /* the directory's path from the repository, with a slash at its end; or "" */
    size_t length;
    frugal_ignore_level *levels; /* the deepest first */
    size_t count;
    bool ignored; /* the directory itself is ignored */
} frugal_ignore_above;

/*
 * Finds the repository around an open directory, and reads the rules above the directory. Returns false with errno set
 * if out of memory or descriptors, or if the directory has no absolute path.
 */
bool frugal_ignore_above_find(frugal_ignore_above *above, int directory, const char *path);
bool frugal_ignore_above_equals(const frugal_ignore_above *one, const frugal_ignore_above *other);
void frugal_ignore_above_free(frugal_ignore_above *above);
size_t frugal_ignore_above_memory(const frugal_ignore_above *above);

#endif
