#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* DT_..., O_PATH */
#endif

#include "tree_copy.h"

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
frugal_tree_copy_init(frugal_tree_copy *copy, const char *from, const char *to)
{
    size_t one = strlen(from), two = strlen(to), root = one > two ? one : two;

    memset(copy, 0, sizeof(*copy));
    frugal_dir_stop_init(&copy->stop);
    frugal_file_copy_init(&copy->file);
    for (int i = 0; i < FRUGAL_COPY_LEVELS; i++) copy->levels[i].source.fd = copy->levels[i].target = -1;
    /* A path is the root, a slash, and what is below; and ends in a NUL. */
    copy->longest = root + 2 < PATH_MAX ? PATH_MAX - 2 - root : 0;
    /* What is longer has to be handed over, with its name, which the kernel's 16 bits of length bound. */
    copy->room = copy->longest + 65536;
    copy->from = strdup(from);
    copy->to = strdup(to);
    copy->path = calloc(copy->room, 1);
    return copy->from != NULL && copy->to != NULL && copy->path != NULL;
}

static void
close_level(frugal_copy_level *level)
{
    frugal_dir_level_close(&level->source);
    if (level->target >= 0) close(level->target);
    level->target = -1;
}

void
frugal_tree_copy_free(frugal_tree_copy *copy)
{
    frugal_file_copy_close(&copy->file);
    for (int i = 0; i < FRUGAL_COPY_LEVELS; i++) {
        close_level(&copy->levels[i]);
        frugal_dir_level_free(&copy->levels[i].source);
    }
    free(copy->from);
    free(copy->to);
    free(copy->path);
    copy->from = copy->to = copy->path = NULL;
}

/* Where an entry lies, and where its copy will. */
typedef struct {
    int from, to;
    const char *name, *new_name;
    bool fresh;
} place;

/* So that the caller, who opens by path, finds descriptors to do it. */
static frugal_copy_end
hand_over(frugal_tree_copy *copy, int error)
{
    if (error == EMFILE || error == ENFILE || error == ENOMEM) {
        copy->closed = true;
        for (size_t i = 0; i < copy->depth; i++) close_level(&copy->levels[i]);
    }
    return FRUGAL_COPY_HANDED;
}

/* The end that means: go on. */
#define GO_ON FRUGAL_COPY_DONE

static frugal_copy_end
finish_file(frugal_tree_copy *copy)
{
    switch (frugal_file_copy_run(&copy->file, &copy->stop)) {
      case FRUGAL_FILE_COPIED: return GO_ON;
      case FRUGAL_FILE_STOPPED: return FRUGAL_COPY_STOPPED;
      default: break;
    }
    /* A read-only one could not be opened again. */
    if (copy->file.made) {
        const char *last = strrchr(copy->path, '/');

        if (copy->depth == 0) unlink(copy->to);
        else unlinkat(copy->levels[copy->depth - 1].target, last != NULL ? last + 1 : copy->path, 0);
    }
    return FRUGAL_COPY_HANDED;
}

static frugal_copy_end
copy_file(frugal_tree_copy *copy, const place *at)
{
    int error = frugal_file_copy_open(&copy->file, at->from, at->name, at->to, at->new_name, at->fresh);

    return error == 0 ? finish_file(copy) : hand_over(copy, error);
}

static frugal_copy_end
copy_link(const place *at)
{
    char target[PATH_MAX];
    ssize_t length = readlinkat(at->from, at->name, target, sizeof(target));

    if (length < 0 || (size_t)length == sizeof(target)) return FRUGAL_COPY_HANDED;
    target[length] = '\0';
    return symlinkat(target, at->to, at->new_name) == 0 ? GO_ON : FRUGAL_COPY_HANDED;
}

static frugal_copy_end
copy_directory(frugal_tree_copy *copy, const place *at)
{
    frugal_copy_level *level = &copy->levels[copy->depth];
    int source, error;

    if (copy->depth == FRUGAL_COPY_LEVELS) return FRUGAL_COPY_HANDED;
    /* First: where FileUtils may not even ask what it is, it makes nothing. */
    source = openat(at->from, at->name, SOURCE_FLAGS);
    if (source < 0) return hand_over(copy, errno);
    level->fresh = mkdirat(at->to, at->new_name, 0777) == 0;
    /* A link to a directory will do, as it does for FileUtils; one that has just replaced ours will not. */
    if (level->fresh || errno == EEXIST) level->target = openat(at->to, at->new_name, TARGET_FLAGS | (level->fresh ? O_NOFOLLOW : 0));
    if (level->target < 0) {
        error = errno;
        close(source);
        return hand_over(copy, error);
    }
    frugal_dir_level_begin(&level->source, source, NULL);
    level->length = strlen(copy->path);
    copy->depth++;
    return GO_ON;
}

static unsigned char
type_of(const place *at)
{
    struct stat st;

    if (fstatat(at->from, at->name, &st, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
    return S_ISDIR(st.st_mode) ? DT_DIR : S_ISREG(st.st_mode) ? DT_REG : S_ISLNK(st.st_mode) ? DT_LNK : DT_UNKNOWN;
}

static frugal_copy_end
copy_one(frugal_tree_copy *copy, const place *at, unsigned char type)
{
    if (type == DT_UNKNOWN) type = type_of(at);
    switch (type) {
      case DT_REG: return copy_file(copy, at);
      case DT_DIR: return copy_directory(copy, at);
      case DT_LNK: return copy_link(at);
      default: return FRUGAL_COPY_HANDED;
    }
}

static frugal_copy_end
copy_root(frugal_tree_copy *copy)
{
    place at = { AT_FDCWD, AT_FDCWD, copy->from, copy->to, false };

    copy->begun = true;
    return copy_one(copy, &at, DT_UNKNOWN);
}

/* False for a path that neither we nor the caller can reach. */
static bool
extend(frugal_tree_copy *copy, size_t length, const char *name)
{
    size_t size = strlen(name);

    if (length > 0) copy->path[length++] = '/';
    memcpy(copy->path + length, name, size + 1);
    return length + size <= copy->longest;
}

static frugal_copy_end
copy_entry(frugal_tree_copy *copy, frugal_copy_level *level)
{
    frugal_dir_entry entry;
    place at;

    copy->path[level->length] = '\0';
    if (!level->source.listed) {
        int error = copy->closed ? EMFILE : frugal_dir_level_list(&level->source, &copy->stop);

        if (error < 0) return FRUGAL_COPY_STOPPED;
        if (error > 0) {
            /* The directory itself, from its beginning: nothing of it is done. */
            close_level(level);
            copy->depth--;
            return hand_over(copy, error);
        }
    }
    if (!frugal_dir_level_next(&level->source, &entry)) {
        close_level(level);
        copy->depth--;
        return GO_ON;
    }
    if (!extend(copy, level->length, entry.name) || copy->closed) return FRUGAL_COPY_HANDED;
    at = (place){ level->source.fd, level->target, entry.name, entry.name, level->fresh };
    return copy_one(copy, &at, entry.type);
}

frugal_copy_end
frugal_tree_copy_next(frugal_tree_copy *copy)
{
    frugal_copy_end end = GO_ON;

    if (copy->file.from >= 0) end = finish_file(copy);
    else if (!copy->begun) end = copy_root(copy);
    while (end == GO_ON && copy->depth > 0) {
        if (frugal_dir_stopped(&copy->stop)) return FRUGAL_COPY_STOPPED;
        end = copy_entry(copy, &copy->levels[copy->depth - 1]);
    }
    return end;
}
