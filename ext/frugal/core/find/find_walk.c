#ifdef __linux__

#include "core/find/find_level.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system/system.h"

void
frugal_find_begin(frugal_find_walk *walk, size_t watch_after)
{
    memset(walk, 0, sizeof(*walk));
    walk->watch_after = watch_after;
    frugal_find_watch_init(&walk->watch);
}

/* -- the path -- */

static bool
reserve(frugal_find_walk *walk, size_t length)
{
    if (walk->room < length + 1) {
        if (!frugal_system_resize(&walk->path, 1, length * 2 + 256)) return false;
        walk->room = length * 2 + 256;
    }
    return true;
}

bool
frugal_find_root(frugal_find_walk *walk, const char *path, size_t length)
{
    frugal_find_leave(walk);
    if (!reserve(walk, length)) return false;
    memcpy(walk->path, path, length);
    walk->path[length] = '\0';
    walk->length = length;
    walk->type = DT_UNKNOWN;
    walk->from_cwd = path[0] != '/';
    walk->root_unreliable = true;
    return true;
}

/* -- levels -- */

static void
pop(frugal_find_walk *walk)
{
    frugal_find_level *level = &walk->levels[--walk->depth];

    frugal_find_watch_remove(&walk->watch, level->watch);
    level->watch = -1;
    if (level->room < 65536) return; /* keep the memory for the next directory at this depth */
    free(level->names);
    free(level->entries);
    memset(level, 0, sizeof(*level));
}

void
frugal_find_leave(frugal_find_walk *walk)
{
    while (walk->depth > 0) pop(walk);
    frugal_find_unwatch_root(walk);
}

void
frugal_find_close(frugal_find_walk *walk)
{
    frugal_find_leave(walk);
    frugal_find_watch_close(&walk->watch);
    walk->watching = false;
}

void
frugal_find_free(frugal_find_walk *walk)
{
    frugal_find_close(walk);
    for (size_t i = 0; i < walk->levels_room; i++) {
        free(walk->levels[i].names);
        free(walk->levels[i].entries);
    }
    free(walk->levels);
    free(walk->path);
    free(walk->cwd);
    walk->levels = NULL;
    walk->levels_room = 0;
    walk->path = walk->cwd = NULL;
    walk->room = 0;
}

size_t
frugal_find_memory(const frugal_find_walk *walk)
{
    size_t size = walk->room + walk->levels_room * sizeof(*walk->levels) + (walk->cwd != NULL ? PATH_MAX : 0) +
                  walk->root_watches_count * sizeof(*walk->root_watches);

    for (size_t i = 0; i < walk->levels_room; i++) {
        size += walk->levels[i].names_room + walk->levels[i].room * sizeof(*walk->levels[i].entries);
    }
    return size;
}

static frugal_find_level *
new_level(frugal_find_walk *walk)
{
    if (walk->depth == walk->levels_room) {
        size_t before = walk->levels_room;

        if (!FRUGAL_SYSTEM_GROW(walk->levels, walk->levels_room, 16)) return NULL;
        memset(walk->levels + before, 0, (walk->levels_room - before) * sizeof(*walk->levels));
    }
    return &walk->levels[walk->depth];
}

/* -- the entries of a path -- */

/* The result for an errno: stock Find ignores some of them, unless ignore_error is false. */
static int
result_for(const frugal_find_walk *walk, int error)
{
    if (walk->raising) return FRUGAL_FIND_STOCK;
    switch (error) {
    case ENOENT:
    case EACCES:
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case EINVAL: return FRUGAL_FIND_NOTHING;
    default: return FRUGAL_FIND_STOCK;
    }
}

/* Stats the path as stock Find does. Returns UNKNOWN for a directory, otherwise NOTHING or STOCK. */
static int
stat_path(frugal_find_walk *walk)
{
    struct stat st;

    walk->lstats++;
    if (lstat(walk->path, &st) != 0) return result_for(walk, errno);
    walk->type = S_ISDIR(st.st_mode) ? DT_DIR : DT_REG;
    return S_ISDIR(st.st_mode) ? FRUGAL_FIND_UNKNOWN : FRUGAL_FIND_NOTHING;
}

static frugal_find_level *
top_level(const frugal_find_walk *walk)
{
    return walk->depth > 0 ? &walk->levels[walk->depth - 1] : NULL;
}

int
frugal_find_glance(frugal_find_walk *walk)
{
    frugal_find_level *level = top_level(walk);

    if (level == NULL || walk->type == DT_DIR) return FRUGAL_FIND_UNKNOWN;
    if (!level->types_unreliable && walk->type != DT_UNKNOWN) {
        frugal_find_apply_changes(walk);
        if (!level->types_unreliable && walk->type != DT_UNKNOWN) return FRUGAL_FIND_NOTHING;
    }
    return level->local ? stat_path(walk) : FRUGAL_FIND_UNKNOWN;
}

/* Returns how many entries of a level would need an lstat. */
static size_t
count_lstats(const frugal_find_level *level)
{
    size_t count = 0;

    for (size_t i = 0; i < level->count; i++) count += level->entries[i].type != DT_DIR;
    return count;
}

/* Watches the directory first and then lists it, so no change is missed. */
static int
open_level(frugal_find_walk *walk)
{
    frugal_find_level *level = new_level(walk), *above;
    bool listed, path_unreliable, root = walk->depth == 0;
    int fd, error;

    if (level == NULL) return FRUGAL_FIND_STOCK;
    above = top_level(walk);
    level->watch = -1;
    if (root && walk->watching) walk->root_unreliable = !frugal_find_watch_root(walk);
    /* Asks the kernel, to notice also a chdir by other native code. */
    if (!root && walk->watching) frugal_find_check_cwd(walk, true);
    path_unreliable = above != NULL ? above->path_unreliable : walk->root_unreliable;
    if (walk->watching && !path_unreliable) {
        level->watch = frugal_find_watch_add(&walk->watch, walk->path, frugal_find_watched_changes(walk->depth));
    }
    fd = open(walk->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (root ? 0 : O_NOFOLLOW));
    error = errno;
    if (fd >= 0) {
        level->local = frugal_find_is_local_fd(fd);
        listed = frugal_find_list(level, fd);
        close(fd);
    }
    if (fd < 0 || !listed) {
        frugal_find_watch_remove(&walk->watch, level->watch);
        level->watch = -1;
        return fd < 0 ? result_for(walk, error) : FRUGAL_FIND_STOCK;
    }
    level->path_unreliable = path_unreliable || level->watch < 0 || !level->local;
    level->types_unreliable = level->path_unreliable;
    return FRUGAL_FIND_ENTERED;
}

int
frugal_find_enter(frugal_find_walk *walk)
{
    int result;
    size_t slash;
    frugal_find_level *level;

    if (walk->type != DT_DIR && (result = stat_path(walk)) != FRUGAL_FIND_UNKNOWN) return result;
    slash = walk->path[walk->length - 1] != '/';
    if (!reserve(walk, walk->length + slash)) return FRUGAL_FIND_STOCK;
    result = open_level(walk);
    if (result != FRUGAL_FIND_ENTERED) return result;
    if (!walk->watching && walk->watch_after != SIZE_MAX && walk->levels[walk->depth].local &&
        walk->lstats + count_lstats(&walk->levels[walk->depth]) >= walk->watch_after) {
        frugal_find_start_watching(walk); /* a watch pays off from here on; then the directory is listed again */
        if (walk->watching && (result = open_level(walk)) != FRUGAL_FIND_ENTERED) return result;
    }
    level = &walk->levels[walk->depth++];
    level->path_length = walk->length;
    level->prefix_length = walk->length + slash;
    if (slash) memcpy(walk->path + walk->length, "/", 2);
    return FRUGAL_FIND_ENTERED;
}

bool
frugal_find_next(frugal_find_walk *walk, size_t *prefix_length)
{
    frugal_find_level *level;
    const char *name;
    size_t length;

    for (;;) {
        level = top_level(walk);
        if (level == NULL) return false;
        if (level->next < level->count) break;
        pop(walk);
    }
    name = frugal_find_name(level, level->next);
    length = strlen(name);
    if (!reserve(walk, level->prefix_length + length)) return false;
    memcpy(walk->path + level->prefix_length, name, length + 1);
    walk->length = level->prefix_length + length;
    walk->type = level->entries[level->next++].type;
    *prefix_length = level->prefix_length;
    return true;
}

#else

typedef int frugal_find_walk_is_linux_only;

#endif
