#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* DT_... */
#endif

#include "tree_remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whatever took the place of a directory: no link is followed, no pipe waited for. */
#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

/* So often an entry may be a directory, and the next moment none, before it is left to the caller. */
#define MOST_TURNS 16

bool
frugal_tree_remove_init(frugal_tree_remove *remove, const char *root, size_t length)
{
    memset(remove, 0, sizeof(*remove));
    frugal_dir_stop_init(&remove->stop);
    for (int i = 0; i < FRUGAL_REMOVE_LEVELS; i++) remove->levels[i].fd = -1;
    remove->root = strdup(root);
    remove->directory = strdup(root);
    if (remove->root == NULL || remove->directory == NULL) return false;
    /* A path is the root, a slash, and what is below; and ends in a NUL. */
    remove->longest = length + 2 < PATH_MAX ? PATH_MAX - 2 - length : 0;
    while (length > 1 && remove->directory[length - 1] == '/') remove->directory[--length] = '\0';
    return true;
}

void
frugal_tree_remove_free(frugal_tree_remove *remove)
{
    for (int i = 0; i < FRUGAL_REMOVE_LEVELS; i++) frugal_dir_level_free(&remove->levels[i]);
    free(remove->root);
    free(remove->directory);
    remove->root = remove->directory = NULL;
}

static int
above(const frugal_tree_remove *remove)
{
    return remove->depth == 0 ? AT_FDCWD : remove->levels[remove->depth - 1].fd;
}

/* Opens a directory and goes on in it. Returns 0, or an errno where the caller must see to it. */
static int
enter(frugal_tree_remove *remove, const char *name)
{
    int fd;

    if (remove->depth == FRUGAL_REMOVE_LEVELS) return EMFILE;
    fd = openat(above(remove), name, OPEN_FLAGS);
    if (fd < 0) {
        if (errno != EACCES || !remove->force || !remove->skip) return errno;
        unlinkat(above(remove), name, AT_REMOVEDIR); /* it may be empty; FileUtils says nothing of it, also where it is the root */
        return 0;
    }
    if (remove->depth > 0) remove->length += 1 + strlen(name);
    frugal_dir_level_begin(&remove->levels[remove->depth++], fd, name);
    return 0;
}

/*
 * Whether the system has no unlinkat for us (a filter of system calls), rather
 * than that this one entry cannot be removed: by path, as the caller does it, it may.
 */
static bool
refused(const frugal_tree_remove *remove, int error)
{
    return error == ENOSYS || error == EOPNOTSUPP || (error == EPERM && !remove->removes);
}

/* Closes a directory, in which nothing more is to be done, and removes it. */
static bool
leave(frugal_tree_remove *remove)
{
    frugal_dir_level *level = &remove->levels[--remove->depth];

    frugal_dir_level_close(level);
    if (remove->depth > 0) remove->length -= 1 + strlen(level->name);
    if (unlinkat(above(remove), level->name, AT_REMOVEDIR) != 0) return remove->force && !refused(remove, errno);
    remove->removes = true;
    if (remove->depth == 0) remove->removed = FRUGAL_REMOVED_DIRECTORY;
    return true;
}

static bool
is_directory(int fd, const char *name)
{
    struct stat st;

    return fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

#ifdef __linux__

/* Linux unlinks no directory, and mostly says that it is one; but not where the folder may not be written to. */
static bool
unlinked(int fd, const char *name, unsigned char type, bool *directory)
{
    (void)type;
    *directory = false;
    if (unlinkat(fd, name, 0) == 0) return true;
    *directory = errno == EISDIR || (errno != ENOENT && is_directory(fd, name));
    return false;
}

#else

static bool
unlinked(int fd, const char *name, unsigned char type, bool *directory)
{
    *directory = type == DT_UNKNOWN && is_directory(fd, name);
    return !*directory && unlinkat(fd, name, 0) == 0;
}

#endif

/*
 * A directory that another process replaces between two questions is asked about
 * again: left to the caller, who follows paths, a link in its place would have
 * what it leads to removed. Returns 0, or an errno.
 */
static int
remove_one(frugal_tree_remove *remove, const char *name, const char *directory_name, unsigned char type)
{
    int turns = strcmp(name, directory_name) == 0 ? MOST_TURNS : 1; /* "link/" is a directory to FileUtils */
    bool directory = type == DT_DIR;
    int error = 0;

    while (turns-- > 0) {
        if (!directory && unlinked(above(remove), name, type, &directory)) {
            remove->removes = true;
            if (remove->depth == 0) remove->removed = FRUGAL_REMOVED_FILE;
            return 0;
        }
        if (!directory) return remove->force && !refused(remove, errno) ? 0 : errno;
        error = enter(remove, directory_name);
        if (error != ENOTDIR && error != ELOOP && error != EMLINK) return error;
        type = DT_UNKNOWN;
        directory = false;
    }
    return error;
}

static bool
remove_entry(frugal_tree_remove *remove, const frugal_dir_entry *entry)
{
    int error;

    if (remove->length + 1 + strlen(entry->name) > remove->longest) return false;
    error = remove_one(remove, entry->name, entry->name, entry->type);
    return error == 0 || error == ENOENT; /* what has gone by itself need not be removed */
}

static frugal_remove_end
left(frugal_tree_remove *remove)
{
    while (remove->depth > 0) frugal_dir_level_close(&remove->levels[--remove->depth]);
    return FRUGAL_REMOVE_LEFT;
}

frugal_remove_end
frugal_tree_remove_run(frugal_tree_remove *remove)
{
    frugal_dir_entry entry;

    if (!remove->begun) {
        remove->begun = true;
        if (remove_one(remove, remove->root, remove->directory, DT_UNKNOWN) != 0) return left(remove);
    }
    while (remove->depth > 0) {
        frugal_dir_level *level = &remove->levels[remove->depth - 1];

        if (frugal_dir_stopped(&remove->stop)) return FRUGAL_REMOVE_STOPPED;
        if (!level->listed) {
            int error = frugal_dir_level_list(level, &remove->stop);

            if (error < 0) return FRUGAL_REMOVE_STOPPED;
            if (error > 0) return left(remove);
        }
        if (!(frugal_dir_level_next(level, &entry) ? remove_entry(remove, &entry) : leave(remove))) return left(remove);
    }
    return FRUGAL_REMOVE_DONE;
}
