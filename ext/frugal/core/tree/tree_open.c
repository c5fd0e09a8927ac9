/*
 * Opens the directories of a tree, relative to the descriptor of their parent, which stays open until all its children
 * are opened. Where descriptors are scarce, directories are opened by their path from the root, of any length.
 */
#include "core/tree/tree_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* The upper limit of descriptors kept open; half of the process's limit if that is lower. */
#define MAX_DESCRIPTORS 512
#define UNKNOWN (-1) /* max_descriptors is not read yet */

/*
 * The default number of threads. More threads wait for each other in the kernel's directory cache, unless the disk is
 * slow.
 */
#define DEFAULT_THREADS 4

/* The size of the node's path from the root, with its NUL. Not for the root itself. */
static size_t
relative_path_size(const frugal_tree_node *node)
{
    size_t size = node->length + 1;

    while ((node = node->parent)->parent != NULL) size += node->length + 1;
    return size;
}

static void
write_relative_path(const frugal_tree_node *node, char *bytes, size_t size)
{
    char *end = bytes + size - 1 - node->length;

    memcpy(end, node->name, node->length + 1);
    while ((node = node->parent)->parent != NULL) {
        *--end = '/';
        end -= node->length;
        memcpy(end, node->name, node->length);
    }
}

/* Opens a path of any length, in parts shorter than PATH_MAX. */
static int
open_in_parts(int root, char *path, int flags)
{
    int fd = root, next;

    while (strlen(path) >= PATH_MAX) {
        char *end = path + PATH_MAX - 1;

        while (*end != '/') end--;
        *end = '\0';
        next = openat(fd, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd != root) close(fd);
        if (next < 0) return -1;
        fd = next;
        path = end + 1;
    }
    next = openat(fd, path, flags);
    if (fd != root) {
        int error = errno;

        close(fd);
        errno = error;
    }
    return next;
}

int
frugal_tree_open_from_root(frugal_tree *tree, const frugal_tree_node *node, int flags)
{
    size_t size = relative_path_size(node);
    char buffer[1024], *path = size <= sizeof(buffer) ? buffer : malloc(size);
    int fd, error;

    if (path == NULL) {
        errno = ENOMEM;
        return -1;
    }
    write_relative_path(node, path, size);
    fd = open_in_parts(tree->root.fd, path, flags);
    error = errno;
    if (path != buffer) free(path);
    errno = error;
    return fd;
}

/* Closes the parent when its last child was opened. The root stays open until the end. */
static void
release_parent(frugal_tree *tree, frugal_tree_node *parent)
{
    if (parent->parent == NULL || parent->fd < 0 || atomic_fetch_sub(&parent->unopened_children, 1) != 1) return;
    close(parent->fd);
    parent->fd = -1;
    atomic_fetch_sub(&tree->descriptors, 1);
}

void
frugal_tree_back_off(frugal_tree *tree)
{
    atomic_store(&tree->max_descriptors, 0);
    nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

int
frugal_tree_open_node(frugal_tree *tree, frugal_tree_node *node)
{
    int flags = OPEN_FLAGS | (node->link ? 0 : O_NOFOLLOW), fd, error;

    for (int tries = 0;; tries++) {
        fd = node->parent->fd >= 0 ? openat(node->parent->fd, node->name, flags)
                                   : frugal_tree_open_from_root(tree, node, flags);
        if (fd >= 0 || (errno != EMFILE && errno != ENFILE) || tries == FRUGAL_TREE_DESCRIPTOR_TRIES) break;
        frugal_tree_back_off(tree);
    }
    error = errno;
    release_parent(tree, node->parent);
    errno = error;
    return fd;
}

static int
descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur / 2 > MAX_DESCRIPTORS) return MAX_DESCRIPTORS;
    return (int)(limit.rlim_cur / 2);
}

/* Reads the limit when the first directory has children: a tree without any does not pay for the call. */
static int
max_descriptors(frugal_tree *tree)
{
    int known = atomic_load(&tree->max_descriptors);

    if (known != UNKNOWN) return known;
    /* Another thread may have read it meanwhile, or set it to 0. */
    atomic_compare_exchange_strong(&tree->max_descriptors, &known, descriptor_limit());
    return atomic_load(&tree->max_descriptors);
}

void
frugal_tree_keep_or_close(frugal_tree *tree, frugal_tree_node *node, int fd, size_t children)
{
    if (node->parent == NULL) return;
    if (children > 0 && atomic_load(&tree->descriptors) < max_descriptors(tree)) {
        atomic_fetch_add(&tree->descriptors, 1);
        atomic_store(&node->unopened_children, (int)children);
        node->fd = fd;
    }
    else {
        close(fd);
    }
}

void
frugal_tree_reset_limits(frugal_tree *tree)
{
    int threads = tree->options.threads ? tree->options.threads : DEFAULT_THREADS;

    atomic_store(&tree->max_workers, threads < FRUGAL_TREE_MAX_THREADS ? threads : FRUGAL_TREE_MAX_THREADS);
    atomic_store(&tree->max_descriptors, UNKNOWN);
}

bool
frugal_tree_prepare(frugal_tree *tree, const char *path, const frugal_tree_options *options)
{
    memset(tree, 0, sizeof(*tree));
    tree->options = *options;
    tree->root.fd = -1;
    atomic_init(&tree->cancelled, false);
    atomic_init(&tree->descriptors, 0);
    atomic_init(&tree->max_descriptors, 0);
    atomic_init(&tree->waiting_workers, 0);
    atomic_init(&tree->error, 0);
    atomic_init(&tree->root.unopened_children, 0);
    atomic_init(&tree->workers, 0);
    atomic_init(&tree->max_workers, 0);
    atomic_init(&tree->memory, 0);
    frugal_tree_reset_limits(tree);
    pthread_mutex_init(&tree->lock, NULL);
    pthread_cond_init(&tree->wake, NULL);
    pthread_cond_init(&tree->ready_changed, NULL);
    tree->path = strdup(path);
    return tree->path != NULL;
}

bool
frugal_tree_open_root(frugal_tree *tree)
{
    tree->root.fd = open(tree->path, OPEN_FLAGS);
    if (tree->root.fd < 0) tree->error = errno;
    return tree->root.fd >= 0;
}

bool
frugal_tree_adopt(frugal_tree *tree, frugal_tree_folder *folder, const frugal_tree_options *options)
{
    bool prepared = frugal_tree_prepare(tree, folder->path, options);

    tree->root.fd = folder->fd;
    folder->fd = -1;
    tree->begun = folder;
    if (prepared && frugal_tree_push(&tree->pool, &tree->root)) return true;
    tree->error = ENOMEM;
    return false;
}

bool
frugal_tree_open(frugal_tree *tree, const char *path, const frugal_tree_options *options)
{
    if (frugal_tree_prepare(tree, path, options)) {
        if (!frugal_tree_open_root(tree)) return false;
        if (options->gitignore && !frugal_ignore_above_find(&tree->above, tree->root.fd, tree->path)) {
            tree->error = errno;
            return false;
        }
        if (frugal_tree_push(&tree->pool, &tree->root)) return true;
    }
    tree->error = ENOMEM;
    return false;
}
