/*
 * Opens a path beneath a directory, name by name. No name is opened through a link: the link's text replaces its name,
 * and is followed in the same way. ".." is never passed to the kernel, since the directory may have been moved
 * elsewhere. Instead, the names before ".." except the last are opened again from the root.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/beneath/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "core/beneath/beneath_search.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

#define MAX_LINKS 40 /* Linux's limit */
#define MAX_RESTARTS 512

typedef struct {
    int root, fd;             /* the directory at the beginning, and the current one */
    char done[PATH_MAX];      /* the names between them, none of them a link */
    char remaining[PATH_MAX]; /* the names that are still to be opened */
    int links, restarts;
} traversal;

static int
fail(int error)
{
    errno = error;
    return -1;
}

static void
move_to(traversal *traversal, int fd)
{
    int error = errno;

    if (traversal->fd != traversal->root) close(traversal->fd);
    traversal->fd = fd;
    errno = error;
}

/* Puts names and a slash in front of the remaining names. Both may be empty. */
static bool
prepend(traversal *traversal, const char *names, size_t length)
{
    size_t size = strlen(traversal->remaining) + 1, shift = length > 0 ? length + 1 : 0;

    if (shift + size > sizeof(traversal->remaining)) {
        errno = ENAMETOOLONG;
        return false;
    }
    memmove(traversal->remaining + shift, traversal->remaining, size);
    if (length > 0) {
        memcpy(traversal->remaining, names, length);
        traversal->remaining[length] = '/';
    }
    return true;
}

static bool
go_up(traversal *traversal)
{
    char *slash = strrchr(traversal->done, '/');

    if (traversal->done[0] == '\0' || ++traversal->restarts > MAX_RESTARTS) {
        errno = traversal->done[0] == '\0' ? EXDEV : ELOOP;
        return false;
    }
    if (!prepend(traversal, traversal->done, slash ? (size_t)(slash - traversal->done) : 0)) return false;
    traversal->done[0] = '\0';
    move_to(traversal, traversal->root);
    return true;
}

/*
 * Puts the text of a link in place of its name. `error` is the errno of opening the name, for a name that is not a
 * link.
 */
static bool
expand_link(traversal *traversal, const char *name, bool is_last, int error)
{
    char text[PATH_MAX];
    ssize_t length = readlinkat(traversal->fd, name, text, sizeof(text));

    if (length <= 0) errno = length == 0 ? ENOENT : errno == EINVAL ? error : errno;
    else if (text[0] == '/') errno = EXDEV;
    else if (length == sizeof(text)) errno = ENAMETOOLONG;
    else if (++traversal->links > MAX_LINKS) errno = ELOOP;
    else if (!is_last) return prepend(traversal, text, (size_t)length);
    else {
        memcpy(traversal->remaining, text, (size_t)length);
        traversal->remaining[length] = '\0';
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
enter_directory(traversal *traversal, const char *name, size_t length, bool follow)
{
    size_t used = strlen(traversal->done);
    int fd = openat(traversal->fd, name, SEARCH_ONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0) return follow && is_link_error(errno) && expand_link(traversal, name, false, errno);
    move_to(traversal, fd);
    if (used + length + 2 > sizeof(traversal->done)) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (used > 0) traversal->done[used++] = '/';
    memcpy(traversal->done + used, name, length + 1);
    return true;
}

/* Removes the next name from the remaining ones. Returns its length, or 0 at the end. */
static size_t
next_name(traversal *traversal, char *name, bool *is_last)
{
    size_t slashes = strspn(traversal->remaining, "/"), length = strcspn(traversal->remaining + slashes, "/");
    const char *rest;

    memcpy(name, traversal->remaining + slashes, length);
    name[length] = '\0';
    rest = traversal->remaining + slashes + length;
    *is_last = *rest == '\0';
    memmove(traversal->remaining, rest, strlen(rest) + 1);
    return length;
}

static int
open_remaining(traversal *traversal, bool follow, int flags)
{
    char name[PATH_MAX];
    bool is_last;
    size_t length;

    while ((length = next_name(traversal, name, &is_last)) > 0) {
        int fd;

        if (strcmp(name, ".") == 0) continue;
        if (strcmp(name, "..") == 0) {
            if (!go_up(traversal)) return -1;
        }
        else if (!is_last) {
            if (!enter_directory(traversal, name, length, follow)) return -1;
        }
        else {
            fd = openat(traversal->fd, name, flags | O_NOFOLLOW | O_CLOEXEC);
            if (fd >= 0 || !follow || !is_link_error(errno)) return fd;
            if (!expand_link(traversal, name, true, errno)) return -1;
        }
    }
    return fail(EISDIR);
}

int
frugal_beneath_open_stepwise(int root, const char *path, bool follow, int flags)
{
    traversal traversal = { .root = root, .fd = root };
    int fd;

    if (strlen(path) >= sizeof(traversal.remaining)) return fail(ENAMETOOLONG);
    strcpy(traversal.remaining, path);
    fd = open_remaining(&traversal, follow, flags);
    move_to(&traversal, root);
    return fd;
}
