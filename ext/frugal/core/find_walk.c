#ifdef __linux__

#include "find_level.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
frugal_find_init(frugal_find_walk *walk, size_t watch_after)
{
    memset(walk, 0, sizeof(*walk));
    walk->watch_after = watch_after;
    frugal_dir_watch_init(&walk->watch);
}

/* -- the path -- */

static bool
reserve(frugal_find_walk *walk, size_t length)
{
    if (walk->room < length + 1) {
        size_t room = length * 2 + 256;
        char *path = realloc(walk->path, room);

        if (path == NULL) return false;
        walk->path = path;
        walk->room = room;
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
    walk->root_lost = true;
    return true;
}

/* -- levels -- */

static void
pop(frugal_find_walk *walk)
{
    frugal_find_level *level = &walk->levels[--walk->depth];

    frugal_dir_watch_remove(&walk->watch, level->watch);
    level->watch = -1;
    if (level->room < 65536) return; /* the next directory at this depth will want it */
    free(level->names);
    free(level->entries);
    memset(level, 0, sizeof(*level));
}

void
frugal_find_leave(frugal_find_walk *walk)
{
    while (walk->depth > 0) pop(walk);
    frugal_find_unbind(walk);
}

void
frugal_find_close(frugal_find_walk *walk)
{
    frugal_find_leave(walk);
    frugal_dir_watch_close(&walk->watch);
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

static frugal_find_level *
new_level(frugal_find_walk *walk)
{
    if (walk->depth == walk->levels_room) {
        size_t room = walk->levels_room * 2 + 16;
        frugal_find_level *levels = realloc(walk->levels, room * sizeof(*levels));

        if (levels == NULL) return NULL;
        memset(levels + walk->levels_room, 0, (room - walk->levels_room) * sizeof(*levels));
        walk->levels = levels;
        walk->levels_room = room;
    }
    return &walk->levels[walk->depth];
}

/* -- what is below a path -- */

/* What stock passes over, unless it was told to raise. */
static int
outcome(const frugal_find_walk *walk, int error)
{
    if (walk->raising) return FRUGAL_FIND_STOCK;
    switch (error) {
      case ENOENT: case EACCES: case ENOTDIR: case ELOOP: case ENAMETOOLONG: case EINVAL:
        return FRUGAL_FIND_NOTHING;
      default:
        return FRUGAL_FIND_STOCK;
    }
}

/* Whether the path is a directory, as stock asks: NOTHING, UNKNOWN for a directory, or STOCK. */
static int
ask(frugal_find_walk *walk)
{
    struct stat st;

    walk->asked++;
    if (lstat(walk->path, &st) != 0) return outcome(walk, errno);
    walk->type = S_ISDIR(st.st_mode) ? DT_DIR : DT_REG;
    return S_ISDIR(st.st_mode) ? FRUGAL_FIND_UNKNOWN : FRUGAL_FIND_NOTHING;
}

static frugal_find_level *
top(const frugal_find_walk *walk)
{
    return walk->depth > 0 ? &walk->levels[walk->depth - 1] : NULL;
}

int
frugal_find_glance(frugal_find_walk *walk)
{
    frugal_find_level *level = top(walk);

    if (level == NULL || walk->type == DT_DIR) return FRUGAL_FIND_UNKNOWN;
    if (!level->asks && walk->type != DT_UNKNOWN) {
        frugal_find_update(walk);
        if (!level->asks && walk->type != DT_UNKNOWN) return FRUGAL_FIND_NOTHING;
    }
    return level->local ? ask(walk) : FRUGAL_FIND_UNKNOWN;
}

/* How many entries an lstat each would be asked for. */
static size_t
questions(const frugal_find_level *level)
{
    size_t count = 0;

    for (size_t i = 0; i < level->count; i++) count += level->entries[i].type != DT_DIR;
    return count;
}

/* Watched first, then listed: what changes in between is told. */
static int
open_level(frugal_find_walk *walk)
{
    frugal_find_level *level = new_level(walk), *above;
    bool listed, lost, root = walk->depth == 0;
    int fd, error;

    if (level == NULL) return FRUGAL_FIND_STOCK;
    above = top(walk);
    level->watch = -1;
    if (root && walk->watching) walk->root_lost = !frugal_find_bind(walk);
    /* Here also a change behind the host's back shows. */
    if (!root && walk->watching) frugal_find_check_cwd(walk, true);
    lost = above != NULL ? above->lost : walk->root_lost;
    if (walk->watching && !lost) {
        level->watch = frugal_dir_watch_add(&walk->watch, walk->path, frugal_find_mask(walk->depth));
    }
    fd = open(walk->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (root ? 0 : O_NOFOLLOW));
    error = errno;
    if (fd >= 0) {
        level->local = frugal_find_local_fd(fd);
        listed = frugal_find_list(level, fd);
        close(fd);
    }
    if (fd < 0 || !listed) {
        frugal_dir_watch_remove(&walk->watch, level->watch);
        level->watch = -1;
        return fd < 0 ? outcome(walk, error) : FRUGAL_FIND_STOCK;
    }
    level->lost = lost || level->watch < 0 || !level->local;
    level->asks = level->lost;
    return FRUGAL_FIND_ENTERED;
}

int
frugal_find_enter(frugal_find_walk *walk)
{
    int result;
    size_t slash;
    frugal_find_level *level;

    if (walk->type != DT_DIR && (result = ask(walk)) != FRUGAL_FIND_UNKNOWN) return result;
    slash = walk->path[walk->length - 1] != '/';
    if (!reserve(walk, walk->length + slash)) return FRUGAL_FIND_STOCK;
    result = open_level(walk);
    if (result != FRUGAL_FIND_ENTERED) return result;
    if (!walk->watching && walk->watch_after != SIZE_MAX && walk->levels[walk->depth].local &&
        walk->asked + questions(&walk->levels[walk->depth]) >= walk->watch_after) {
        frugal_find_arm(walk); /* now it pays: listed again, under watch */
        if (walk->watching && (result = open_level(walk)) != FRUGAL_FIND_ENTERED) return result;
    }
    level = &walk->levels[walk->depth++];
    level->plain = walk->length;
    level->stem = walk->length + slash;
    if (slash) memcpy(walk->path + walk->length, "/", 2);
    return FRUGAL_FIND_ENTERED;
}

bool
frugal_find_next(frugal_find_walk *walk, size_t *stem)
{
    frugal_find_level *level;
    const char *name;
    size_t length;

    for (;;) {
        level = top(walk);
        if (level == NULL) return false;
        if (level->next < level->count) break;
        pop(walk);
    }
    name = frugal_find_name(level, level->next);
    length = strlen(name);
    if (!reserve(walk, level->stem + length)) return false;
    memcpy(walk->path + level->stem, name, length + 1);
    walk->length = level->stem + length;
    walk->type = level->entries[level->next++].type;
    *stem = level->stem;
    return true;
}

#else

typedef int frugal_find_walk_is_linux_only;

#endif
