/* One directory of a tree: its entries, classified, filtered and sorted. */
#include "tree_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dir_records.h"
#include "file_times.h"

#define FEW 12 /* sorted by insertion */

/* An entry before it has its place. The key is its name's first bytes, as a number that sorts like them. */
struct frugal_tree_found {
    uint64_t key;
    size_t offset; /* in the scratch's names */
    uint32_t length;
    uint8_t type;
    bool kept, entered;
};

static bool
prunes(const frugal_tree_options *options, const char *name)
{
    for (size_t i = 0; i < options->prune_count; i++) {
        if (fnmatch(options->prune[i], name, 0) == 0) return true;
    }
    return false;
}

static bool
keeps(const frugal_tree_options *options, const char *name, size_t length)
{
    size_t taken = options->prefix == NULL ? 0 : strlen(options->prefix);

    if (taken > length || (taken > 0 && memcmp(name, options->prefix, taken) != 0)) return false;
    if (options->suffixes == NULL) return true;
    for (size_t i = 0; i < options->suffix_count; i++) {
        size_t size = strlen(options->suffixes[i]);

        if (length < taken + size || memcmp(name + length - size, options->suffixes[i], size) != 0) continue;
        if (length > size || name[0] != '.') return true; /* ".c" is a name, and has no such ending */
    }
    return false;
}

static uint8_t
type_of(int fd, const char *name)
{
    struct stat st;

    if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
    return (uint8_t)((st.st_mode & S_IFMT) >> 12); /* how DT_... are defined */
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
    void *larger = realloc(*memory, room * size);

    if (larger == NULL) return false;
    *memory = larger;
    *capacity = room;
    return true;
}

/* False: out of memory. */
static bool
find(const frugal_tree_options *options, const frugal_tree_node *node, int fd, frugal_tree_scratch *scratch, const char *name,
     uint8_t type)
{
    struct frugal_tree_found found = { 0 };
    size_t length;

    if (name[0] == '.' && options->gitignore) {
        if (strcmp(name, ".git") == 0) {
            scratch->has_repository = true;
            return true;
        }
        if (strcmp(name, ".gitignore") == 0) {
            if (type == DT_UNKNOWN) type = type_of(fd, name);
            if (type == DT_REG) scratch->has_rules = true;
        }
    }
    if (name[0] == '.' && (!options->hidden || name[1] == '\0' || (name[1] == '.' && name[2] == '\0'))) return true;
    length = strlen(name);
    if (type == DT_UNKNOWN) type = type_of(fd, name);
    found.kept = keeps(options, name, length);
    found.entered = (type == DT_DIR || (type == DT_LNK && options->follow != FRUGAL_FOLLOW_NEVER)) &&
                    node->depth + 1 != options->depth && !prunes(options, name);
    if (!found.kept && !found.entered) return true;
    if (scratch->names_room - scratch->names_used < length + 1 &&
        !grow((void **)&scratch->names, &scratch->names_room, scratch->names_used + length + 1, 1)) {
        return false;
    }
    if (scratch->found_count == scratch->found_capacity) {
        size_t capacity = scratch->found_capacity;

        if (!grow((void **)&scratch->merged, &capacity, capacity + 256, sizeof(found))) return false;
        if (!grow((void **)&scratch->found, &scratch->found_capacity, scratch->found_capacity + 256, sizeof(found))) return false;
    }
    found.key = options->sort ? sort_key(name, length) : 0;
    found.offset = scratch->names_used;
    found.length = (uint32_t)length;
    found.type = type;
    memcpy(scratch->names + scratch->names_used, name, length + 1);
    scratch->names_used += length + 1;
    scratch->found[scratch->found_count++] = found;
    return true;
}

#ifdef __linux__

/* False: out of memory. A failure of the kernel's is the node's. */
static bool
read_entries(const frugal_tree_options *options, frugal_tree_node *node, int fd, frugal_tree_scratch *scratch)
{
    long bytes;

    if (scratch->batch == NULL && (scratch->batch = malloc(FRUGAL_DIR_BATCH_BYTES)) == NULL) return false;
    while ((bytes = frugal_dir_records_read(fd, scratch->batch)) > 0) {
        for (long at = 0; at < bytes;) {
            const frugal_dir_record *record = (const frugal_dir_record *)(scratch->batch + at);

            if (!find(options, node, fd, scratch, record->name, record->type)) return false;
            at += record->size;
        }
    }
    if (bytes < 0 && errno != ENOENT) node->error = errno; /* ENOENT: removed since it was opened, and empty */
    return true;
}

#else

static bool
read_entries(const frugal_tree_options *options, frugal_tree_node *node, int fd, frugal_tree_scratch *scratch)
{
    int other = dup(fd);
    DIR *stream = other < 0 ? NULL : fdopendir(other);
    struct dirent *entry;
    bool room = true;

    if (stream == NULL) {
        node->error = errno;
        if (other >= 0) close(other);
        return true;
    }
    for (errno = 0; room && (entry = readdir(stream)) != NULL; errno = 0) {
        room = find(options, node, fd, scratch, entry->d_name, entry->d_type);
    }
    if (room && errno != 0) node->error = errno;
    closedir(stream);
    return room;
}

#endif

/* Before they are sorted, and before names are kept. */
static void
leave_out(frugal_tree_scratch *scratch)
{
    size_t count = scratch->found_count;

    scratch->found_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct frugal_tree_found *found = &scratch->found[i];

        if (frugal_tree_ignores(scratch, scratch->names + found->offset, found->length, found->type == DT_DIR)) {
            scratch->names_used -= found->length + 1;
        } else {
            scratch->found[scratch->found_count++] = *found;
        }
    }
}

static bool
before(const char *names, const struct frugal_tree_found *a, const struct frugal_tree_found *b)
{
    if (a->key != b->key) return a->key < b->key;
    return strcmp(names + a->offset, names + b->offset) < 0;
}

static void
sort_few(const char *names, struct frugal_tree_found *found, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct frugal_tree_found one = found[i];
        size_t j = i;

        for (; j > 0 && before(names, &one, &found[j - 1]); j--) found[j] = found[j - 1];
        found[j] = one;
    }
}

/* Merge sort, from the bottom up: no recursion, and sorted input costs one pass a level. */
static void
sort_found(frugal_tree_scratch *scratch)
{
    struct frugal_tree_found *from = scratch->found, *to = scratch->merged, *swapped;
    size_t count = scratch->found_count;

    for (size_t i = 0; i < count; i += FEW) sort_few(scratch->names, from + i, count - i < FEW ? count - i : FEW);
    for (size_t width = FEW; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t left = start, right = middle;

            for (size_t i = start; i < end; i++) {
                bool take_left = left < middle && (right == end || !before(scratch->names, &from[right], &from[left]));

                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        swapped = from;
        from = to;
        to = swapped;
    }
    scratch->found = from;
    scratch->merged = to;
}

static void
stat_entry(const frugal_tree_options *options, frugal_tree_node *node, int fd, size_t index)
{
    const frugal_tree_entry *entry = &node->entries[index];
    struct stat st;
    bool follow = entry->type == DT_LNK && options->follow != FRUGAL_FOLLOW_NEVER;

    if ((!follow || fstatat(fd, entry->name, &st, 0) != 0) && fstatat(fd, entry->name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
        memset(&st, 0, sizeof(st)); /* gone since it was listed */
    }
    node->mtimes[index] = frugal_nanoseconds(frugal_stat_mtime(&st));
    node->sizes[index] = (int64_t)st.st_size;
}

/* Entries, then columns, nodes of directories to enter, and names. */
static bool
keep_found(const frugal_tree_options *options, frugal_tree_node *node, const frugal_tree_scratch *scratch)
{
    size_t count = scratch->found_count, nodes = 0, columns = options->stat ? 2 : 0;
    frugal_tree_node *child;
    char *names, *block;

    for (size_t i = 0; i < count; i++) nodes += scratch->found[i].entered;
    block = malloc(count * (sizeof(frugal_tree_entry) + columns * sizeof(int64_t)) + nodes * sizeof(frugal_tree_node) + scratch->names_used);
    if (block == NULL) return count == 0;
    node->block = block;
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
        const struct frugal_tree_found *found = &scratch->found[i];

        memcpy(names, scratch->names + found->offset, found->length + 1);
        node->entries[i] = (frugal_tree_entry){ .name = names, .length = found->length, .type = found->type, .kept = found->kept };
        if (found->entered) {
            memset(child, 0, sizeof(*child));
            child->parent = node;
            child->name = names;
            child->length = found->length;
            child->depth = node->depth + 1;
            child->link = found->type == DT_LNK;
            child->fd = -1;
            atomic_init(&child->waiting, 0);
            node->entries[i].child = child++;
        }
        names += found->length + 1;
    }
    node->count = count;
    return true;
}

bool
frugal_tree_list(frugal_tree *tree, frugal_tree_node *node, int fd, frugal_tree_scratch *scratch)
{
    const frugal_tree_options *options = &tree->options;

    scratch->found_count = scratch->names_used = 0;
    scratch->has_rules = scratch->has_repository = false;
    if (!read_entries(options, node, fd, scratch)) return false;
    if (options->gitignore) {
        if (!frugal_tree_read_rules(tree, node, fd, scratch)) return false;
        if (frugal_tree_has_levels(scratch)) leave_out(scratch);
    }
    if (options->sort) sort_found(scratch);
    if (!keep_found(options, node, scratch)) return false;
    if (options->stat) {
        for (size_t i = 0; i < node->count; i++) stat_entry(options, node, fd, i);
    }
    return true;
}

void
frugal_tree_scratch_free(frugal_tree_scratch *scratch)
{
    free(scratch->found);
    free(scratch->merged);
    free(scratch->names);
    free(scratch->batch);
    frugal_tree_bases_free(scratch->bases);
    frugal_tree_levels_free(scratch->levels);
}
