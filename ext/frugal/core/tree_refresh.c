#include "tree_refresh.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tree_internal.h"

bool
frugal_tree_watch(frugal_tree *tree, const char *path, const frugal_tree_options *options)
{
    frugal_tree_options all = *options;

    all.follow = FRUGAL_FOLLOW_NEVER;
    all.sort = all.identity = true;
    all.stat = false;
    return frugal_tree_prepare(tree, path, &all);
}

/* -- what is listed again -- */

bool
frugal_tree_is_former(const frugal_tree_node *node, const frugal_tree_node *child)
{
    size_t from = 0, to = node->former->child_count;

    while (from < to) {
        size_t middle = (from + to) / 2;
        int order = strcmp(node->former->children[middle].name, child->name);

        if (order == 0) return true;
        if (order < 0) from = middle + 1;
        else to = middle;
    }
    return false;
}

static bool
has_root_changed(const frugal_tree_node *root, const struct stat *st)
{
    if (!root->stamp.known || frugal_tree_has_changed(&root->stamp, st)) return true;
    return root->rules != NULL && frugal_tree_rules_may_differ(root->rules, root->fd, ".gitignore");
}

static bool
begin_checks(frugal_tree *tree, bool resettled)
{
    frugal_tree_node *root = &tree->root;
    struct stat st;
    bool there = !resettled && fstat(root->fd, &st) == 0 && frugal_tree_is_same(&root->stamp, &st), room = true;

    if (!there) room = frugal_tree_push(&tree->replaced, root);
    else if (has_root_changed(root, &st)) room = frugal_tree_push(&tree->changed, root);
    if (room && there && root->child_count > 0) room = frugal_tree_push(&tree->pool, root);
    return room;
}

/* What the root lies in is read each time: whose it is, too, may have changed. False with errno. */
static bool
look_above(frugal_tree_refresh *refresh)
{
    frugal_tree *tree = refresh->tree;
    frugal_ignore_above above = { 0 };

    if (!tree->options.gitignore) return true;
    if (!frugal_ignore_above_find(&above, tree->root.fd, tree->path)) {
        frugal_ignore_above_free(&above);
        return false;
    }
    refresh->resettled = !frugal_ignore_above_equals(&above, &tree->above);
    refresh->above = tree->above;
    tree->above = above;
    refresh->looked = true;
    return true;
}

bool
frugal_tree_refresh_begin(frugal_tree_refresh *refresh, frugal_tree *tree, bool tells)
{
    memset(refresh, 0, sizeof(*refresh));
    refresh->tree = tree;
    refresh->tells = tells;
    tree->error = 0;
    tree->refreshes++;
    tree->checks = true;
    tree->times_asked = false;
    frugal_tree_hope(tree);
    if (!frugal_tree_open_root(tree)) {
        if (tree->error != ENOENT && tree->error != ENOTDIR) return false;
        tree->error = 0;
        refresh->missing = true;
        if (!tree->root.entered || frugal_tree_push(&tree->replaced, &tree->root)) return true;
    } else if (!look_above(refresh)) {
        tree->error = errno;
        return false;
    } else if (begin_checks(tree, refresh->resettled)) {
        return true;
    }
    tree->error = ENOMEM;
    return false;
}

static int
by_depth(const void *a, const void *b)
{
    uint32_t first = ((const frugal_tree_relisted *)a)->old->depth, second = ((const frugal_tree_relisted *)b)->old->depth;

    return first < second ? -1 : first > second;
}

static void
take_in(frugal_tree_refresh *refresh, const frugal_tree_stack *nodes, bool same)
{
    for (size_t i = 0; i < nodes->count; i++) {
        frugal_tree_relisted *one = &refresh->relisted[refresh->count++];

        memset(one, 0, sizeof(*one));
        one->old = nodes->nodes[i];
        one->now.former = same ? one->old : NULL;
    }
}

/* Nodes of their own, which take the place of those that are known when all went well. */
static bool
begin_lists(frugal_tree_refresh *refresh)
{
    frugal_tree *tree = refresh->tree;

    tree->checks = false;
    refresh->relisted = malloc((tree->changed.count + tree->replaced.count + 1) * sizeof(*refresh->relisted));
    if (refresh->relisted == NULL) return frugal_tree_fail(tree);
    take_in(refresh, &tree->changed, true);
    take_in(refresh, &tree->replaced, false);
    qsort(refresh->relisted, refresh->count, sizeof(*refresh->relisted), by_depth);
    for (size_t i = refresh->count; i-- > 0;) {
        frugal_tree_node *now = &refresh->relisted[i].now;
        const frugal_tree_node *old = refresh->relisted[i].old;

        now->parent = old->parent;
        now->name = old->name;
        now->length = old->length;
        now->depth = old->depth;
        now->fd = old->parent == NULL ? tree->root.fd : -1;
        atomic_init(&now->waiting, 0);
        if (!refresh->missing && !frugal_tree_push(&tree->pool, now)) return frugal_tree_fail(tree);
    }
    return true;
}

/* -- what has come and gone -- */

static bool
tell(const frugal_tree *tree, frugal_tree_texts *texts, const frugal_tree_node *node, const frugal_tree_entry *entry)
{
    size_t length, size;

    if (!entry->kept) return true;
    length = frugal_tree_path_length(tree, node);
    size = length + 1 + entry->length + 1;
    if (texts->room - texts->used < size) {
        size_t room = texts->room * 2 + size + 1024;
        char *bytes = realloc(texts->bytes, room);

        if (bytes == NULL) return false;
        texts->bytes = bytes;
        texts->room = room;
    }
    frugal_tree_path(tree, node, texts->bytes + texts->used, length);
    texts->bytes[texts->used + length] = '/';
    memcpy(texts->bytes + texts->used + length + 1, entry->name, entry->length + 1);
    texts->used += size;
    texts->count++;
    return true;
}

/* All below a directory; what is gone is not compared any more. */
static bool
tell_below(frugal_tree_refresh *refresh, frugal_tree_texts *texts, frugal_tree_node *top)
{
    frugal_tree_stack stack = { 0 };
    bool room = frugal_tree_push(&stack, top);

    while (room && stack.count > 0) {
        frugal_tree_node *node = stack.nodes[--stack.count];

        if (texts == &refresh->removed) node->gone = refresh->tree->refreshes;
        for (size_t i = 0; room && i < node->count; i++) room = tell(refresh->tree, texts, node, &node->entries[i]);
        for (size_t i = 0; room && i < node->child_count; i++) room = frugal_tree_push(&stack, &node->children[i]);
    }
    free(stack.nodes);
    return room;
}

static bool
tell_all(frugal_tree_refresh *refresh, frugal_tree_texts *texts, const frugal_tree_node *node, const frugal_tree_entry *entry)
{
    return tell(refresh->tree, texts, node, entry) && (entry->child == NULL || tell_below(refresh, texts, entry->child));
}

/* One name that is in both. */
static bool
compare_same(frugal_tree_refresh *refresh, frugal_tree_node *old, frugal_tree_node *now, bool goes_on, frugal_tree_stack *pairs)
{
    if (old == NULL) return now == NULL || tell_below(refresh, &refresh->added, now);
    if (now == NULL) return tell_below(refresh, &refresh->removed, old);
    return goes_on || (frugal_tree_push(pairs, old) && frugal_tree_push(pairs, now));
}

static bool
compare_entries(frugal_tree_refresh *refresh, const frugal_tree_node *old, const frugal_tree_node *now, frugal_tree_stack *pairs)
{
    bool room = true;

    for (size_t i = 0, j = 0; room && (i < old->count || j < now->count);) {
        const frugal_tree_entry *gone = i < old->count ? &old->entries[i] : NULL;
        const frugal_tree_entry *come = j < now->count ? &now->entries[j] : NULL;
        int order = gone == NULL ? 1 : come == NULL ? -1 : strcmp(gone->name, come->name);

        if (order < 0) room = tell_all(refresh, &refresh->removed, old, gone);
        else if (order > 0) room = tell_all(refresh, &refresh->added, now, come);
        else room = compare_same(refresh, gone->child, come->child, now->former != NULL, pairs);
        i += order <= 0;
        j += order >= 0;
    }
    return room;
}

/* What lies above comes first: it knows what of the rest is gone, or compared with it. */
static bool
compare(frugal_tree_refresh *refresh)
{
    frugal_tree_stack pairs = { 0 };
    bool room = true;

    for (size_t i = 0; room && i < refresh->count; i++) {
        frugal_tree_relisted *one = &refresh->relisted[i];

        if (one->old->gone == refresh->tree->refreshes) continue;
        room = frugal_tree_push(&pairs, one->old) && frugal_tree_push(&pairs, &one->now);
        while (room && pairs.count > 0) {
            const frugal_tree_node *now = pairs.nodes[--pairs.count];
            frugal_tree_node *old = pairs.nodes[--pairs.count];

            if (old != one->old) old->gone = refresh->tree->refreshes;
            room = compare_entries(refresh, old, now, &pairs);
        }
    }
    free(pairs.nodes);
    return room || frugal_tree_fail(refresh->tree);
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
    return !refresh->tells || compare(refresh);
}

/* -- the new state -- */

static void
move_contents(frugal_tree_node *to, frugal_tree_node *from)
{
    to->entered = from->entered;
    to->error = from->error;
    to->stamp = from->stamp;
    to->stamp.known = from->stamp.known && from->error == 0;
    to->rules = from->rules;
    to->block = from->block;
    to->entries = from->entries;
    to->count = from->count;
    to->children = from->children;
    to->child_count = from->child_count;
    for (size_t i = 0; i < to->child_count; i++) to->children[i].parent = to;
    from->block = NULL;
    from->rules = NULL;
    from->count = from->child_count = 0;
}

/* The directories that were known, and are still there, go on as they are. */
static void
carry_over(frugal_tree_node *now, frugal_tree_node *old)
{
    for (size_t i = 0, j = 0; i < old->child_count && j < now->child_count;) {
        int order = strcmp(old->children[i].name, now->children[j].name);

        if (order == 0) move_contents(&now->children[j], &old->children[i]);
        i += order <= 0;
        j += order >= 0;
    }
}

/* From below, since a directory's block holds the nodes of those in it. */
void
frugal_tree_refresh_keep(frugal_tree_refresh *refresh)
{
    for (size_t i = refresh->count; i-- > 0;) {
        frugal_tree_relisted *one = &refresh->relisted[i];

        if (one->old->gone == refresh->tree->refreshes) continue;
        if (one->now.former != NULL) carry_over(&one->now, one->old);
        frugal_tree_free_below(one->old);
        move_contents(one->old, &one->now);
    }
    frugal_ignore_above_free(&refresh->above);
    refresh->kept = true;
}

/* A walk that was cancelled leaves descriptors open for children. */
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
        close_below(tree, &refresh->relisted[i].now);
        frugal_tree_free_below(&refresh->relisted[i].now);
    }
    free(refresh->relisted);
    if (refresh->looked && !refresh->kept) {
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
