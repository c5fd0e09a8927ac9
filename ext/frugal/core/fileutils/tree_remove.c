#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* DT_... */
#endif

#include "core/fileutils/tree_remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Another process may have replaced the directory: do not follow a link, and do not block on a FIFO. */
#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

/* How often an entry is tried again if it alternates between a directory and another file. */
#define MAX_TRIES 16

bool
frugal_fileutils_remove_init(frugal_tree_remove *remove, const char *root, size_t length)
{
    memset(remove, 0, sizeof(*remove));
    frugal_fileutils_stop_init(&remove->stop);
    for (int i = 0; i < FRUGAL_REMOVE_LEVELS; i++) remove->levels[i].fd = -1;
    remove->root = strdup(root);
    remove->directory = strdup(root);
    if (remove->root == NULL || remove->directory == NULL) return false;
    /* A path consists of the root, a slash, the path below it, and a NUL. */
    remove->max_length = length + 2 < PATH_MAX ? PATH_MAX - 2 - length : 0;
    while (length > 1 && remove->directory[length - 1] == '/') remove->directory[--length] = '\0';
    return true;
}

void
frugal_fileutils_remove_free(frugal_tree_remove *remove)
{
    for (int i = 0; i < FRUGAL_REMOVE_LEVELS; i++) frugal_fileutils_level_free(&remove->levels[i]);
    free(remove->root);
    free(remove->directory);
    remove->root = remove->directory = NULL;
}

static int
parent_fd(const frugal_tree_remove *remove)
{
    return remove->depth == 0 ? AT_FDCWD : remove->levels[remove->depth - 1].fd;
}

/* Opens a directory, whose entries are removed next. Returns 0, or an errno if the caller has to remove it. */
static int
enter_directory(frugal_tree_remove *remove, const char *name)
{
    int fd;

    if (remove->depth == FRUGAL_REMOVE_LEVELS) return EMFILE;
    fd = openat(parent_fd(remove), name, OPEN_FLAGS);
    if (fd < 0) {
        if (errno != EACCES || !remove->force || !remove->skip) return errno;
        /* The directory may be empty. FileUtils ignores the error, even for the root. */
        unlinkat(parent_fd(remove), name, AT_REMOVEDIR);
        return 0;
    }
    if (remove->depth > 0) remove->length += 1 + strlen(name);
    frugal_fileutils_level_begin(&remove->levels[remove->depth++], fd, name);
    return 0;
}

/*
 * Reports whether an error means that unlinkat(2) is not available (a seccomp filter denies it), not that this entry
 * cannot be removed. If so, the caller may succeed by path.
 */
static bool
is_unavailable(const frugal_tree_remove *remove, int error)
{
    return error == ENOSYS || error == EOPNOTSUPP || (error == EPERM && !remove->has_removed);
}

/* Closes a directory whose entries are done, and removes it. */
static bool
leave_directory(frugal_tree_remove *remove)
{
    frugal_dir_level *level = &remove->levels[--remove->depth];

    frugal_fileutils_level_close(level);
    if (remove->depth > 0) remove->length -= 1 + strlen(level->name);
    if (unlinkat(parent_fd(remove), level->name, AT_REMOVEDIR) != 0) {
        return remove->force && !is_unavailable(remove, errno);
    }
    remove->has_removed = true;
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

/*
 * Linux does not unlink directories: it fails with EISDIR, but with another errno if the parent directory is not
 * writable.
 */
static bool
try_unlink(int fd, const char *name, unsigned char type, bool *directory)
{
    (void)type;
    *directory = false;
    if (unlinkat(fd, name, 0) == 0) return true;
    *directory = errno == EISDIR || (errno != ENOENT && is_directory(fd, name));
    return false;
}

#else

static bool
try_unlink(int fd, const char *name, unsigned char type, bool *directory)
{
    *directory = type == DT_UNKNOWN && is_directory(fd, name);
    return !*directory && unlinkat(fd, name, 0) == 0;
}

#endif

/*
 * Removes an entry. If another process replaces it between two system calls, it is tried again. It is not left to the
 * caller, which follows paths: if the entry became a link, the files in the link's target would be removed. Returns 0,
 * or an errno.
 */
static int
remove_one(frugal_tree_remove *remove, const char *name, const char *directory_name, unsigned char type)
{
    int tries = strcmp(name, directory_name) == 0 ? MAX_TRIES : 1; /* FileUtils takes "link/" for a directory */
    bool directory = type == DT_DIR;
    int error = 0;

    while (tries-- > 0) {
        if (!directory && try_unlink(parent_fd(remove), name, type, &directory)) {
            remove->has_removed = true;
            if (remove->depth == 0) remove->removed = FRUGAL_REMOVED_FILE;
            return 0;
        }
        if (!directory) return remove->force && !is_unavailable(remove, errno) ? 0 : errno;
        error = enter_directory(remove, directory_name);
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

    if (remove->length + 1 + strlen(entry->name) > remove->max_length) return false;
    error = remove_one(remove, entry->name, entry->name, entry->type);
    return error == 0 || error == ENOENT; /* ENOENT: another process has removed it */
}

static frugal_remove_result
hand_over(frugal_tree_remove *remove)
{
    while (remove->depth > 0) frugal_fileutils_level_close(&remove->levels[--remove->depth]);
    return FRUGAL_REMOVE_HANDED_OVER;
}

frugal_remove_result
frugal_fileutils_remove_run(frugal_tree_remove *remove)
{
    frugal_dir_entry entry;

    if (!remove->started) {
        remove->started = true;
        if (remove_one(remove, remove->root, remove->directory, DT_UNKNOWN) != 0) return hand_over(remove);
    }
    while (remove->depth > 0) {
        frugal_dir_level *level = &remove->levels[remove->depth - 1];

        if (frugal_fileutils_stopped(&remove->stop)) return FRUGAL_REMOVE_STOPPED;
        if (!level->listed) {
            int error = frugal_fileutils_level_list(level, &remove->stop);

            if (error < 0) return FRUGAL_REMOVE_STOPPED;
            if (error > 0) return hand_over(remove);
        }
        if (!(frugal_fileutils_level_next(level, &entry) ? remove_entry(remove, &entry) : leave_directory(remove))) {
            return hand_over(remove);
        }
    }
    return FRUGAL_REMOVE_DONE;
}
