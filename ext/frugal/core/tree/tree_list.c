/* Lists one directory of a tree: reads, classifies, filters and sorts its entries. */
#include "core/tree/tree_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system/system.h"

#define INSERTION_SORT_MAX 12 /* lists up to this size are sorted by insertion */

/* An entry before sorting. The key holds the first bytes of its name as a number that sorts like the bytes. */
struct frugal_tree_found {
    uint64_t key;
    size_t offset; /* in buffers->names */
    uint32_t length;
    uint8_t type;
    bool kept, entered;
};

static bool
is_pruned(const frugal_tree_options *options, const char *name)
{
    for (size_t i = 0; i < options->prune_count; i++) {
        if (fnmatch(options->prune[i], name, 0) == 0) return true;
    }
    return false;
}

static bool
is_kept(const frugal_tree_options *options, const char *name, size_t length)
{
    size_t prefix_length = options->prefix == NULL ? 0 : strlen(options->prefix);

    if (prefix_length > length) return false;
    if (prefix_length > 0 && memcmp(name, options->prefix, prefix_length) != 0) return false;
    if (options->suffixes == NULL) return true;
    for (size_t i = 0; i < options->suffix_count; i++) {
        size_t size = strlen(options->suffixes[i]);

        if (length < prefix_length + size || memcmp(name + length - size, options->suffixes[i], size) != 0) continue;
        if (length > size || name[0] != '.') return true; /* ".c" is a name without a suffix */
    }
    return false;
}

static uint8_t
type_of(int fd, const char *name)
{
    struct stat st;

    if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
    return (uint8_t)((st.st_mode & S_IFMT) >> 12); /* the definition of DT_... */
}

static uint64_t
sort_key(const char *name, size_t length)
{
    uint64_t key = 0;

    for (size_t i = 0; i < sizeof(key); i++) key = key << 8 | (i < length ? (unsigned char)name[i] : 0);
    return key;
}

static bool
grow(void **memory, size_t *capacity, size_t needed, size_t size)
{
    size_t room = *capacity * 2 > needed ? *capacity * 2 : needed;

    if (!frugal_system_resize(memory, size, room)) return false;
    *capacity = room;
    return true;
}

/* Adds a name to buffers->found if the options select it. Returns false if out of memory. */
static bool
add_found(const frugal_tree_options *options, const frugal_tree_node *node, int fd, frugal_tree_buffers *buffers,
          const char *name, uint8_t type)
{
    struct frugal_tree_found found = { 0 };
    size_t length;

    if (name[0] == '.' && options->gitignore) {
        if (strcmp(name, ".git") == 0) {
            buffers->has_repository = true;
            return true;
        }
        if (strcmp(name, ".gitignore") == 0) {
            if (type == DT_UNKNOWN) type = type_of(fd, name);
            if (type == DT_REG) buffers->has_rules = true;
        }
    }
    if (name[0] == '.' && (!options->hidden || name[1] == '\0' || (name[1] == '.' && name[2] == '\0'))) return true;
    length = strlen(name);
    if (type == DT_UNKNOWN) type = type_of(fd, name);
    found.kept = is_kept(options, name, length);
    found.entered = (type == DT_DIR || (type == DT_LNK && options->follow != FRUGAL_FOLLOW_NEVER)) &&
                    node->depth + 1 != options->depth && !is_pruned(options, name);
    if (!found.kept && !found.entered) return true;
    if (buffers->names_room - buffers->names_used < length + 1 &&
        !grow((void **)&buffers->names, &buffers->names_room, buffers->names_used + length + 1, 1)) {
        return false;
    }
    if (buffers->found_count == buffers->found_capacity) {
        size_t capacity = buffers->found_capacity;

        if (!grow((void **)&buffers->merged, &capacity, capacity + 256, sizeof(found))) return false;
        if (!grow((void **)&buffers->found, &buffers->found_capacity, buffers->found_capacity + 256, sizeof(found))) {
            return false;
        }
    }
    found.key = options->sort ? sort_key(name, length) : 0;
    found.offset = buffers->names_used;
    found.length = (uint32_t)length;
    found.type = type;
    memcpy(buffers->names + buffers->names_used, name, length + 1);
    buffers->names_used += length + 1;
    buffers->found[buffers->found_count++] = found;
    return true;
}

#ifdef __linux__

/* Returns false if out of memory. */
static bool
add_records(const frugal_tree_options *options, frugal_tree_node *node, int fd, frugal_tree_buffers *buffers,
            const char *records, long bytes)
{
    for (long at = 0; at < bytes;) {
        const frugal_dir_record *record = (const frugal_dir_record *)(records + at);

        if (!add_found(options, node, fd, buffers, record->name, record->type)) return false;
        at += record->size;
    }
    return true;
}

/* Returns false if out of memory. An error of the kernel is stored in node->error. */
static bool
read_entries(frugal_tree *tree, frugal_tree_node *node, int fd, frugal_tree_buffers *buffers)
{
    const frugal_tree_options *options = &tree->options;
    const frugal_tree_folder *begun = node->parent == NULL ? tree->begun : NULL;
    long bytes;

    if (begun != NULL) {
        tree->begun = NULL;
        if (!add_records(options, node, fd, buffers, begun->records, begun->bytes)) return false;
        if (begun->complete) return true;
    }
    if (buffers->batch == NULL && (buffers->batch = malloc(FRUGAL_DIR_BATCH_BYTES)) == NULL) return false;
    while ((bytes = frugal_system_read_records(fd, buffers->batch)) > 0) {
        if (!add_records(options, node, fd, buffers, buffers->batch, bytes)) return false;
    }
    if (bytes < 0 && errno != ENOENT) node->error = errno; /* ENOENT: it was removed after it was opened */
    return true;
}

#else

static bool
read_entries(frugal_tree *tree, frugal_tree_node *node, int fd, frugal_tree_buffers *buffers)
{
    const frugal_tree_options *options = &tree->options;
    int other = dup(fd);
    DIR *stream = other < 0 ? NULL : fdopendir(other);
    struct dirent *entry;
    bool ok = true;

    if (stream == NULL) {
        node->error = errno;
        if (other >= 0) close(other);
        return true;
    }
    for (errno = 0; ok && (entry = readdir(stream)) != NULL; errno = 0) {
        ok = add_found(options, node, fd, buffers, entry->d_name, entry->d_type);
    }
    if (ok && errno != 0) node->error = errno;
    closedir(stream);
    return ok;
}

#endif

/* Removes the ignored names from buffers->found, which is not sorted yet. */
static void
remove_ignored(frugal_tree_buffers *buffers)
{
    size_t count = buffers->found_count;

    buffers->found_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct frugal_tree_found *found = &buffers->found[i];

        if (frugal_tree_ignores(buffers, buffers->names + found->offset, found->length, found->type == DT_DIR)) {
            buffers->names_used -= found->length + 1;
        }
        else {
            buffers->found[buffers->found_count++] = *found;
        }
    }
}

static bool
sorts_before(const char *names, const struct frugal_tree_found *a, const struct frugal_tree_found *b)
{
    if (a->key != b->key) return a->key < b->key;
    return strcmp(names + a->offset, names + b->offset) < 0;
}

static void
insertion_sort(const char *names, struct frugal_tree_found *found, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct frugal_tree_found item = found[i];
        size_t j = i;

        for (; j > 0 && sorts_before(names, &item, &found[j - 1]); j--) found[j] = found[j - 1];
        found[j] = item;
    }
}

/* Bottom-up merge sort: it needs no recursion. */
static void
sort_found(frugal_tree_buffers *buffers)
{
    struct frugal_tree_found *from = buffers->found, *to = buffers->merged, *swapped;
    size_t count = buffers->found_count;

    for (size_t i = 0; i < count; i += INSERTION_SORT_MAX) {
        insertion_sort(buffers->names, from + i, count - i < INSERTION_SORT_MAX ? count - i : INSERTION_SORT_MAX);
    }
    for (size_t width = INSERTION_SORT_MAX; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t left = start, right = middle;

            for (size_t i = start; i < end; i++) {
                bool take_left = left < middle;

                if (take_left && right < end) take_left = !sorts_before(buffers->names, &from[right], &from[left]);
                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        swapped = from;
        from = to;
        to = swapped;
    }
    buffers->found = from;
    buffers->merged = to;
}

static void
stat_entry(const frugal_tree_options *options, frugal_tree_node *node, int fd, size_t index)
{
    const frugal_tree_entry *entry = &node->entries[index];
    struct stat st;
    bool follow = entry->type == DT_LNK && options->follow != FRUGAL_FOLLOW_NEVER;

    if ((!follow || fstatat(fd, entry->name, &st, 0) != 0) && fstatat(fd, entry->name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
        memset(&st, 0, sizeof(st)); /* the entry was removed after it was listed */
    }
    node->mtimes[index] = frugal_system_nanoseconds(frugal_system_mtime(&st));
    node->sizes[index] = (int64_t)st.st_size;
}

/* Allocates the node's block: the entries, the mtime and size columns, the nodes of directories to enter, the names. */
static bool
build_block(const frugal_tree_options *options, frugal_tree_node *node, const frugal_tree_buffers *buffers)
{
    size_t count = buffers->found_count, nodes = 0, columns = options->stat ? 2 : 0, size;
    frugal_tree_node *child;
    char *names, *block;

    for (size_t i = 0; i < count; i++) nodes += buffers->found[i].entered;
    size = count * (sizeof(frugal_tree_entry) + columns * sizeof(int64_t)) + nodes * sizeof(frugal_tree_node) +
           buffers->names_used;
    block = malloc(size);
    if (block == NULL) return count == 0;
    node->block = block;
    node->memory += size;
    node->entries = (frugal_tree_entry *)block;
    block += count * sizeof(frugal_tree_entry);
    if (columns) {
        node->mtimes = (int64_t *)block;
        node->sizes = node->mtimes + count;
        block += 2 * count * sizeof(int64_t);
    }
    node->children = child = (frugal_tree_node *)block;
    node->child_count = nodes;
    names = block + nodes * sizeof(frugal_tree_node);
    for (size_t i = 0; i < count; i++) {
        const struct frugal_tree_found *found = &buffers->found[i];

        memcpy(names, buffers->names + found->offset, found->length + 1);
        node->entries[i] = (frugal_tree_entry){
            .name = names, .length = found->length, .type = found->type, .kept = found->kept
        };
        if (found->entered) {
            memset(child, 0, sizeof(*child));
            child->parent = node;
            child->name = names;
            child->length = found->length;
            child->depth = node->depth + 1;
            child->link = found->type == DT_LNK;
            child->fd = -1;
            atomic_init(&child->unopened_children, 0);
            node->entries[i].child = child++;
        }
        names += found->length + 1;
    }
    node->count = count;
    return true;
}

bool
frugal_tree_list(frugal_tree *tree, frugal_tree_node *node, int fd, frugal_tree_buffers *buffers)
{
    const frugal_tree_options *options = &tree->options;

    buffers->found_count = buffers->names_used = 0;
    buffers->has_rules = buffers->has_repository = false;
    if (!read_entries(tree, node, fd, buffers)) return false;
    if (options->gitignore) {
        if (!frugal_tree_read_rules(tree, node, fd, buffers)) return false;
        if (frugal_tree_has_levels(buffers)) remove_ignored(buffers);
    }
    if (options->sort) sort_found(buffers);
    node->memory = frugal_tree_rules_memory(node->rules);
    if (!build_block(options, node, buffers)) {
        node->memory = 0; /* it is not part of tree->memory */
        return false;
    }
    atomic_fetch_add_explicit(&tree->memory, node->memory, memory_order_relaxed);
    if (options->stat) {
        for (size_t i = 0; i < node->count; i++) stat_entry(options, node, fd, i);
    }
    return true;
}

void
frugal_tree_buffers_free(frugal_tree_buffers *buffers)
{
    free(buffers->found);
    free(buffers->merged);
    free(buffers->names);
    free(buffers->batch);
    frugal_tree_bases_free(buffers->bases);
    frugal_tree_levels_free(buffers->levels);
}
