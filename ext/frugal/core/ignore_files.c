#include "ignore_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* git's own limit; such a file is no list of patterns. */
#define MOST_BYTES (100 * 1024 * 1024)

/* A pipe of that name must not hold up the walk. */
#define FILE_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

static bool
read_whole(int fd, char *bytes, size_t size, size_t *length)
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

/* False: out of memory. */
static bool
read_open(frugal_ignore_file *file, int fd, size_t size)
{
    file->bytes = malloc(size);
    if (file->bytes == NULL) return false;
    if (!read_whole(fd, file->bytes, size, &file->length)) {
        file->error = errno;
        free(file->bytes);
        file->bytes = NULL;
        file->length = 0;
        return true;
    }
    file->rules = frugal_ignore_parse(file->bytes, file->length);
    return file->rules != NULL;
}

/* Is that no more than a file that is not there, or not to be followed? */
static bool
is_miss(int error, bool followed)
{
    return error == ENOENT || error == ENOTDIR || error == ENXIO || (!followed && (error == ELOOP || error == EMLINK));
}

bool
frugal_ignore_file_read(frugal_ignore_file *file, int directory, const char *path, bool followed, struct stat *st)
{
    struct stat own;
    int fd;
    bool room = true;

    memset(file, 0, sizeof(*file));
    if (st == NULL) st = &own;
    memset(st, 0, sizeof(*st));
    fd = openat(directory, path, FILE_FLAGS | (followed ? 0 : O_NOFOLLOW));
    if (fd < 0 || fstat(fd, st) != 0) file->error = is_miss(errno, followed) ? 0 : errno;
    else if (S_ISREG(st->st_mode) && st->st_size > MOST_BYTES) file->error = EFBIG;
    else if (S_ISREG(st->st_mode) && st->st_size > 0) room = read_open(file, fd, (size_t)st->st_size);
    if (fd >= 0) close(fd);
    return room;
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

/* -- repositories -- */

/* A path joined of parts; false where it is too long. */
static bool
join(char *path, size_t room, const char *at, const char *name, const char *rest)
{
    int length = snprintf(path, room, "%s%s%s", name[0] == '/' ? "" : at, name, rest);

    return length >= 0 && (size_t)length < room;
}

/* The one line of a file, behind what it has to begin with. */
static bool
read_line(int directory, const char *path, const char *beginning, char *line, size_t room)
{
    size_t taken = strlen(beginning), length = 0;
    int fd = openat(directory, path, FILE_FLAGS);
    bool whole = fd >= 0 && read_whole(fd, line, room, &length) && length < room;

    if (fd >= 0) close(fd);
    if (!whole || length <= taken || memcmp(line, beginning, taken) != 0) return false;
    while (length > taken && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
    memmove(line, line + taken, length - taken);
    line[length - taken] = '\0';
    return length > taken;
}

/* A work tree of its own, or a submodule: .git is a file that names the folder. */
static bool
elsewhere(int directory, const char *at, char *exclude, size_t room)
{
    char line[PATH_MAX], folder[PATH_MAX], path[PATH_MAX];
    struct stat st;

    if (!join(path, sizeof(path), at, ".git", "") || !read_line(directory, path, "gitdir: ", line, sizeof(line))) return false;
    if (!join(folder, sizeof(folder), at, line, "/") || !join(path, sizeof(path), folder, "HEAD", "")) return false;
    if (fstatat(directory, path, &st, AT_SYMLINK_NOFOLLOW) != 0) return false;
    if (!join(path, sizeof(path), folder, "commondir", "")) return false;
    if (!read_line(directory, path, "", line, sizeof(line))) return join(exclude, room, folder, "info/exclude", "");
    return join(exclude, room, folder, line, "/info/exclude");
}

bool
frugal_ignore_repository(int directory, const char *at, char *exclude, size_t room)
{
    char head[PATH_MAX];
    struct stat st;

    if (!join(head, sizeof(head), at, ".git/HEAD", "")) return false;
    if (fstatat(directory, head, &st, AT_SYMLINK_NOFOLLOW) == 0) return join(exclude, room, at, ".git/info/exclude", "");
    return errno == ENOTDIR && elsewhere(directory, at, exclude, room);
}

/* -- above the root of a walk -- */

/* Without links, from "/" on. NULL with errno set. */
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
    frugal_ignore_level *levels = realloc(above->levels, (above->count + 1) * sizeof(*levels)), *level;

    if (levels == NULL) return false;
    above->levels = levels;
    level = &levels[above->count++];
    *level = (frugal_ignore_level){ .base = base, .path = strdup(path) };
    if (level->path == NULL || !frugal_ignore_file_read(&level->file, AT_FDCWD, path, followed, NULL)) return false;
    if (level->file.error != EMFILE && level->file.error != ENFILE) return true;
    errno = level->file.error;
    return false;
}

/* Is one of the directories from the repository's down to this one ignored? */
static bool
leads_out(const frugal_ignore_above *above)
{
    size_t from = 0;

    for (size_t end = 0; end < above->length; end++) {
        if (above->prefix[end] != '/') continue;
        for (size_t i = 0; i < above->count; i++) {
            const frugal_ignore_level *level = &above->levels[i];
            int says = FRUGAL_IGNORE_SILENT;

            if (level->file.rules != NULL && level->base <= from) {
                says = frugal_ignore_match(level->file.rules, above->prefix + level->base, end - level->base, above->prefix + from, true);
            }
            if (says == FRUGAL_IGNORE_OUT) return true;
            if (says == FRUGAL_IGNORE_IN) break;
        }
        from = end + 1;
    }
    return false;
}

/* All files from the directory above this one up to the repository's; `at` has room for one more name. */
static bool
read_levels(frugal_ignore_above *above, char *at, size_t top, size_t end, const char *exclude)
{
    while (end > top) {
        end--;
        while (at[end - 1] != '/') end--;
        memcpy(at + end, ".gitignore", sizeof(".gitignore"));
        if (!add_level(above, at, end - top, false)) return false;
    }
    return add_level(above, exclude, 0, true);
}

/* Climbs to the next repository; `at` is the directory's path, a slash at its end. */
static bool
climb(frugal_ignore_above *above, char *at, size_t end)
{
    char exclude[PATH_MAX];
    size_t top = end;
    bool room;

    do {
        if (top == 1) return true; /* all of it is no repository's */
        top--;
        while (at[top - 1] != '/') top--;
        above->prefix[top] = '\0';
    } while (!frugal_ignore_repository(AT_FDCWD, above->prefix, exclude, sizeof(exclude)));
    above->length = end - top;
    memmove(above->prefix, at + top, above->length);
    above->prefix[above->length] = '\0';
    room = read_levels(above, at, top, end, exclude);
    above->out = room && leads_out(above);
    return room;
}

bool
frugal_ignore_above_find(frugal_ignore_above *above, int directory, const char *path)
{
    char exclude[PATH_MAX], *real, *at;
    size_t end;
    bool room;

    memset(above, 0, sizeof(*above));
    if (frugal_ignore_repository(directory, "", exclude, sizeof(exclude))) return true; /* its listing finds that again */
    real = real_path(directory, path);
    if (real == NULL) return false;
    end = strlen(real);
    if (real[end - 1] == '/') end--;
    at = malloc(end + 1 + sizeof(".gitignore"));
    above->prefix = malloc(end + 2);
    room = at != NULL && above->prefix != NULL;
    if (room) {
        memcpy(at, real, end);
        at[end++] = '/';
        memcpy(above->prefix, at, end);
        room = climb(above, at, end);
    }
    free(real);
    free(at);
    return room;
}

bool
frugal_ignore_above_equals(const frugal_ignore_above *one, const frugal_ignore_above *other)
{
    bool same = one->count == other->count && one->length == other->length &&
                (one->length == 0 || memcmp(one->prefix, other->prefix, one->length) == 0);

    for (size_t i = 0; same && i < one->count; i++) same = frugal_ignore_file_equals(&one->levels[i].file, &other->levels[i].file);
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
