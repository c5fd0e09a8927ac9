/*
 * Finds the directories of a tree that have changed since they were listed, with one stat each. A worker takes a
 * directory and stats its subdirectories by their path from the nearest descriptor that it has open. So a directory
 * without subdirectories costs no more than its own stat.
 */
#include "core/tree/tree_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

#define BASE_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)

/* How many descriptors a worker keeps open, each of a directory below the one before. */
#define MAX_BASES 8

/* Opening and closing a directory costs the kernel as much as resolving so many names. */
#define NAMES_WORTH_OPENING 24

/* Size of the buffer for a path. A longer path is opened by frugal_tree_open_from_root. */
#define PATH_ROOM 2048

#define RULES_FILE "/.gitignore"

struct frugal_tree_bases {
    struct {
        const frugal_tree_node *node;
        int fd;
    } open[MAX_BASES];
    int count;
    char path[PATH_ROOM + NAME_MAX + sizeof(RULES_FILE)];
};

static bool
is_below(const frugal_tree_node *node, const frugal_tree_node *above)
{
    while (node->depth > above->depth) node = node->parent;
    return node == above;
}

static void
close_bases(struct frugal_tree_bases *bases, int remaining)
{
    while (bases->count > remaining) close(bases->open[--bases->count].fd);
}

/*
 * Writes the node's path from a directory above it, with a slash at its end. Returns its size, or PATH_ROOM if it is
 * too long.
 */
static size_t
write_from(const frugal_tree_node *base, const frugal_tree_node *node, char *bytes)
{
    size_t size = 0;
    char *end;

    for (const frugal_tree_node *above = node; above != base; above = above->parent) {
        size += above->length + 1;
        if (size >= PATH_ROOM) return PATH_ROOM;
    }
    end = bytes + size;
    for (; node != base; node = node->parent) {
        *--end = '/';
        end -= node->length;
        memcpy(end, node->name, node->length);
    }
    return size;
}

static int
open_base(frugal_tree *tree, struct frugal_tree_bases *bases, const frugal_tree_node *node, int from, size_t size)
{
    int fd;

    if (size == PATH_ROOM) return frugal_tree_open_from_root(tree, node, BASE_FLAGS);
    bases->path[size - 1] = '\0';
    fd = openat(from, bases->path, BASE_FLAGS);
    bases->path[size - 1] = '/';
    return fd;
}

/*
 * Finds the descriptor from which the children of a directory are statted, and writes the path from there to the
 * directory into bases->path. Returns -1 if there is none.
 */
static int
find_base(frugal_tree *tree, struct frugal_tree_bases *bases, const frugal_tree_node *node, size_t *size)
{
    const frugal_tree_node *base;
    int from, fd;

    while (bases->count > 0 && !is_below(node, bases->open[bases->count - 1].node)) {
        close_bases(bases, bases->count - 1);
    }
    base = bases->count > 0 ? bases->open[bases->count - 1].node : &tree->root;
    from = bases->count > 0 ? bases->open[bases->count - 1].fd : tree->root.fd;
    *size = write_from(base, node, bases->path);
    if (*size < PATH_ROOM && (node->depth - base->depth) * node->child_count < NAMES_WORTH_OPENING) return from;
    fd = open_base(tree, bases, node, from, *size);
    if (fd < 0) return *size < PATH_ROOM ? from : -1;
    if (bases->count == MAX_BASES) close_bases(bases, MAX_BASES - 1);
    bases->open[bases->count].node = node;
    bases->open[bases->count++].fd = fd;
    *size = 0;
    return fd;
}

static bool
push_locked(frugal_tree *tree, frugal_tree_stack *list, frugal_tree_node *node)
{
    bool ok;

    pthread_mutex_lock(&tree->lock);
    ok = frugal_tree_push(list, node);
    pthread_mutex_unlock(&tree->lock);
    return ok;
}

/* Reports whether a directory with an unchanged identity may have changed. Its path is the last part of bases->path. */
static bool
may_need_listing(const frugal_tree_node *child, const struct stat *st, struct frugal_tree_bases *bases, size_t size,
                 int from)
{
    if (frugal_tree_has_changed(&child->stamp, st)) return true;
    if (child->rules == NULL) return false;
    memcpy(bases->path + size + child->length, RULES_FILE, sizeof(RULES_FILE));
    return frugal_tree_rules_may_differ(child->rules, from, bases->path);
}

bool
frugal_tree_check(frugal_tree *tree, frugal_tree_node *node, frugal_tree_stack *stack, frugal_tree_buffers *buffers)
{
    struct frugal_tree_bases *bases = buffers->bases;
    size_t size;
    int from;

    if (bases == NULL && (bases = buffers->bases = calloc(1, sizeof(*bases))) == NULL) return false;
    from = find_base(tree, bases, node, &size);
    for (size_t i = 0; i < node->child_count; i++) {
        frugal_tree_node *child = &node->children[i];

        if (child->stamp.reliable) {
            struct stat st;

            memcpy(bases->path + size, child->name, child->length + 1);
            if (from < 0 || fstatat(from, bases->path, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(st.st_mode) ||
                !frugal_tree_is_same(&child->stamp, &st)) {
                if (!push_locked(tree, &tree->replaced, child)) return false;
                continue;
            }
            if (may_need_listing(child, &st, bases, size, from) && !push_locked(tree, &tree->changed, child)) {
                return false;
            }
        }
        else if (!push_locked(tree, &tree->changed, child)) {
            return false;
        }
        if (child->child_count > 0 && !frugal_tree_push(stack, child)) return false;
    }
    return true;
}

void
frugal_tree_bases_free(struct frugal_tree_bases *bases)
{
    if (bases == NULL) return;
    close_bases(bases, 0);
    free(bases);
}
