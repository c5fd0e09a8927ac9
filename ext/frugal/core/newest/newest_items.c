#include "core/newest/newest_items.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/system.h"

/* Appends an item, with a path of `length` bytes that the caller writes. Returns NULL if out of memory. */
static frugal_newest_item *
add_item(frugal_newest *newest, size_t length)
{
    frugal_newest_item *item;

    if (newest->item_count == newest->item_room && !FRUGAL_SYSTEM_GROW(newest->items, newest->item_room, 64))
        return NULL;
    if (newest->text_room - newest->text_used <= length &&
        !FRUGAL_SYSTEM_GROW(newest->text, newest->text_room, length + 4096)) {
        return NULL;
    }
    item = &newest->items[newest->item_count++];
    *item = (frugal_newest_item){ .offset = newest->text_used };
    newest->text[newest->text_used + length] = '\0';
    newest->text_used += length + 1;
    return item;
}

static frugal_newest_item *
add_path(frugal_newest *newest, const char *path)
{
    size_t length = strlen(path);
    frugal_newest_item *item = add_item(newest, length);

    if (item) memcpy(newest->text + item->offset, path, length);
    return item;
}

static size_t
matches_of(const frugal_newest_folder *folder, const frugal_tree_entry *entry)
{
    size_t matches = 0;

    if (!entry->kept) return 0;
    for (size_t i = 0; i < folder->ending_count; i++) {
        size_t length = strlen(folder->endings[i]);

        matches += entry->length >= length &&
                   memcmp(entry->name + entry->length - length, folder->endings[i], length) == 0;
    }
    return matches;
}

/* Adds an entry if it must be statted: it matches, or is a folder. Returns false if out of memory. */
static bool
add_entry(frugal_newest *newest, size_t index, const frugal_tree_node *node, const frugal_tree_entry *entry)
{
    const frugal_tree *tree = &newest->trees[index];
    size_t matches = matches_of(&newest->folders[index], entry), length;
    frugal_newest_item *item;
    char *path;

    if (matches == 0 && entry->child == NULL) return true;
    length = frugal_tree_path_length(tree, node);
    item = add_item(newest, length + 1 + entry->length);
    if (item == NULL) return false;
    path = newest->text + item->offset;
    frugal_tree_path(tree, node, path, length);
    path[length] = '/';
    memcpy(path + length + 1, entry->name, entry->length);
    item->matches = matches;
    item->folder = entry->child != NULL;
    if (item->folder) item->stamp = entry->child->stamp;
    return true;
}

frugal_newest_status
frugal_newest_failed(frugal_newest *newest, int error)
{
    newest->error = error;
    if (error == ENOENT || error == ENOTDIR || error == EMFILE || error == ENFILE || error == ENOMEM)
        return FRUGAL_NEWEST_UNKNOWN;
    return FRUGAL_NEWEST_FAULT;
}

bool
frugal_newest_is_same_stamp(const frugal_tree_stamp *before, const frugal_tree_stamp *now)
{
    return before->device == now->device && before->inode == now->inode && before->mtime == now->mtime &&
           before->ctime == now->ctime;
}

/* The status for the list of a folder. A folder with an error is never reliable. */
static frugal_newest_status
check_folder(frugal_newest *newest, const frugal_tree_node *node)
{
    if (!node->stamp.reliable) newest->provable = false;
    if (node->error == 0 || (node->error == EACCES && newest->quiet)) return FRUGAL_NEWEST_ANSWERED;
    return frugal_newest_failed(newest, node->error);
}

static frugal_newest_status
add_tree(frugal_newest *newest, size_t index)
{
    const frugal_tree *tree = &newest->trees[index];
    frugal_newest_item *root = add_path(newest, newest->folders[index].path);
    frugal_newest_status status;
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;

    if (root == NULL) return FRUGAL_NEWEST_NO_MEMORY;
    root->folder = true;
    root->missing = !tree->root.entered;
    if (root->missing) return FRUGAL_NEWEST_ANSWERED;
    root->stamp = tree->root.stamp;
    status = check_folder(newest, &tree->root);
    frugal_tree_cursor_begin(&cursor, tree);
    cursor.all = true;
    while (status == FRUGAL_NEWEST_ANSWERED && (entry = frugal_tree_next(&cursor, &node)) != NULL) {
        if (!add_entry(newest, index, node, entry)) status = FRUGAL_NEWEST_NO_MEMORY;
        else if (entry->child != NULL) status = check_folder(newest, entry->child);
    }
    frugal_tree_cursor_free(&cursor);
    return cursor.failed ? FRUGAL_NEWEST_NO_MEMORY : status;
}

static int
by_path(const void *a, const void *b)
{
    return strcmp(((const frugal_newest_item *)a)->path, ((const frugal_newest_item *)b)->path);
}

/* A folder may be listed below two other folders, together with its files. Each path is statted only once. */
static void
merge_items(frugal_newest *newest)
{
    size_t count = 0;

    for (size_t i = 0; i < newest->item_count; i++) {
        frugal_newest_item *item = &newest->items[i], *last = &newest->items[count - (count > 0)];

        if (count == 0 || by_path(item, last) != 0) {
            newest->items[count++] = *item;
            continue;
        }
        last->matches += item->matches;
        last->given += item->given;
        if (!item->folder) continue;
        /* Each list was read separately, so they must agree. */
        if (last->folder &&
            (last->missing != item->missing || !frugal_newest_is_same_stamp(&last->stamp, &item->stamp)))
            newest->provable = false;
        last->folder = true;
        last->missing = item->missing;
        last->stamp = item->stamp;
    }
    newest->item_count = count;
}

static bool
counts(const frugal_newest_item *item)
{
    return item->matches > 0 || item->given > 0;
}

/* Moves the items that count to the front. */
static void
partition_items(frugal_newest *newest)
{
    newest->counting = 0;
    for (size_t i = 0; i < newest->item_count; i++) {
        frugal_newest_item item = newest->items[i];

        if (!counts(&item)) continue;
        newest->items[i] = newest->items[newest->counting];
        newest->items[newest->counting++] = item;
    }
}

static bool
reserve_answers(frugal_newest *newest)
{
    return frugal_system_resize(&newest->asked, sizeof(*newest->asked), newest->item_count + 1) &&
           frugal_system_resize(&newest->times, sizeof(*newest->times), newest->item_count + 1);
}

frugal_newest_status
frugal_newest_make_items(frugal_newest *newest)
{
    newest->item_count = newest->text_used = 0;
    newest->provable = true;
    for (size_t i = 0; i < newest->folder_count; i++) {
        frugal_newest_status status = add_tree(newest, i);

        if (status != FRUGAL_NEWEST_ANSWERED) return status;
    }
    for (size_t i = 0; i < newest->file_count; i++) {
        frugal_newest_item *item = add_path(newest, newest->files[i]);

        if (item == NULL) return FRUGAL_NEWEST_NO_MEMORY;
        item->given = 1;
    }
    for (size_t i = 0; i < newest->item_count; i++) newest->items[i].path = newest->text + newest->items[i].offset;
    if (newest->item_count > 0) qsort(newest->items, newest->item_count, sizeof(*newest->items), by_path);
    merge_items(newest);
    partition_items(newest);
    if (!reserve_answers(newest)) return FRUGAL_NEWEST_NO_MEMORY;
    for (size_t i = 0; i < newest->item_count; i++) newest->asked[i].path = newest->items[i].path;
    return FRUGAL_NEWEST_ANSWERED;
}
