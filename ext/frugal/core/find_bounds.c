#ifdef __linux__

/*
 * What is watched besides the open directories, and what a change means.
 *
 * A path leads to the same directory as long as each name on it is bound to the
 * same inode. A binding ends when the inode is moved or removed, and counts
 * again when something else comes under its name: below the root, the level
 * above tells that. The root and the directories above it cannot be removed
 * before the root's entries are, so that they tell of their own moves, and the
 * root of what leaves it. A link is replaced in the directory that holds it.
 */
#include "cwd_changes.h"
#include "find_level.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_LINKS 40 /* as the kernel */

static bool
bind_one(frugal_find_walk *walk, const char *path, const char *link)
{
    int id = frugal_dir_watch_add(&walk->watch, path, link != NULL ? FRUGAL_WATCH_CAME : FRUGAL_WATCH_MOVED);
    frugal_find_bound *bounds, *bound;

    if (id < 0) return false;
    bounds = realloc(walk->bounds, (walk->bounds_count + 1) * sizeof(*bounds));
    if (bounds == NULL) {
        errno = ENOMEM;
        return false;
    }
    walk->bounds = bounds;
    bound = &bounds[walk->bounds_count++];
    bound->watch = id;
    bound->link = link != NULL ? strdup(link) : NULL;
    if (frugal_find_local_path(path) && (link == NULL || bound->link != NULL)) return true;
    errno = EOPNOTSUPP;
    return false;
}

/* The next name of `rest`, cut off with the slashes around it; NULL at the end. */
static char *
next_name(char **rest)
{
    char *name = *rest + strspn(*rest, "/");
    size_t length = strcspn(name, "/");

    if (length == 0) return NULL;
    *rest = name + length;
    if (**rest != '\0') *(*rest)++ = '\0';
    return name;
}

/* A link's target in place of its name, in front of the rest. */
static bool
follow(const char *link, char *buffer, char **rest)
{
    char target[PATH_MAX];
    ssize_t length = readlink(link, target, sizeof(target) - 1);
    size_t left = strlen(*rest);

    if (length <= 0 || (size_t)length + left + 2 > PATH_MAX) return false;
    memmove(buffer + length + 1, *rest, left + 1);
    memcpy(buffer, target, (size_t)length);
    buffer[length] = '/';
    *rest = buffer;
    return true;
}

static bool
keep_cwd(frugal_find_walk *walk)
{
    if (walk->cwd == NULL && (walk->cwd = malloc(PATH_MAX)) == NULL) return false;
    walk->cwd_changes = frugal_cwd_changes();
    return syscall(SYS_getcwd, walk->cwd, PATH_MAX) > 0;
}

/* Goes along the root's path as the kernel does, link by link. */
bool
frugal_find_bind(frugal_find_walk *walk)
{
    char buffer[PATH_MAX], done[PATH_MAX];
    char *rest = buffer, *name;
    size_t base;
    int links = 0;

    if (walk->length >= sizeof(buffer) || frugal_dir_watch_foreign(&walk->watch)) return false;
    memcpy(buffer, walk->path, walk->length + 1);
    strcpy(done, walk->from_cwd ? "." : "/");
    if (walk->from_cwd && (!keep_cwd(walk) || !bind_one(walk, ".", NULL))) return false;
    while ((name = next_name(&rest)) != NULL) {
        if (strcmp(name, ".") == 0) continue;
        base = strlen(done);
        if (base + strlen(name) + 2 > sizeof(done)) return false;
        done[base] = '/';
        strcpy(done + base + 1, name);
        if (bind_one(walk, done, NULL)) continue;
        if (errno != ENOTDIR || ++links > MOST_LINKS) return false;
        done[base] = '\0';
        if (!bind_one(walk, done, name)) return false;
        done[base] = '/';
        if (!follow(done, buffer, &rest)) return false;
        done[base] = '\0';
        if (*rest == '/') strcpy(done, "/");
    }
    return true;
}

void
frugal_find_unbind(frugal_find_walk *walk)
{
    for (size_t i = 0; i < walk->bounds_count; i++) {
        frugal_dir_watch_remove(&walk->watch, walk->bounds[i].watch);
        free(walk->bounds[i].link);
    }
    free(walk->bounds);
    walk->bounds = NULL;
    walk->bounds_count = 0;
}

/*
 * The levels that are open keep asking for their own entries, listed before any
 * watch was there; what is opened below them is relied on from now on.
 */
void
frugal_find_arm(frugal_find_walk *walk)
{
    size_t length = walk->length;
    char *path = walk->path, saved;

    walk->watch_after = SIZE_MAX;
    if (!frugal_dir_watch_open(&walk->watch)) return;
    walk->watching = true;
    if (walk->depth == 0) return; /* the root binds itself when it is opened */
    walk->length = walk->levels[0].plain;
    saved = path[walk->length];
    path[walk->length] = '\0';
    walk->root_lost = !frugal_find_bind(walk);
    path[walk->length] = saved;
    walk->length = length;
    for (size_t i = 0; i < walk->depth && !walk->root_lost; i++) {
        frugal_find_level *level = &walk->levels[i];

        if (!level->local) break;
        saved = path[level->plain];
        path[level->plain] = '\0';
        level->watch = frugal_dir_watch_add(&walk->watch, path, frugal_find_mask(i));
        path[level->plain] = saved;
        if (level->watch < 0) break;
        level->lost = false;
    }
}

static void
lose(frugal_find_walk *walk, size_t from)
{
    for (size_t i = from; i < walk->depth; i++) walk->levels[i].asks = walk->levels[i].lost = true;
    if (from == 0) walk->root_lost = true;
}

/* Something came under a name of a level, or left it. */
static void
renew(frugal_find_walk *walk, size_t depth, const frugal_dir_change *change)
{
    frugal_find_level *level = &walk->levels[depth];
    bool top = depth + 1 == walk->depth;
    size_t index = frugal_find_index(level, change->name);

    if (index == SIZE_MAX) {
        if (!change->directory) return;
        /* Where names differ by case only, it may be one that was listed. */
        level->asks = true;
        lose(walk, depth + 1);
    } else if (index + 1 == level->next) {
        if (top) walk->type = DT_UNKNOWN;
        else lose(walk, depth + 1);
    } else {
        level->entries[index].type = DT_UNKNOWN;
    }
}

static void
tell(void *host, const frugal_dir_change *change)
{
    frugal_find_walk *walk = host;

    if (change->lost) {
        lose(walk, 0);
        return;
    }
    for (size_t i = 0; i < walk->bounds_count; i++) {
        const frugal_find_bound *bound = &walk->bounds[i];

        if (bound->watch != change->id) continue;
        if (bound->link == NULL ? (change->what & FRUGAL_WATCH_MOVED) != 0 : strcmp(bound->link, change->name) == 0) lose(walk, 0);
    }
    for (size_t i = 0; i < walk->depth; i++) {
        if (walk->levels[i].watch != change->id) continue;
        if (change->what & FRUGAL_WATCH_MOVED) lose(walk, 0);
        else renew(walk, i, change);
        break;
    }
}

void
frugal_find_check_cwd(frugal_find_walk *walk, bool certain)
{
    unsigned changes = frugal_cwd_changes();
    char cwd[PATH_MAX];

    if (!walk->from_cwd || walk->root_lost) return;
    if (!certain && frugal_cwd_is_told() && changes == walk->cwd_changes) return;
    if (syscall(SYS_getcwd, cwd, sizeof(cwd)) <= 0 || strcmp(cwd, walk->cwd) != 0) lose(walk, 0);
    walk->cwd_changes = changes;
}

void
frugal_find_update(frugal_find_walk *walk)
{
    if (frugal_dir_watch_foreign(&walk->watch)) {
        lose(walk, 0);
        return;
    }
    frugal_find_check_cwd(walk, false);
    if (walk->root_lost) return;
    frugal_dir_watch_changes(&walk->watch, tell, walk);
}

#else

typedef int frugal_find_bounds_is_linux_only;

#endif
