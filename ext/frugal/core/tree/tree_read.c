/* Reads a tree in pre-order, computes paths, and frees the tree. */
#include "core/tree/tree_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/system/system.h"

void
frugal_tree_cursor_begin(frugal_tree_cursor *cursor, const frugal_tree *tree)
{
    memset(cursor, 0, sizeof(*cursor));
    cursor->below = &tree->root;
}

void
frugal_tree_cursor_free(frugal_tree_cursor *cursor)
{
    free(cursor->places);
}

static bool
descend(frugal_tree_cursor *cursor)
{
    if (cursor->depth == cursor->capacity &&
        !FRUGAL_SYSTEM_GROW(cursor->places, cursor->capacity, cursor->capacity ? 0 : 32)) {
        return false;
    }
    cursor->places[cursor->depth++] = (frugal_tree_place){ .node = cursor->below };
    return true;
}

const frugal_tree_entry *
frugal_tree_next(frugal_tree_cursor *cursor, const frugal_tree_node **node)
{
    for (;;) {
        frugal_tree_place *place;
        const frugal_tree_entry *entry;

        if (cursor->below != NULL && cursor->below->count > 0 && !descend(cursor)) {
            cursor->failed = true;
            return NULL;
        }
        cursor->below = NULL;
        if (cursor->depth == 0) return NULL;
        place = &cursor->places[cursor->depth - 1];
        if (place->next == place->node->count) {
            cursor->depth--;
            continue;
        }
        entry = &place->node->entries[place->next++];
        cursor->below = entry->child;
        if (!entry->kept && !cursor->all) continue;
        *node = place->node;
        return entry;
    }
}

size_t
frugal_tree_path_length(const frugal_tree *tree, const frugal_tree_node *node)
{
    size_t length = strlen(tree->path);

    if (length > 0 && tree->path[length - 1] == '/') length--;
    for (; node->parent != NULL; node = node->parent) length += node->length + 1;
    return length;
}

void
frugal_tree_path(const frugal_tree *tree, const frugal_tree_node *node, char *bytes, size_t length)
{
    char *end = bytes + length;

    for (; node->parent != NULL; node = node->parent) {
        end -= node->length;
        memcpy(end, node->name, node->length);
        *--end = '/';
    }
    memcpy(bytes, tree->path, (size_t)(end - bytes));
}

void
frugal_tree_close(frugal_tree *tree)
{
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;

    if (tree->root.fd >= 0) close(tree->root.fd);
    tree->root.fd = -1;
    if (atomic_load(&tree->descriptors) == 0) return;
    frugal_tree_cursor_begin(&cursor, tree);
    cursor.all = true;
    while ((entry = frugal_tree_next(&cursor, &node)) != NULL) {
        if (entry->child == NULL || entry->child->fd < 0) continue;
        close(entry->child->fd);
        entry->child->fd = -1;
    }
    frugal_tree_cursor_free(&cursor);
}

/* Frees in post-order, because a directory's block holds the nodes of its children. */
void
frugal_tree_free_below(frugal_tree *tree, frugal_tree_node *top)
{
    frugal_tree_node *node = top;
    size_t freed = 0;

    for (;;) {
        frugal_tree_node *child = NULL;

        while (node->count > 0 && child == NULL) child = node->entries[--node->count].child;
        if (child != NULL) {
            node = child;
            continue;
        }
        free(node->block);
        node->block = NULL;
        frugal_tree_rules_free(node->rules);
        node->rules = NULL;
        freed += node->memory;
        node->memory = 0;
        if (node == top) break;
        node = node->parent;
    }
    atomic_fetch_sub(&tree->memory, freed);
}

void
frugal_tree_free(frugal_tree *tree)
{
    frugal_tree_close(tree);
    frugal_tree_free_below(tree, &tree->root);
    free(tree->pool.nodes);
    free(tree->ready.nodes);
    free(tree->links.nodes);
    free(tree->visited);
    free(tree->changed.nodes);
    free(tree->replaced.nodes);
    free(tree->path);
    frugal_ignore_above_free(&tree->above);
    pthread_mutex_destroy(&tree->lock);
    pthread_cond_destroy(&tree->wake);
    pthread_cond_destroy(&tree->ready_changed);
}

size_t
frugal_tree_memory(frugal_tree *tree)
{
    size_t nodes, identities;

    pthread_mutex_lock(&tree->lock);
    nodes = tree->pool.capacity + tree->ready.capacity + tree->links.capacity + tree->changed.capacity +
            tree->replaced.capacity;
    identities = tree->visited_capacity;
    pthread_mutex_unlock(&tree->lock);
    return atomic_load(&tree->memory) + nodes * sizeof(*tree->pool.nodes) + identities * sizeof(*tree->visited) +
           strlen(tree->path) + 1 + frugal_ignore_above_memory(&tree->above);
}
