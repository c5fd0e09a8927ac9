#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* DT_..., O_PATH */
#endif

#include "core/fileutils/tree_copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

#define SOURCE_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
#define TARGET_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)

bool
frugal_fileutils_copy_init(frugal_tree_copy *copy, const char *from, const char *to)
{
    size_t one = strlen(from), two = strlen(to), root = one > two ? one : two;

    memset(copy, 0, sizeof(*copy));
    frugal_fileutils_stop_init(&copy->stop);
    frugal_fileutils_file_init(&copy->file);
    for (int i = 0; i < FRUGAL_COPY_LEVELS; i++) copy->levels[i].source.fd = copy->levels[i].target = -1;
    /* A path consists of the root, a slash, the path below it, and a NUL. */
    copy->max_length = root + 2 < PATH_MAX ? PATH_MAX - 2 - root : 0;
    /*
     * A longer path is handed over with its last name. A record of the kernel stores its size in 16 bits, which limits
     * the name.
     */
    copy->room = copy->max_length + 65536;
    copy->from = strdup(from);
    copy->to = strdup(to);
    copy->path = calloc(copy->room, 1);
    return copy->from != NULL && copy->to != NULL && copy->path != NULL;
}

static void
close_level(frugal_copy_level *level)
{
    frugal_fileutils_level_close(&level->source);
    if (level->target >= 0) close(level->target);
    level->target = -1;
}

void
frugal_fileutils_copy_free(frugal_tree_copy *copy)
{
    frugal_fileutils_file_close(&copy->file);
    for (int i = 0; i < FRUGAL_COPY_LEVELS; i++) {
        close_level(&copy->levels[i]);
        frugal_fileutils_level_free(&copy->levels[i].source);
    }
    free(copy->from);
    free(copy->to);
    free(copy->path);
    copy->from = copy->to = copy->path = NULL;
}

size_t
frugal_fileutils_copy_memory(const frugal_tree_copy *copy)
{
    size_t size = copy->room + strlen(copy->from) + 1 + strlen(copy->to) + 1;

    for (int i = 0; i < FRUGAL_COPY_LEVELS; i++) size += copy->levels[i].source.room;
    return size;
}

/* The source and the target of one entry: descriptors of their directories, and names. */
typedef struct {
    int from, to;
    const char *name, *new_name;
    bool fresh;
} place;

/*
 * After running out of descriptors or memory, closes all levels: the caller opens by path, and needs descriptors for
 * the rest.
 */
static frugal_copy_result
hand_over(frugal_tree_copy *copy, int error)
{
    if (error == EMFILE || error == ENFILE || error == ENOMEM) {
        copy->exhausted = true;
        for (size_t i = 0; i < copy->depth; i++) close_level(&copy->levels[i]);
    }
    return FRUGAL_COPY_HANDED_OVER;
}

/* The result for: continue with the next entry. */
#define CONTINUE FRUGAL_COPY_DONE

static frugal_copy_result
finish_file(frugal_tree_copy *copy)
{
    switch (frugal_fileutils_file_run(&copy->file, &copy->stop)) {
    case FRUGAL_FILE_COPIED: return CONTINUE;
    case FRUGAL_FILE_STOPPED: return FRUGAL_COPY_STOPPED;
    default: break;
    }
    /* Remove the incomplete target: if it is read-only, the caller could not open it again. */
    if (copy->file.created) {
        const char *last = strrchr(copy->path, '/');

        if (copy->depth == 0) unlink(copy->to);
        else unlinkat(copy->levels[copy->depth - 1].target, last != NULL ? last + 1 : copy->path, 0);
    }
    return FRUGAL_COPY_HANDED_OVER;
}

static frugal_copy_result
copy_file(frugal_tree_copy *copy, const place *at)
{
    int error = frugal_fileutils_file_open(&copy->file, at->from, at->name, at->to, at->new_name, at->fresh);

    return error == 0 ? finish_file(copy) : hand_over(copy, error);
}

static frugal_copy_result
copy_link(const place *at)
{
    char target[PATH_MAX];
    ssize_t length = readlinkat(at->from, at->name, target, sizeof(target));

    if (length < 0 || (size_t)length == sizeof(target)) return FRUGAL_COPY_HANDED_OVER;
    target[length] = '\0';
    return symlinkat(target, at->to, at->new_name) == 0 ? CONTINUE : FRUGAL_COPY_HANDED_OVER;
}

static frugal_copy_result
copy_directory(frugal_tree_copy *copy, const place *at)
{
    frugal_copy_level *level = &copy->levels[copy->depth];
    int source, error;

    if (copy->depth == FRUGAL_COPY_LEVELS) return FRUGAL_COPY_HANDED_OVER;
    /* The source is opened first: if that fails, FileUtils creates no target either. */
    source = openat(at->from, at->name, SOURCE_FLAGS);
    if (source < 0) return hand_over(copy, errno);
    level->fresh = mkdirat(at->to, at->new_name, 0777) == 0;
    /*
     * An existing target may be a link to a directory, as for FileUtils. A target that this call created may not have
     * become a link.
     */
    if (level->fresh || errno == EEXIST) {
        level->target = openat(at->to, at->new_name, TARGET_FLAGS | (level->fresh ? O_NOFOLLOW : 0));
    }
    if (level->target < 0) {
        error = errno;
        close(source);
        return hand_over(copy, error);
    }
    frugal_fileutils_level_begin(&level->source, source, NULL);
    level->length = strlen(copy->path);
    copy->depth++;
    return CONTINUE;
}

static unsigned char
type_of(const place *at)
{
    struct stat st;

    if (fstatat(at->from, at->name, &st, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
    return S_ISDIR(st.st_mode) ? DT_DIR : S_ISREG(st.st_mode) ? DT_REG : S_ISLNK(st.st_mode) ? DT_LNK : DT_UNKNOWN;
}

static frugal_copy_result
copy_one(frugal_tree_copy *copy, const place *at, unsigned char type)
{
    if (type == DT_UNKNOWN) type = type_of(at);
    switch (type) {
    case DT_REG: return copy_file(copy, at);
    case DT_DIR: return copy_directory(copy, at);
    case DT_LNK: return copy_link(at);
    default: return FRUGAL_COPY_HANDED_OVER;
    }
}

static frugal_copy_result
copy_root(frugal_tree_copy *copy)
{
    place at = { AT_FDCWD, AT_FDCWD, copy->from, copy->to, false };

    copy->started = true;
    return copy_one(copy, &at, DT_UNKNOWN);
}

/* Appends a name to copy->path. Returns false if the path is too long for the kernel. */
static bool
append_name(frugal_tree_copy *copy, size_t length, const char *name)
{
    size_t size = strlen(name);

    if (length > 0) copy->path[length++] = '/';
    memcpy(copy->path + length, name, size + 1);
    return length + size <= copy->max_length;
}

static frugal_copy_result
copy_entry(frugal_tree_copy *copy, frugal_copy_level *level)
{
    frugal_dir_entry entry;
    place at;

    copy->path[level->length] = '\0';
    if (!level->source.listed) {
        int error = copy->exhausted ? EMFILE : frugal_fileutils_level_list(&level->source, &copy->stop);

        if (error < 0) return FRUGAL_COPY_STOPPED;
        if (error > 0) {
            /* The directory itself is handed over: none of its entries is copied yet. */
            close_level(level);
            copy->depth--;
            return hand_over(copy, error);
        }
    }
    if (!frugal_fileutils_level_next(&level->source, &entry)) {
        close_level(level);
        copy->depth--;
        return CONTINUE;
    }
    if (!append_name(copy, level->length, entry.name) || copy->exhausted) return FRUGAL_COPY_HANDED_OVER;
    at = (place){ level->source.fd, level->target, entry.name, entry.name, level->fresh };
    return copy_one(copy, &at, entry.type);
}

frugal_copy_result
frugal_fileutils_copy_next(frugal_tree_copy *copy)
{
    frugal_copy_result result = CONTINUE;

    if (copy->file.from >= 0) result = finish_file(copy);
    else if (!copy->started) result = copy_root(copy);
    while (result == CONTINUE && copy->depth > 0) {
        if (frugal_fileutils_stopped(&copy->stop)) return FRUGAL_COPY_STOPPED;
        result = copy_entry(copy, &copy->levels[copy->depth - 1]);
    }
    return result;
}
