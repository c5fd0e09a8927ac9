#include "core/ignore/ignore_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/system/system.h"

/* git's own limit: it reads no patterns from a larger file. */
#define MAX_BYTES (100 * 1024 * 1024)

/* O_NONBLOCK: opening a FIFO must not block the walk. */
#define FILE_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

static bool
read_to_end(int fd, char *bytes, size_t size, size_t *length)
{
    *length = 0;
    while (*length < size) {
        ssize_t got = read(fd, bytes + *length, size - *length);

        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) break;
        *length += (size_t)got;
    }
    return true;
}

/* Reads and parses an open file. Returns false if out of memory. */
static bool
read_open(frugal_ignore_file *file, int fd, size_t size)
{
    file->bytes = malloc(size);
    if (file->bytes == NULL) return false;
    if (!read_to_end(fd, file->bytes, size, &file->length)) {
        file->error = errno;
        free(file->bytes);
        file->bytes = NULL;
        file->length = 0;
        return true;
    }
    file->rules = frugal_ignore_parse(file->bytes, file->length);
    return file->rules != NULL;
}

/* Reports whether an errno means that there is no file to read: it is missing, or a link that is not followed. */
static bool
is_no_file(int error, bool followed)
{
    return error == ENOENT || error == ENOTDIR || error == ENXIO || (!followed && (error == ELOOP || error == EMLINK));
}

bool
frugal_ignore_file_read(frugal_ignore_file *file, int directory, const char *path, bool followed, struct stat *st)
{
    struct stat ignored;
    int fd;
    bool ok = true;

    memset(file, 0, sizeof(*file));
    if (st == NULL) st = &ignored;
    memset(st, 0, sizeof(*st));
    fd = openat(directory, path, FILE_FLAGS | (followed ? 0 : O_NOFOLLOW));
    if (fd < 0 || fstat(fd, st) != 0) file->error = is_no_file(errno, followed) ? 0 : errno;
    else if (S_ISREG(st->st_mode) && st->st_size > MAX_BYTES) file->error = EFBIG;
    else if (S_ISREG(st->st_mode) && st->st_size > 0) ok = read_open(file, fd, (size_t)st->st_size);
    if (fd >= 0) close(fd);
    return ok;
}

bool
frugal_ignore_file_equals(const frugal_ignore_file *one, const frugal_ignore_file *other)
{
    return one->error == other->error && one->length == other->length &&
           (one->length == 0 || memcmp(one->bytes, other->bytes, one->length) == 0);
}

void
frugal_ignore_file_free(frugal_ignore_file *file)
{
    frugal_ignore_free(file->rules);
    free(file->bytes);
    memset(file, 0, sizeof(*file));
}

size_t
frugal_ignore_file_memory(const frugal_ignore_file *file)
{
    return frugal_ignore_memory(file->rules) + file->length;
}

/* -- repositories -- */

/* Joins a path from its parts. An absolute name replaces dir_path. Returns false if the result is too long. */
static bool
join(char *path, size_t capacity, const char *dir_path, const char *name, const char *rest)
{
    int length = snprintf(path, capacity, "%s%s%s", name[0] == '/' ? "" : dir_path, name, rest);

    return length >= 0 && (size_t)length < capacity;
}

/* Reads a file of one line, which must begin with `beginning`, into `line`, without `beginning`. */
static bool
read_line(int directory, const char *path, const char *beginning, char *line, size_t capacity)
{
    size_t skipped = strlen(beginning), length = 0;
    int fd = openat(directory, path, FILE_FLAGS);
    bool complete = fd >= 0 && read_to_end(fd, line, capacity, &length) && length < capacity;

    if (fd >= 0) close(fd);
    if (!complete || length <= skipped || memcmp(line, beginning, skipped) != 0) return false;
    while (length > skipped && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
    memmove(line, line + skipped, length - skipped);
    line[length - skipped] = '\0';
    return length > skipped;
}

/* In a linked work tree or a submodule, .git is a file with the path of the repository's folder. */
static bool
find_linked_exclude(int directory, const char *dir_path, char *exclude, size_t capacity)
{
    char line[PATH_MAX], folder[PATH_MAX], path[PATH_MAX];
    struct stat st;

    if (!join(path, sizeof(path), dir_path, ".git", "")) return false;
    if (!read_line(directory, path, "gitdir: ", line, sizeof(line))) return false;
    if (!join(folder, sizeof(folder), dir_path, line, "/")) return false;
    if (!join(path, sizeof(path), folder, "HEAD", "")) return false;
    if (fstatat(directory, path, &st, AT_SYMLINK_NOFOLLOW) != 0) return false;
    if (!join(path, sizeof(path), folder, "commondir", "")) return false;
    if (!read_line(directory, path, "", line, sizeof(line))) return join(exclude, capacity, folder, "info/exclude", "");
    return join(exclude, capacity, folder, line, "/info/exclude");
}

bool
frugal_ignore_find_exclude(int directory, const char *dir_path, char *exclude, size_t capacity)
{
    char head[PATH_MAX];
    struct stat st;

    if (!join(head, sizeof(head), dir_path, ".git/HEAD", "")) return false;
    if (fstatat(directory, head, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        return join(exclude, capacity, dir_path, ".git/info/exclude", "");
    }
    return errno == ENOTDIR && find_linked_exclude(directory, dir_path, exclude, capacity);
}

/* -- above the root of a walk -- */

/* The absolute path without links. Returns NULL with errno set. */
static char *
real_path(int directory, const char *path)
{
#ifdef __linux__
    char link[32], found[PATH_MAX];
    ssize_t length;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", directory);
    length = readlink(link, found, sizeof(found));
    if (length > 0 && (size_t)length < sizeof(found) && found[0] == '/') return strndup(found, (size_t)length);
#else
    (void)directory;
#endif
    return realpath(path, NULL);
}

static bool
add_level(frugal_ignore_above *above, const char *path, size_t base, bool followed)
{
    frugal_ignore_level *level;

    if (!frugal_system_resize(&above->levels, sizeof(*above->levels), above->count + 1)) return false;
    level = &above->levels[above->count++];
    *level = (frugal_ignore_level){ .base = base, .path = strdup(path) };
    if (level->path == NULL || !frugal_ignore_file_read(&level->file, AT_FDCWD, path, followed, NULL)) return false;
    if (level->file.error != EMFILE && level->file.error != ENFILE) return true;
    errno = level->file.error;
    return false;
}

/* Reports whether the walk's root, or a directory between the repository and the root, is ignored. */
static bool
is_below_ignored(const frugal_ignore_above *above)
{
    size_t from = 0;

    for (size_t end = 0; end < above->length; end++) {
        if (above->prefix[end] != '/') continue;
        for (size_t i = 0; i < above->count; i++) {
            const frugal_ignore_level *level = &above->levels[i];
            int match = FRUGAL_IGNORE_NO_MATCH;

            if (level->file.rules != NULL && level->base <= from) {
                match = frugal_ignore_match(level->file.rules, above->prefix + level->base, end - level->base,
                                            above->prefix + from, true);
            }
            if (match == FRUGAL_IGNORE_EXCLUDED) return true;
            if (match == FRUGAL_IGNORE_INCLUDED) break;
        }
        from = end + 1;
    }
    return false;
}

/*
 * Reads the .gitignore files from the directory above the root up to the repository, then `exclude`. `buffer` has room
 * for one more name.
 */
static bool
read_levels(frugal_ignore_above *above, char *buffer, size_t top, size_t end, const char *exclude)
{
    while (end > top) {
        end--;
        while (buffer[end - 1] != '/') end--;
        memcpy(buffer + end, ".gitignore", sizeof(".gitignore"));
        if (!add_level(above, buffer, end - top, false)) return false;
    }
    return add_level(above, exclude, 0, true);
}

/* Finds the nearest repository above the root, and reads its rules. `buffer` is the root's path and a slash. */
static bool
find_repository_above(frugal_ignore_above *above, char *buffer, size_t end)
{
    char exclude[PATH_MAX];
    size_t top = end;
    bool ok;

    do {
        if (top == 1) return true; /* reached "/" without finding a repository */
        top--;
        while (buffer[top - 1] != '/') top--;
        above->prefix[top] = '\0';
    } while (!frugal_ignore_find_exclude(AT_FDCWD, above->prefix, exclude, sizeof(exclude)));
    above->length = end - top;
    memmove(above->prefix, buffer + top, above->length);
    above->prefix[above->length] = '\0';
    ok = read_levels(above, buffer, top, end, exclude);
    above->ignored = ok && is_below_ignored(above);
    return ok;
}

bool
frugal_ignore_above_find(frugal_ignore_above *above, int directory, const char *path)
{
    char exclude[PATH_MAX], *real, *buffer;
    size_t end;
    bool ok;

    memset(above, 0, sizeof(*above));
    /* If the root itself is a repository, its rules are read when it is listed. */
    if (frugal_ignore_find_exclude(directory, "", exclude, sizeof(exclude))) return true;
    real = real_path(directory, path);
    if (real == NULL) return false;
    end = strlen(real);
    if (real[end - 1] == '/') end--;
    buffer = malloc(end + 1 + sizeof(".gitignore"));
    above->prefix = malloc(end + 2);
    ok = buffer != NULL && above->prefix != NULL;
    if (ok) {
        memcpy(buffer, real, end);
        buffer[end++] = '/';
        memcpy(above->prefix, buffer, end);
        ok = find_repository_above(above, buffer, end);
    }
    free(real);
    free(buffer);
    return ok;
}

bool
frugal_ignore_above_equals(const frugal_ignore_above *one, const frugal_ignore_above *other)
{
    bool same = one->count == other->count && one->length == other->length &&
                (one->length == 0 || memcmp(one->prefix, other->prefix, one->length) == 0);

    for (size_t i = 0; same && i < one->count; i++) {
        same = frugal_ignore_file_equals(&one->levels[i].file, &other->levels[i].file);
    }
    return same;
}

void
frugal_ignore_above_free(frugal_ignore_above *above)
{
    for (size_t i = 0; i < above->count; i++) {
        frugal_ignore_file_free(&above->levels[i].file);
        free(above->levels[i].path);
    }
    free(above->levels);
    free(above->prefix);
    memset(above, 0, sizeof(*above));
}

size_t
frugal_ignore_above_memory(const frugal_ignore_above *above)
{
    size_t size = (above->prefix != NULL ? above->length + 1 : 0) + above->count * sizeof(*above->levels);

    for (size_t i = 0; i < above->count; i++) {
        size += frugal_ignore_file_memory(&above->levels[i].file) + strlen(above->levels[i].path) + 1;
    }
    return size;
}
