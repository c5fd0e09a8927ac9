/*
 * A path beneath a directory, name by name. No name is ever opened through a
 * link: a link's text is put in its place and gone along in the same way. ".."
 * is never given to the kernel, which would lead up from wherever a directory
 * has been moved to: the names gone so far are gone again, but for the last.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "beneath_pass.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

#define MOST_LINKS 40 /* as Linux has it */
#define MOST_RESTARTS 512

typedef struct {
    int root, fd;        /* where we began, and where we are */
    char gone[PATH_MAX]; /* the names from there to here, none of them a link */
    char rest[PATH_MAX]; /* those to go */
    int links, restarts;
} way;

static int
fail(int error)
{
    errno = error;
    return -1;
}

static void
move_to(way *way, int fd)
{
    int error = errno;

    if (way->fd != way->root) close(way->fd);
    way->fd = fd;
    errno = error;
}

/* gone + "/" + rest, each of which may be empty, into rest. */
static bool
put_before(way *way, const char *names, size_t length)
{
    size_t size = strlen(way->rest) + 1, shift = length > 0 ? length + 1 : 0;

    if (shift + size > sizeof(way->rest)) {
        errno = ENAMETOOLONG;
        return false;
    }
    memmove(way->rest + shift, way->rest, size);
    if (length > 0) {
        memcpy(way->rest, names, length);
        way->rest[length] = '/';
    }
    return true;
}

static bool
up(way *way)
{
    char *slash = strrchr(way->gone, '/');

    if (way->gone[0] == '\0' || ++way->restarts > MOST_RESTARTS) {
        errno = way->gone[0] == '\0' ? EXDEV : ELOOP;
        return false;
    }
    if (!put_before(way, way->gone, slash ? (size_t)(slash - way->gone) : 0)) return false;
    way->gone[0] = '\0';
    move_to(way, way->root);
    return true;
}

/* The text of a link in its place; `error` says what became of opening it. */
static bool
expand(way *way, const char *name, bool is_last, int error)
{
    char text[PATH_MAX];
    ssize_t length = readlinkat(way->fd, name, text, sizeof(text));

    if (length <= 0) errno = length == 0 ? ENOENT : errno == EINVAL ? error : errno;
    else if (text[0] == '/') errno = EXDEV;
    else if (length == sizeof(text)) errno = ENAMETOOLONG;
    else if (++way->links > MOST_LINKS) errno = ELOOP;
    else if (!is_last) return put_before(way, text, (size_t)length);
    else {
        memcpy(way->rest, text, (size_t)length);
        way->rest[length] = '\0';
        return true;
    }
    return false;
}

static bool
is_link_error(int error)
{
    return error == ELOOP || error == ENOTDIR || error == EMLINK;
}

static bool
enter(way *way, const char *name, size_t length, bool follow)
{
    size_t used = strlen(way->gone);
    int fd = openat(way->fd, name, PASS | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0) return follow && is_link_error(errno) && expand(way, name, false, errno);
    move_to(way, fd);
    if (used + length + 2 > sizeof(way->gone)) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (used > 0) way->gone[used++] = '/';
    memcpy(way->gone + used, name, length + 1);
    return true;
}

/* The next name, taken out of rest; its length, 0 where there is none. */
static size_t
next_name(way *way, char *name, bool *is_last)
{
    size_t blank = strspn(way->rest, "/"), length = strcspn(way->rest + blank, "/");

    memcpy(name, way->rest + blank, length);
    name[length] = '\0';
    *is_last = way->rest[blank + length] == '\0';
    memmove(way->rest, way->rest + blank + length, strlen(way->rest + blank + length) + 1);
    return length;
}

static int
go(way *way, bool follow, int flags)
{
    char name[PATH_MAX];
    bool is_last;
    size_t length;

    while ((length = next_name(way, name, &is_last)) > 0) {
        int fd;

        if (strcmp(name, ".") == 0) continue;
        if (strcmp(name, "..") == 0) {
            if (!up(way)) return -1;
        } else if (!is_last) {
            if (!enter(way, name, length, follow)) return -1;
        } else {
            fd = openat(way->fd, name, flags | O_NOFOLLOW | O_CLOEXEC);
            if (fd >= 0 || !follow || !is_link_error(errno)) return fd;
            if (!expand(way, name, true, errno)) return -1;
        }
    }
    return fail(EISDIR);
}

int
frugal_beneath_steps(int root, const char *path, bool follow, int flags)
{
    way way = { .root = root, .fd = root };
    int fd;

    if (strlen(path) >= sizeof(way.rest)) return fail(ENAMETOOLONG);
    strcpy(way.rest, path);
    fd = go(&way, follow, flags);
    move_to(&way, root);
    return fd;
}
