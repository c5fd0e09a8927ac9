#ifdef __linux__

/*
 * Watches the open directories and the root's path, and applies reported changes to the walk. A path leads to the same
 * directory as long as each name on it refers to the same inode. A name changes its inode when the inode is moved or
 * removed, and another inode gets the name. Below the root, the watch of the directory above reports that. The
 * directories on the root's path cannot be removed while the root has entries, so each of them is watched for its own
 * moves, and the root also for removed entries. A link on the root's path is watched by its directory.
 */
#include "core/find/cwd_changes.h"
#include "core/find/find_level.h"
#include "core/system/system.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_LINKS 40 /* the kernel's limit */

static bool
watch_one(frugal_find_walk *walk, const char *path, const char *link)
{
    int id = frugal_find_watch_add(&walk->watch, path, link != NULL ? FRUGAL_WATCH_ADDED : FRUGAL_WATCH_MOVED);
    frugal_find_root_watch *watched;

    if (id < 0) return false;
    if (!frugal_system_resize(&walk->root_watches, sizeof(*walk->root_watches), walk->root_watches_count + 1)) {
        errno = ENOMEM;
        return false;
    }
    watched = &walk->root_watches[walk->root_watches_count++];
    watched->watch = id;
    watched->link = link != NULL ? strdup(link) : NULL;
    if (frugal_find_is_local_path(path) && (link == NULL || watched->link != NULL)) return true;
    errno = EOPNOTSUPP;
    return false;
}

/* Cuts the next name off `rest`, without slashes. Returns NULL at the end. */
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

/* Puts a link's target in front of the rest of the path. */
static bool
expand_link(const char *link, char *buffer, char **rest)
{
    char target[PATH_MAX];
    ssize_t length = readlink(link, target, sizeof(target) - 1);
    size_t rest_length = strlen(*rest);

    if (length <= 0 || (size_t)length + rest_length + 2 > PATH_MAX) return false;
    memmove(buffer + length + 1, *rest, rest_length + 1);
    memcpy(buffer, target, (size_t)length);
    buffer[length] = '/';
    *rest = buffer;
    return true;
}

static bool
save_cwd(frugal_find_walk *walk)
{
    if (walk->cwd == NULL && (walk->cwd = malloc(PATH_MAX)) == NULL) return false;
    walk->cwd_count = frugal_find_cwd_count();
    return syscall(SYS_getcwd, walk->cwd, PATH_MAX) > 0;
}

/* Follows the root's path as the kernel does, link by link, and watches each directory on it. */
bool
frugal_find_watch_root(frugal_find_walk *walk)
{
    char buffer[PATH_MAX], done[PATH_MAX];
    char *rest = buffer, *name;
    size_t length;
    int links = 0;

    if (walk->length >= sizeof(buffer) || frugal_find_watch_is_inherited(&walk->watch)) return false;
    memcpy(buffer, walk->path, walk->length + 1);
    strcpy(done, walk->from_cwd ? "." : "/");
    if (walk->from_cwd && (!save_cwd(walk) || !watch_one(walk, ".", NULL))) return false;
    while ((name = next_name(&rest)) != NULL) {
        if (strcmp(name, ".") == 0) continue;
        length = strlen(done);
        if (length + strlen(name) + 2 > sizeof(done)) return false;
        done[length] = '/';
        strcpy(done + length + 1, name);
        if (watch_one(walk, done, NULL)) continue;
        if (errno != ENOTDIR || ++links > MAX_LINKS) return false;
        done[length] = '\0';
        if (!watch_one(walk, done, name)) return false;
        done[length] = '/';
        if (!expand_link(done, buffer, &rest)) return false;
        done[length] = '\0';
        if (*rest == '/') strcpy(done, "/");
    }
    return true;
}

void
frugal_find_unwatch_root(frugal_find_walk *walk)
{
    for (size_t i = 0; i < walk->root_watches_count; i++) {
        frugal_find_watch_remove(&walk->watch, walk->root_watches[i].watch);
        free(walk->root_watches[i].link);
    }
    free(walk->root_watches);
    walk->root_watches = NULL;
    walk->root_watches_count = 0;
}

/*
 * The open levels were listed before they were watched, so their entries' types stay unreliable. Levels that are
 * opened below them are reliable from now on.
 */
void
frugal_find_start_watching(frugal_find_walk *walk)
{
    size_t length = walk->length;
    char *path = walk->path, saved;

    walk->watch_after = SIZE_MAX;
    if (!frugal_find_watch_open(&walk->watch)) return;
    walk->watching = true;
    if (walk->depth == 0) return; /* open_level watches the root's path */
    walk->length = walk->levels[0].path_length;
    saved = path[walk->length];
    path[walk->length] = '\0';
    walk->root_unreliable = !frugal_find_watch_root(walk);
    path[walk->length] = saved;
    walk->length = length;
    for (size_t i = 0; i < walk->depth && !walk->root_unreliable; i++) {
        frugal_find_level *level = &walk->levels[i];

        if (!level->local) break;
        saved = path[level->path_length];
        path[level->path_length] = '\0';
        level->watch = frugal_find_watch_add(&walk->watch, path, frugal_find_watched_changes(i));
        path[level->path_length] = saved;
        if (level->watch < 0) break;
        level->path_unreliable = false;
    }
}

static void
mark_unreliable(frugal_find_walk *walk, size_t from)
{
    for (size_t i = from; i < walk->depth; i++) {
        walk->levels[i].types_unreliable = walk->levels[i].path_unreliable = true;
    }
    if (from == 0) walk->root_unreliable = true;
}

/* Handles an entry that was added to a level or removed from it. */
static void
apply_entry_change(frugal_find_walk *walk, size_t depth, const frugal_dir_change *change)
{
    frugal_find_level *level = &walk->levels[depth];
    bool top = depth + 1 == walk->depth;
    size_t index = frugal_find_index(level, change->name);

    if (index == SIZE_MAX) {
        if (!change->directory) return;
        /* On a case-insensitive file system, this may be an entry that was listed in another case. */
        level->types_unreliable = true;
        mark_unreliable(walk, depth + 1);
    }
    else if (index + 1 == level->next) {
        if (top) walk->type = DT_UNKNOWN;
        else mark_unreliable(walk, depth + 1);
    }
    else {
        level->entries[index].type = DT_UNKNOWN;
    }
}

static void
apply_change(void *host, const frugal_dir_change *change)
{
    frugal_find_walk *walk = host;

    if (change->overflow) {
        mark_unreliable(walk, 0);
        return;
    }
    for (size_t i = 0; i < walk->root_watches_count; i++) {
        const frugal_find_root_watch *watched = &walk->root_watches[i];

        if (watched->watch != change->id) continue;
        if (watched->link == NULL ? (change->what & FRUGAL_WATCH_MOVED) != 0
                                  : strcmp(watched->link, change->name) == 0) {
            mark_unreliable(walk, 0);
        }
    }
    for (size_t i = 0; i < walk->depth; i++) {
        if (walk->levels[i].watch != change->id) continue;
        if (change->what & FRUGAL_WATCH_MOVED) mark_unreliable(walk, 0);
        else apply_entry_change(walk, i, change);
        break;
    }
}

void
frugal_find_check_cwd(frugal_find_walk *walk, bool always)
{
    unsigned changes = frugal_find_cwd_count();
    char cwd[PATH_MAX];

    if (!walk->from_cwd || walk->root_unreliable) return;
    if (!always && frugal_find_cwd_count_is_complete() && changes == walk->cwd_count) return;
    if (syscall(SYS_getcwd, cwd, sizeof(cwd)) <= 0 || strcmp(cwd, walk->cwd) != 0) mark_unreliable(walk, 0);
    walk->cwd_count = changes;
}

void
frugal_find_apply_changes(frugal_find_walk *walk)
{
    if (frugal_find_watch_is_inherited(&walk->watch)) {
        mark_unreliable(walk, 0);
        return;
    }
    frugal_find_check_cwd(walk, false);
    if (walk->root_unreliable) return;
    frugal_find_watch_changes(&walk->watch, apply_change, walk);
}

#else

typedef int frugal_find_watch_is_linux_only;

#endif
