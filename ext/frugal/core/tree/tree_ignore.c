/*
 * Leaves out the entries that git ignores. A directory's node stores only its own rules. Before the names in a
 * directory are matched, all rules that apply to it are collected once from the directories above it.
 */
#include "core/tree/tree_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/system.h"

/* The rules that apply to a directory's names, the deepest first, and the path that they match against. */
struct frugal_tree_levels {
    struct {
        const frugal_ignore_rules *rules;
        size_t base; /* offset in `path` of the part that these rules match */
    } * all;
    size_t count, room;
    char *path; /* the directory's path from the repository, with a slash at its end, then room for a name */
    size_t length, path_room;
    bool ignored; /* the directory itself is ignored, and so is all below it */
};

void
frugal_tree_levels_free(struct frugal_tree_levels *levels)
{
    if (levels == NULL) return;
    free(levels->all);
    free(levels->path);
    free(levels);
}

void
frugal_tree_rules_free(frugal_tree_rules *rules)
{
    if (rules == NULL) return;
    frugal_ignore_file_free(&rules->own);
    frugal_ignore_file_free(&rules->exclude);
    free(rules->exclude_path);
    free(rules);
}

size_t
frugal_tree_rules_memory(const frugal_tree_rules *rules)
{
    if (rules == NULL) return 0;
    return sizeof(*rules) + frugal_ignore_file_memory(&rules->own) + frugal_ignore_file_memory(&rules->exclude) +
           (rules->exclude_path != NULL ? strlen(rules->exclude_path) + 1 : 0);
}

/* -- the rules of one directory -- */

/* Tries again while descriptors are scarce, as often as for a directory. */
static bool
read_rules(frugal_tree *tree, frugal_ignore_file *file, int fd, const char *path, bool followed, struct stat *st)
{
    for (int tries = 0;; tries++) {
        if (!frugal_ignore_file_read(file, fd, path, followed, st)) return false;
        if ((file->error != EMFILE && file->error != ENFILE) || tries == FRUGAL_TREE_DESCRIPTOR_TRIES) return true;
        frugal_tree_back_off(tree);
    }
}

static bool
read_gitignore(frugal_tree *tree, const frugal_tree_node *node, frugal_tree_rules *rules, int fd)
{
    frugal_times times = FRUGAL_TIMES_UNKNOWN;
    const frugal_tree_stamp *previous = NULL;
    struct stat st;
    int64_t now = tree->options.identity ? frugal_tree_now() : 0;

    if (!read_rules(tree, &rules->own, fd, ".gitignore", false, &st)) return false;
    if (!tree->options.identity) return true;
    if (node->previous != NULL && node->previous->rules != NULL) previous = &node->previous->rules->stamp;
    /*
     * Another file system may be mounted on the file. On Btrfs and overlayfs only a directory shows the mount's
     * device.
     */
    if (st.st_dev == node->stamp.device) times = frugal_tree_times(tree, fd, node->stamp.device);
    frugal_tree_take_stamp(&rules->stamp, previous, times, &st, now);
    return true;
}

bool
frugal_tree_rules_equal(const frugal_tree_rules *one, const frugal_tree_rules *other)
{
    if (one == NULL || other == NULL) return one == other;
    return frugal_ignore_file_equals(&one->own, &other->own) &&
           frugal_ignore_file_equals(&one->exclude, &other->exclude) &&
           (one->exclude_path == NULL) == (other->exclude_path == NULL);
}

/*
 * A repository has several rule files, any of which may appear or disappear. A .git without a HEAD becomes a repository
 * when it gets one. None of that changes the times of the directory, so the rules are always read again.
 */
bool
frugal_tree_rules_may_differ(const frugal_tree_rules *rules, int from, const char *path)
{
    struct stat st;

    if (rules->has_git || rules->own.error != 0 || !rules->stamp.reliable) return true;
    if (fstatat(from, path, &st, AT_SYMLINK_NOFOLLOW) != 0) return true;
    return !frugal_tree_is_same(&rules->stamp, &st) || frugal_tree_has_changed(&rules->stamp, &st);
}

/* -- the rules that apply to a directory -- */

static bool
add_level(struct frugal_tree_levels *levels, const frugal_ignore_rules *rules, size_t base)
{
    if (rules == NULL) return true;
    if (levels->count == levels->room && !FRUGAL_SYSTEM_GROW(levels->all, levels->room, 8)) return false;
    levels->all[levels->count].rules = rules;
    levels->all[levels->count++].base = base;
    return true;
}

/*
 * Returns the directory with the repository, or the walk's root. `size` becomes the length of the node's path from
 * there, with slashes.
 */
static const frugal_tree_node *
find_top(const frugal_tree_node *node, size_t *size)
{
    *size = 0;
    for (; node->parent != NULL && (node->rules == NULL || node->rules->exclude_path == NULL); node = node->parent) {
        *size += node->length + 1;
    }
    return node;
}

static bool
collect_levels(const frugal_tree *tree, struct frugal_tree_levels *levels, const frugal_tree_node *node)
{
    size_t size, prefix;
    const frugal_tree_node *top = find_top(node, &size);
    bool repository = top->rules != NULL && top->rules->exclude_path != NULL, ok = true;

    prefix = repository ? 0 : tree->above.length;
    levels->count = 0;
    levels->length = prefix + size;
    levels->ignored = !repository && tree->above.ignored;
    for (size_t base = prefix + size;; node = node->parent) {
        if (node->rules != NULL) ok = ok && add_level(levels, node->rules->own.rules, base);
        if (node == top) break;
        base -= node->length + 1;
    }
    if (repository) return ok && add_level(levels, top->rules->exclude.rules, 0);
    for (size_t i = 0; ok && i < tree->above.count; i++) {
        ok = add_level(levels, tree->above.levels[i].file.rules, tree->above.levels[i].base);
    }
    return ok;
}

static bool
write_path(const frugal_tree *tree, struct frugal_tree_levels *levels, const frugal_tree_node *node)
{
    size_t needed = levels->length + NAME_MAX + 1, size;
    const frugal_tree_node *top = find_top(node, &size);
    char *end;

    if (levels->path_room < needed) {
        if (!frugal_system_resize(&levels->path, 1, needed * 2)) return false;
        levels->path_room = needed * 2;
    }
    end = levels->path + levels->length;
    for (; node != top; node = node->parent) {
        *--end = '/';
        end -= node->length;
        memcpy(end, node->name, node->length);
    }
    if (end > levels->path) memcpy(levels->path, tree->above.prefix, (size_t)(end - levels->path));
    return true;
}

bool
frugal_tree_read_rules(frugal_tree *tree, frugal_tree_node *node, int fd, frugal_tree_buffers *buffers)
{
    struct frugal_tree_levels *levels = buffers->levels;
    char exclude[PATH_MAX];
    bool repository = buffers->has_repository && frugal_ignore_find_exclude(fd, "", exclude, sizeof(exclude));

    if (levels == NULL && (levels = buffers->levels = calloc(1, sizeof(*levels))) == NULL) return false;
    if (buffers->has_rules || buffers->has_repository) {
        frugal_tree_rules_free(node->rules);
        if ((node->rules = calloc(1, sizeof(*node->rules))) == NULL) return false;
        node->rules->has_git = buffers->has_repository;
    }
    if (buffers->has_rules && !read_gitignore(tree, node, node->rules, fd)) return false;
    if (repository && ((node->rules->exclude_path = strdup(exclude)) == NULL ||
                       !read_rules(tree, &node->rules->exclude, fd, exclude, true, NULL))) {
        return false;
    }
    if (!collect_levels(tree, levels, node)) return false;
    return levels->count == 0 || write_path(tree, levels, node);
}

bool
frugal_tree_has_levels(const frugal_tree_buffers *buffers)
{
    return buffers->levels->count > 0 || buffers->levels->ignored;
}

bool
frugal_tree_ignores(frugal_tree_buffers *buffers, const char *name, size_t length, bool directory)
{
    struct frugal_tree_levels *levels = buffers->levels;
    char *own_name;

    if (levels->ignored) return true;
    own_name = levels->path + levels->length;
    memcpy(own_name, name, length);
    for (size_t i = 0; i < levels->count; i++) {
        size_t base = levels->all[i].base;
        int match = frugal_ignore_match(levels->all[i].rules, levels->path + base, levels->length - base + length,
                                        own_name, directory);

        if (match != FRUGAL_IGNORE_NO_MATCH) return match == FRUGAL_IGNORE_EXCLUDED;
    }
    return false;
}
