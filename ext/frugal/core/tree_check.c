/*
 * Which directories of a tree have changed since they were listed: one stat
 * each. A worker takes a directory and asks for those in it, by their path from
 * the nearest descriptor that it has open; so one without directories in it
 * costs nothing but its own stat.
 */
#include "tree_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "file_times.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

#define BASE_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)

/* Descriptors that a worker keeps, one below the other. */
#define MOST_BASES 8

/* So many names to pass on the way to children cost as much as to open their directory and close it. */
#define WORTH_OPENING 24

/* Room for a path that is not opened in stretches. */
#define PATH_ROOM 2048

/*
 * A change sets a directory's times to the kernel's clock, which stands still
 * between its ticks: 1 to 10 ms. Whole seconds come of file systems that know
 * no finer ones; some of them count every other.
 */
#define TICK_NS INT64_C(20000000)
#define COARSE_TICK_NS INT64_C(2000000000)
#define SECOND_NS INT64_C(1000000000)

/* Longer than a tick of any clock, of another machine's too. */
#define LONG_SEEN_NS INT64_C(100000000)

/* What the kernel itself looks at, however late its tick is. */
#ifdef CLOCK_REALTIME_COARSE
#define CHANGE_CLOCK CLOCK_REALTIME_COARSE
#else
#define CHANGE_CLOCK CLOCK_REALTIME
#endif

#define RULES "/.gitignore"

struct frugal_tree_bases {
    struct {
        const frugal_tree_node *node;
        int fd;
    } open[MOST_BASES];
    int count;
    char path[PATH_ROOM + NAME_MAX + sizeof(RULES)];
};

int64_t
frugal_tree_now(void)
{
    struct timespec now;

    clock_gettime(CHANGE_CLOCK, &now);
    return frugal_nanoseconds(now);
}

/* As long as the root is open, no other file system has the number of its device. */
frugal_times
frugal_tree_times(frugal_tree *tree, int fd, dev_t device)
{
    struct stat st;
    bool same;

    pthread_mutex_lock(&tree->lock);
    if (!tree->times_asked && fstat(tree->root.fd, &st) == 0) {
        tree->times_asked = true;
        tree->times_device = st.st_dev;
        tree->times = frugal_times_of(tree->root.fd);
    }
    same = tree->times_asked && tree->times_device == device;
    pthread_mutex_unlock(&tree->lock);
    return same ? tree->times : frugal_times_of(fd);
}

static int64_t
time_since_start(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return frugal_nanoseconds(now);
}

static bool
is_as_before(const frugal_tree_stamp *stamp, const frugal_tree_stamp *former)
{
    return former != NULL && former->seen != 0 && stamp->device == former->device && stamp->inode == former->inode &&
           stamp->mtime == former->mtime && stamp->ctime == former->ctime;
}

void
frugal_tree_know(frugal_tree_stamp *stamp, const frugal_tree_stamp *former, frugal_times times,
                 const struct stat *st, int64_t now)
{
    int64_t newest, tick, since_start;

    stamp->device = st->st_dev;
    stamp->inode = st->st_ino;
    stamp->mtime = frugal_nanoseconds(frugal_stat_mtime(st));
    stamp->ctime = frugal_nanoseconds(frugal_stat_ctime(st));
    stamp->seen = 0;
    stamp->known = false;
    if (times == FRUGAL_TIMES_UNKNOWN) return;
    newest = stamp->mtime > stamp->ctime ? stamp->mtime : stamp->ctime;
    tick = stamp->ctime % SECOND_NS == 0 ? COARSE_TICK_NS : TICK_NS; /* the mtime may be anybody's */
    if (times != FRUGAL_TIMES_LAYERED) {
        stamp->known = newest < now - tick;
        return;
    }
    /* From a clock that may be behind: known, if these times have been seen for so long. */
    since_start = time_since_start();
    stamp->seen = is_as_before(stamp, former) ? former->seen : since_start;
    stamp->known = since_start - stamp->seen > (stamp->ctime % 1000 == 0 ? COARSE_TICK_NS : LONG_SEEN_NS);
}

bool
frugal_tree_is_same(const frugal_tree_stamp *stamp, const struct stat *st)
{
    return stamp->device == st->st_dev && stamp->inode == st->st_ino;
}

bool
frugal_tree_has_changed(const frugal_tree_stamp *stamp, const struct stat *st)
{
    return stamp->mtime != frugal_nanoseconds(frugal_stat_mtime(st)) || stamp->ctime != frugal_nanoseconds(frugal_stat_ctime(st));
}

static bool
lies_in(const frugal_tree_node *node, const frugal_tree_node *above)
{
    while (node->depth > above->depth) node = node->parent;
    return node == above;
}

static void
close_bases(struct frugal_tree_bases *bases, int remaining)
{
    while (bases->count > remaining) close(bases->open[--bases->count].fd);
}

/* The node's path from a directory above it, a slash at its end; its bytes, or PATH_ROOM where it is too long. */
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
 * From where to ask for a directory's children: a descriptor, with what leads
 * from there to them in bases->path. -1: not at all.
 */
static int
find_base(frugal_tree *tree, struct frugal_tree_bases *bases, const frugal_tree_node *node, size_t *size)
{
    const frugal_tree_node *base;
    int from, fd;

    while (bases->count > 0 && !lies_in(node, bases->open[bases->count - 1].node)) close_bases(bases, bases->count - 1);
    base = bases->count > 0 ? bases->open[bases->count - 1].node : &tree->root;
    from = bases->count > 0 ? bases->open[bases->count - 1].fd : tree->root.fd;
    *size = write_from(base, node, bases->path);
    if (*size < PATH_ROOM && (node->depth - base->depth) * node->child_count < WORTH_OPENING) return from;
    fd = open_base(tree, bases, node, from, *size);
    if (fd < 0) return *size < PATH_ROOM ? from : -1;
    if (bases->count == MOST_BASES) close_bases(bases, MOST_BASES - 1);
    bases->open[bases->count].node = node;
    bases->open[bases->count++].fd = fd;
    *size = 0;
    return fd;
}

static bool
note(frugal_tree *tree, frugal_tree_stack *list, frugal_tree_node *node)
{
    bool room;

    pthread_mutex_lock(&tree->lock);
    room = frugal_tree_push(list, node);
    pthread_mutex_unlock(&tree->lock);
    return room;
}

/* Of a directory that is what it was, and whose path ends the one in bases. */
static bool
may_list_otherwise(const frugal_tree_node *child, const struct stat *st, struct frugal_tree_bases *bases, size_t size, int from)
{
    if (frugal_tree_has_changed(&child->stamp, st)) return true;
    if (child->rules == NULL) return false;
    memcpy(bases->path + size + child->length, RULES, sizeof(RULES));
    return frugal_tree_rules_may_differ(child->rules, from, bases->path);
}

bool
frugal_tree_check(frugal_tree *tree, frugal_tree_node *node, frugal_tree_stack *stack, frugal_tree_scratch *scratch)
{
    struct frugal_tree_bases *bases = scratch->bases;
    size_t size;
    int from;

    if (bases == NULL && (bases = scratch->bases = calloc(1, sizeof(*bases))) == NULL) return false;
    from = find_base(tree, bases, node, &size);
    for (size_t i = 0; i < node->child_count; i++) {
        frugal_tree_node *child = &node->children[i];

        if (child->stamp.known) {
            struct stat st;

            memcpy(bases->path + size, child->name, child->length + 1);
            if (from < 0 || fstatat(from, bases->path, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(st.st_mode) ||
                !frugal_tree_is_same(&child->stamp, &st)) {
                if (!note(tree, &tree->replaced, child)) return false;
                continue;
            }
            if (may_list_otherwise(child, &st, bases, size, from) && !note(tree, &tree->changed, child)) return false;
        } else if (!note(tree, &tree->changed, child)) {
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
