/*
 * What git would not list is left out. A directory keeps only what it says
 * itself; what those above say is gathered as its own path is written, once for
 * all its names.
 */
#include "tree_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What is asked for a directory's names: the deepest first, by a path from the repository's. */
struct frugal_tree_levels {
    struct {
        const frugal_ignore_rules *rules;
        size_t base; /* where in the path begins what they speak of */
    } *all;
    size_t count, room;
    char *path; /* the directory's, a slash at its end, then room for a name */
    size_t length, path_room;
    bool out; /* the directory itself is ignored */
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

/* -- what a directory says -- */

/* As many tries as a directory has, where descriptors are scarce. */
static bool
read_file(frugal_tree *tree, frugal_ignore_file *file, int fd, const char *path, bool followed, struct stat *st)
{
    for (int tries = 0;; tries++) {
        if (!frugal_ignore_file_read(file, fd, path, followed, st)) return false;
        if ((file->error != EMFILE && file->error != ENFILE) || tries == FRUGAL_TREE_DESCRIPTOR_TRIES) return true;
        frugal_tree_spare_descriptors(tree);
    }
}

static bool
read_own(frugal_tree *tree, const frugal_tree_node *node, frugal_tree_rules *rules, int fd)
{
    frugal_times times = FRUGAL_TIMES_UNKNOWN;
    const frugal_tree_stamp *former = NULL;
    struct stat st;
    int64_t now = tree->options.identity ? frugal_tree_now() : 0;

    if (!read_file(tree, &rules->own, fd, ".gitignore", false, &st)) return false;
    if (!tree->options.identity) return true;
    if (node->former != NULL && node->former->rules != NULL) former = &node->former->rules->stamp;
    /* Something else may be mounted on it; on a Btrfs and an overlay, only a directory tells. */
    if (st.st_dev == node->stamp.device) times = frugal_tree_times(tree, fd, node->stamp.device);
    frugal_tree_know(&rules->stamp, former, times, &st, now);
    return true;
}

bool
frugal_tree_rules_equal(const frugal_tree_rules *one, const frugal_tree_rules *other)
{
    if (one == NULL || other == NULL) return one == other;
    return frugal_ignore_file_equals(&one->own, &other->own) && frugal_ignore_file_equals(&one->exclude, &other->exclude) &&
           (one->exclude_path == NULL) == (other->exclude_path == NULL);
}

/* Of a repository several files count, and each of them may come and go. */
bool
frugal_tree_rules_may_differ(const frugal_tree_rules *rules, int from, const char *path)
{
    struct stat st;

    if (rules->exclude_path != NULL || rules->own.error != 0 || !rules->stamp.known) return true;
    if (fstatat(from, path, &st, AT_SYMLINK_NOFOLLOW) != 0) return true;
    return !frugal_tree_is_same(&rules->stamp, &st) || frugal_tree_has_changed(&rules->stamp, &st);
}

/* -- what all say -- */

static bool
add_level(struct frugal_tree_levels *levels, const frugal_ignore_rules *rules, size_t base)
{
    if (rules == NULL) return true;
    if (levels->count == levels->room) {
        size_t room = levels->room * 2 + 8;
        void *all = realloc(levels->all, room * sizeof(*levels->all));

        if (all == NULL) return false;
        levels->all = all;
        levels->room = room;
    }
    levels->all[levels->count].rules = rules;
    levels->all[levels->count++].base = base;
    return true;
}

/* Where its repository is, or the walk's root; `size` is its path from there, slashes included. */
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
gather(const frugal_tree *tree, struct frugal_tree_levels *levels, const frugal_tree_node *node)
{
    size_t size, prefix;
    const frugal_tree_node *top = find_top(node, &size);
    bool repository = top->rules != NULL && top->rules->exclude_path != NULL, room = true;

    prefix = repository ? 0 : tree->above.length;
    levels->count = 0;
    levels->length = prefix + size;
    levels->out = !repository && tree->above.out;
    for (size_t base = prefix + size;; node = node->parent) {
        if (node->rules != NULL) room = room && add_level(levels, node->rules->own.rules, base);
        if (node == top) break;
        base -= node->length + 1;
    }
    if (repository) return room && add_level(levels, top->rules->exclude.rules, 0);
    for (size_t i = 0; room && i < tree->above.count; i++) {
        room = add_level(levels, tree->above.levels[i].file.rules, tree->above.levels[i].base);
    }
    return room;
}

static bool
write_path(const frugal_tree *tree, struct frugal_tree_levels *levels, const frugal_tree_node *node)
{
    size_t needed = levels->length + NAME_MAX + 1, size;
    const frugal_tree_node *top = find_top(node, &size);
    char *end;

    if (levels->path_room < needed) {
        char *larger = realloc(levels->path, needed * 2);

        if (larger == NULL) return false;
        levels->path = larger;
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
frugal_tree_read_rules(frugal_tree *tree, frugal_tree_node *node, int fd, frugal_tree_scratch *scratch)
{
    struct frugal_tree_levels *levels = scratch->levels;
    char exclude[PATH_MAX];
    bool repository = scratch->has_repository && frugal_ignore_repository(fd, "", exclude, sizeof(exclude));

    if (levels == NULL && (levels = scratch->levels = calloc(1, sizeof(*levels))) == NULL) return false;
    if (scratch->has_rules || repository) {
        frugal_tree_rules_free(node->rules);
        if ((node->rules = calloc(1, sizeof(*node->rules))) == NULL) return false;
    }
    if (scratch->has_rules && !read_own(tree, node, node->rules, fd)) return false;
    if (repository && ((node->rules->exclude_path = strdup(exclude)) == NULL ||
                       !read_file(tree, &node->rules->exclude, fd, exclude, true, NULL))) {
        return false;
    }
    if (!gather(tree, levels, node)) return false;
    return levels->count == 0 || write_path(tree, levels, node);
}

bool
frugal_tree_has_levels(const frugal_tree_scratch *scratch)
{
    return scratch->levels->count > 0 || scratch->levels->out;
}

bool
frugal_tree_ignores(frugal_tree_scratch *scratch, const char *name, size_t length, bool directory)
{
    struct frugal_tree_levels *levels = scratch->levels;
    char *own;

    if (levels->out) return true;
    own = levels->path + levels->length;
    memcpy(own, name, length);
    for (size_t i = 0; i < levels->count; i++) {
        size_t base = levels->all[i].base;
        int says = frugal_ignore_match(levels->all[i].rules, levels->path + base, levels->length - base + length, own, directory);

        if (says != FRUGAL_IGNORE_SILENT) return says == FRUGAL_IGNORE_OUT;
    }
    return false;
}
