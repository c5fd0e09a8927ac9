#include "core/tree/tree_refresh.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/system/system.h"
#include "core/tree/tree_internal.h"

bool
frugal_tree_refresh_prepare(frugal_tree *tree, const char *path, const frugal_tree_options *options)
{
    frugal_tree_options tree_options = *options;

    tree_options.follow = FRUGAL_FOLLOW_NEVER;
    tree_options.sort = tree_options.identity = true;
    tree_options.stat = false;
    return frugal_tree_prepare(tree, path, &tree_options);
}

/* -- which directories are listed again -- */

static bool
has_root_changed(const frugal_tree_node *root, const struct stat *st)
{
    if (!root->stamp.reliable || frugal_tree_has_changed(&root->stamp, st)) return true;
    return root->rules != NULL && frugal_tree_rules_may_differ(root->rules, root->fd, ".gitignore");
}

static bool
begin_checks(frugal_tree *tree, bool rules_changed)
{
    frugal_tree_node *root = &tree->root;
    struct stat st;
    bool same_root = !rules_changed && fstat(root->fd, &st) == 0 && frugal_tree_is_same(&root->stamp, &st), ok = true;

    if (!same_root) ok = frugal_tree_push(&tree->replaced, root);
    else if (has_root_changed(root, &st)) ok = frugal_tree_push(&tree->changed, root);
    if (ok && same_root && root->child_count > 0) ok = frugal_tree_push(&tree->pool, root);
    return ok;
}

/*
 * Reads the rules above the root again, since the rules or even the repository may have changed. Returns false with
 * errno set.
 */
static bool
read_rules_above(frugal_tree_refresh *refresh)
{
    frugal_tree *tree = refresh->tree;
    frugal_ignore_above above = { 0 };

    if (!tree->options.gitignore) return true;
    if (!frugal_ignore_above_find(&above, tree->root.fd, tree->path)) {
        frugal_ignore_above_free(&above);
        return false;
    }
    refresh->rules_changed = !frugal_ignore_above_equals(&above, &tree->above);
    refresh->above = tree->above;
    tree->above = above;
    refresh->rules_replaced = true;
    return true;
}

bool
frugal_tree_refresh_begin(frugal_tree_refresh *refresh, frugal_tree *tree, bool lists_changes)
{
    memset(refresh, 0, sizeof(*refresh));
    refresh->tree = tree;
    refresh->lists_changes = lists_changes;
    tree->error = 0;
    tree->refresh_number++;
    tree->checking = true;
    tree->times_cached = false;
    frugal_tree_reset_limits(tree);
    if (!frugal_tree_open_root(tree)) {
        if (tree->error != ENOENT && tree->error != ENOTDIR) return false;
        tree->error = 0;
        refresh->missing = true;
        if (!tree->root.entered || frugal_tree_push(&tree->replaced, &tree->root)) return true;
    }
    else if (!read_rules_above(refresh)) {
        tree->error = errno;
        return false;
    }
    else if (begin_checks(tree, refresh->rules_changed)) {
        return true;
    }
    tree->error = ENOMEM;
    return false;
}

static int
by_depth(const void *a, const void *b)
{
    uint32_t first = ((const frugal_tree_relisted *)a)->old_node->depth;
    uint32_t second = ((const frugal_tree_relisted *)b)->old_node->depth;

    return first < second ? -1 : first > second;
}

static void
add_relisted(frugal_tree_refresh *refresh, const frugal_tree_stack *nodes, bool same)
{
    for (size_t i = 0; i < nodes->count; i++) {
        frugal_tree_relisted *one = &refresh->relisted[refresh->count++];

        memset(one, 0, sizeof(*one));
        one->old_node = nodes->nodes[i];
        one->new_node.previous = same ? one->old_node : NULL;
    }
}

/* Creates a new node for each directory that is listed again. frugal_tree_refresh_keep moves it into the tree. */
static bool
begin_lists(frugal_tree_refresh *refresh)
{
    frugal_tree *tree = refresh->tree;

    tree->checking = false;
    refresh->relisted = malloc((tree->changed.count + tree->replaced.count + 1) * sizeof(*refresh->relisted));
    if (refresh->relisted == NULL) return frugal_tree_fail(tree);
    add_relisted(refresh, &tree->changed, true);
    add_relisted(refresh, &tree->replaced, false);
    qsort(refresh->relisted, refresh->count, sizeof(*refresh->relisted), by_depth);
    for (size_t i = refresh->count; i-- > 0;) {
        frugal_tree_node *new_node = &refresh->relisted[i].new_node;
        const frugal_tree_node *old = refresh->relisted[i].old_node;

        new_node->parent = old->parent;
        new_node->name = old->name;
        new_node->length = old->length;
        new_node->depth = old->depth;
        new_node->fd = old->parent == NULL ? tree->root.fd : -1;
        atomic_init(&new_node->unopened_children, 0);
        if (!refresh->missing && !frugal_tree_push(&tree->pool, new_node)) return frugal_tree_fail(tree);
    }
    return true;
}

/* -- which paths were added and removed -- */

static bool
add_path(const frugal_tree *tree, frugal_tree_path_list *paths, const frugal_tree_node *node,
         const frugal_tree_entry *entry)
{
    size_t length, size;

    if (!entry->kept) return true;
    length = frugal_tree_path_length(tree, node);
    size = length + 1 + entry->length + 1;
    if (paths->room - paths->used < size && !FRUGAL_SYSTEM_GROW(paths->bytes, paths->room, size + 1024)) return false;
    frugal_tree_path(tree, node, paths->bytes + paths->used, length);
    paths->bytes[paths->used + length] = '/';
    memcpy(paths->bytes + paths->used + length + 1, entry->name, entry->length + 1);
    paths->used += size;
    paths->count++;
    return true;
}

/* Adds all paths below a directory. Removed directories are marked, so that they are not compared again. */
static bool
add_paths_below(frugal_tree_refresh *refresh, frugal_tree_path_list *paths, frugal_tree_node *top)
{
    frugal_tree_stack stack = { 0 };
    bool ok = frugal_tree_push(&stack, top);

    while (ok && stack.count > 0) {
        frugal_tree_node *node = stack.nodes[--stack.count];

        if (paths == &refresh->removed) node->handled_in_refresh = refresh->tree->refresh_number;
        for (size_t i = 0; ok && i < node->count; i++) ok = add_path(refresh->tree, paths, node, &node->entries[i]);
        for (size_t i = 0; ok && i < node->child_count; i++) ok = frugal_tree_push(&stack, &node->children[i]);
    }
    free(stack.nodes);
    return ok;
}

static bool
add_entry(frugal_tree_refresh *refresh, frugal_tree_path_list *paths, const frugal_tree_node *node,
          const frugal_tree_entry *entry)
{
    if (!add_path(refresh->tree, paths, node, entry)) return false;
    return entry->child == NULL || add_paths_below(refresh, paths, entry->child);
}

/*
 * Compares the directories of a name that is in both lists. `carried_over`: refresh_keep keeps the old directory
 * unchanged.
 */
static bool
compare_same(frugal_tree_refresh *refresh, frugal_tree_node *old, frugal_tree_node *new_node, bool carried_over,
             frugal_tree_stack *pairs)
{
    if (old == NULL) return new_node == NULL || add_paths_below(refresh, &refresh->added, new_node);
    if (new_node == NULL) return add_paths_below(refresh, &refresh->removed, old);
    return carried_over || (frugal_tree_push(pairs, old) && frugal_tree_push(pairs, new_node));
}

static bool
compare_entries(frugal_tree_refresh *refresh, const frugal_tree_node *old, const frugal_tree_node *new_node,
                frugal_tree_stack *pairs)
{
    bool ok = true;

    for (size_t i = 0, j = 0; ok && (i < old->count || j < new_node->count);) {
        const frugal_tree_entry *removed = i < old->count ? &old->entries[i] : NULL;
        const frugal_tree_entry *added = j < new_node->count ? &new_node->entries[j] : NULL;
        int order = removed == NULL ? 1 : added == NULL ? -1 : strcmp(removed->name, added->name);

        if (order < 0) ok = add_entry(refresh, &refresh->removed, old, removed);
        else if (order > 0) ok = add_entry(refresh, &refresh->added, new_node, added);
        else ok = compare_same(refresh, removed->child, added->child, new_node->previous != NULL, pairs);
        i += order <= 0;
        j += order >= 0;
    }
    return ok;
}

/* Upper directories come first: comparing them marks the lower ones that are removed or already compared. */
static bool
compare(frugal_tree_refresh *refresh)
{
    frugal_tree_stack pairs = { 0 };
    bool ok = true;

    for (size_t i = 0; ok && i < refresh->count; i++) {
        frugal_tree_relisted *one = &refresh->relisted[i];

        if (one->old_node->handled_in_refresh == refresh->tree->refresh_number) continue;
        ok = frugal_tree_push(&pairs, one->old_node) && frugal_tree_push(&pairs, &one->new_node);
        while (ok && pairs.count > 0) {
            const frugal_tree_node *new_node = pairs.nodes[--pairs.count];
            frugal_tree_node *old = pairs.nodes[--pairs.count];

            if (old != one->old_node) old->handled_in_refresh = refresh->tree->refresh_number;
            ok = compare_entries(refresh, old, new_node, &pairs);
        }
    }
    free(pairs.nodes);
    return ok || frugal_tree_fail(refresh->tree);
}

bool
frugal_tree_refresh_run(frugal_tree_refresh *refresh)
{
    frugal_tree *tree = refresh->tree;

    if (refresh->stage == FRUGAL_REFRESH_CHECKS) {
        if (tree->pool.count > 0 && !frugal_tree_run_pool(tree)) return false;
        if (!begin_lists(refresh)) return false;
        refresh->stage = FRUGAL_REFRESH_LISTS;
    }
    if (refresh->stage == FRUGAL_REFRESH_LISTS) {
        if (tree->pool.count > 0 && !frugal_tree_run_pool(tree)) return false;
        refresh->stage = FRUGAL_REFRESH_COMPARES;
    }
    return !refresh->lists_changes || compare(refresh);
}

/* -- the new state -- */

static void
move_contents(frugal_tree_node *to, frugal_tree_node *from)
{
    to->entered = from->entered;
    to->error = from->error;
    to->stamp = from->stamp;
    to->stamp.reliable = from->stamp.reliable && from->error == 0;
    to->rules = from->rules;
    to->block = from->block;
    to->entries = from->entries;
    to->count = from->count;
    to->children = from->children;
    to->child_count = from->child_count;
    to->memory = from->memory;
    for (size_t i = 0; i < to->child_count; i++) to->children[i].parent = to;
    from->block = NULL;
    from->rules = NULL;
    from->count = from->child_count = from->memory = 0;
}

/* Moves the subdirectories that still exist from the old node into the new one. */
static void
carry_over(frugal_tree_node *new_node, frugal_tree_node *old)
{
    for (size_t i = 0, j = 0; i < old->child_count && j < new_node->child_count;) {
        int order = strcmp(old->children[i].name, new_node->children[j].name);

        if (order == 0) move_contents(&new_node->children[j], &old->children[i]);
        i += order <= 0;
        j += order >= 0;
    }
}

/* The deepest directories come first, because a directory's block holds the nodes of its subdirectories. */
void
frugal_tree_refresh_keep(frugal_tree_refresh *refresh)
{
    for (size_t i = refresh->count; i-- > 0;) {
        frugal_tree_relisted *one = &refresh->relisted[i];

        if (one->old_node->handled_in_refresh == refresh->tree->refresh_number) continue;
        if (one->new_node.previous != NULL) carry_over(&one->new_node, one->old_node);
        frugal_tree_free_below(refresh->tree, one->old_node);
        move_contents(one->old_node, &one->new_node);
    }
    frugal_ignore_above_free(&refresh->above);
    refresh->kept = true;
}

/* Closes the descriptors that a cancelled walk kept open for children. */
static void
close_below(const frugal_tree *tree, frugal_tree_node *node)
{
    frugal_tree_cursor cursor;
    const frugal_tree_node *above;
    const frugal_tree_entry *entry;

    if (atomic_load(&tree->descriptors) == 0) return;
    if (node->parent != NULL && node->fd >= 0) close(node->fd);
    frugal_tree_cursor_begin(&cursor, tree);
    cursor.below = node;
    cursor.all = true;
    while ((entry = frugal_tree_next(&cursor, &above)) != NULL) {
        if (entry->child != NULL && entry->child->fd >= 0) close(entry->child->fd);
    }
    frugal_tree_cursor_free(&cursor);
}

void
frugal_tree_refresh_end(frugal_tree_refresh *refresh)
{
    frugal_tree *tree = refresh->tree;

    for (size_t i = 0; i < refresh->count; i++) {
        close_below(tree, &refresh->relisted[i].new_node);
        frugal_tree_free_below(tree, &refresh->relisted[i].new_node);
    }
    free(refresh->relisted);
    if (refresh->rules_replaced && !refresh->kept) {
        frugal_ignore_above_free(&tree->above);
        tree->above = refresh->above;
    }
    free(refresh->added.bytes);
    free(refresh->removed.bytes);
    atomic_store(&tree->descriptors, 0);
    tree->pool.count = tree->changed.count = tree->replaced.count = 0;
    if (tree->root.fd >= 0) close(tree->root.fd);
    tree->root.fd = -1;
}
