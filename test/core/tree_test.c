/* Run in an empty directory. */
#include "core/tree/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "free_tree.h"
#include "memory.h"
#include "descriptors.h"

#define LEVELS 1200 /* of 8 bytes: together far longer than PATH_MAX */
#define LISTING 65536

static char listing[LISTING];

static void
make(const char *path)
{
    CHECK(mkdir(path, 0700) == 0);
}

static void
touch(const char *path)
{
    int fd = open(path, O_CREAT | O_WRONLY, 0600);

    CHECK(fd >= 0 && write(fd, "12345", 5) == 5 && close(fd) == 0);
}

/* All paths, one per line. */
static const char *
list(frugal_tree *tree)
{
    size_t used = 0, last = 0;
    char path[4096];
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;

    frugal_tree_cursor_begin(&cursor, tree);
    while ((entry = frugal_tree_next(&cursor, &node)) != NULL) {
        size_t length = frugal_tree_path_length(tree, node);

        CHECK(length < sizeof(path));
        frugal_tree_path(tree, node, path, length);
        last = used;
        used += (size_t)snprintf(listing + used, LISTING - used, "%.*s/%s\n", (int)length, path, entry->name);
        CHECK(used < LISTING && used > last);
    }
    frugal_tree_cursor_free(&cursor);
    listing[used] = '\0';
    return listing;
}

static size_t
count(const frugal_tree *tree)
{
    size_t entries = 0;
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;

    frugal_tree_cursor_begin(&cursor, tree);
    while (frugal_tree_next(&cursor, &node) != NULL) entries++;
    frugal_tree_cursor_free(&cursor);
    return entries;
}

static void
expect(const char *root, frugal_tree_options options, const char *expected)
{
    int before = descriptors();

    for (options.threads = 1; options.threads <= 4; options.threads++) {
        frugal_tree tree;

        CHECK(frugal_tree_open(&tree, root, &options) && frugal_tree_run(&tree));
        if (strcmp(list(&tree), expected) != 0) fprintf(stderr, "%s", listing);
        CHECK(strcmp(listing, expected) == 0);
        free_tree(&tree);
    }
    CHECK(descriptors() == before);
}

static void
small_trees(void)
{
    const char *const prune[] = { "b*" }, *const suffixes[] = { ".c", ".h" };

    make("small");
    make("small/b");
    make("small/b/.git");
    touch("small/b/z.c");
    touch("small/a.c");
    touch("small/.c");
    touch("small/ab");
    CHECK(symlink("b", "small/link") == 0);
    CHECK(symlink("..", "small/b/up") == 0);
    CHECK(symlink("none", "small/dangling") == 0);
    expect("small", (frugal_tree_options){ .sort = true },
           "small/a.c\nsmall/ab\nsmall/b\nsmall/b/up\nsmall/b/z.c\nsmall/dangling\nsmall/link\n");
    expect("small/", (frugal_tree_options){ .sort = true, .depth = 1 },
           "small/a.c\nsmall/ab\nsmall/b\nsmall/dangling\nsmall/link\n");
    expect("small", (frugal_tree_options){ .sort = true, .hidden = true, .prune = prune, .prune_count = 1 },
           "small/.c\nsmall/a.c\nsmall/ab\nsmall/b\nsmall/dangling\nsmall/link\n");
    expect("small", (frugal_tree_options){ .sort = true, .hidden = true, .suffixes = suffixes, .suffix_count = 2 },
           "small/a.c\nsmall/b/z.c\n");
    expect("small", (frugal_tree_options){ .sort = true, .follow = FRUGAL_FOLLOW_PATHS },
           "small/a.c\nsmall/ab\nsmall/b\nsmall/b/up\nsmall/b/z.c\nsmall/dangling\nsmall/link\n"
           "small/link/up\nsmall/link/z.c\n");
    expect("small", (frugal_tree_options){ .sort = true, .follow = FRUGAL_FOLLOW_ONCE },
           "small/a.c\nsmall/ab\nsmall/b\nsmall/b/up\nsmall/b/z.c\nsmall/dangling\nsmall/link\n");
    expect("small/b", (frugal_tree_options){ .sort = true, .follow = FRUGAL_FOLLOW_ONCE },
           "small/b/up\nsmall/b/up/a.c\nsmall/b/up/ab\nsmall/b/up/b\nsmall/b/up/dangling\n"
           "small/b/up/link\nsmall/b/z.c\n");
}

static void
no_directories(void)
{
    frugal_tree tree;
    const frugal_tree_options options = { 0 };

    CHECK(!frugal_tree_open(&tree, "missing", &options) && tree.error == ENOENT);
    free_tree(&tree);
    CHECK(!frugal_tree_open(&tree, "small/a.c", &options) && tree.error == ENOTDIR);
    free_tree(&tree);
}

static void
columns(void)
{
    const frugal_tree_options options = { .sort = true, .stat = true };
    struct timespec times[2] = { { 7, 89 }, { 7, 89 } };
    frugal_tree tree;

    CHECK(utimensat(AT_FDCWD, "small/a.c", times, 0) == 0);
    CHECK(frugal_tree_open(&tree, "small", &options) && frugal_tree_run(&tree));
    CHECK(tree.root.mtimes[0] == 7000000089 && tree.root.sizes[0] == 5);
    free_tree(&tree);
}

static void
wide(void)
{
    char path[64];

    make("wide");
    for (int i = 0; i < 40; i++) {
        snprintf(path, sizeof(path), "wide/directory%02d", (i * 7) % 40);
        make(path);
    }
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < 30; j++) {
            snprintf(path, sizeof(path), "wide/directory%02d/%d", i, (j * 11) % 30);
            if (i % 3 == 0 && j < 20) make(path);
            else touch(path);
        }
    }
}

/* However often it is cancelled, it completes in the end. */
static bool
often(void *host)
{
    return ++*(int *)host % 3 == 0;
}

static void
cancelled(void)
{
    frugal_tree_options options = { .sort = true };
    frugal_tree tree;
    int asked = 0, runs = 0;

    for (options.threads = 1; options.threads <= 4; options.threads++) {
        CHECK(frugal_tree_open(&tree, "wide", &options));
        frugal_tree_cancel(&tree);
        CHECK(!frugal_tree_run(&tree) && count(&tree) == 0);
        tree.interrupted = often;
        tree.host = &asked;
        do frugal_tree_resume(&tree), runs++;
        while (!frugal_tree_run(&tree));
        CHECK(count(&tree) == 40 * 31);
        free_tree(&tree);

        CHECK(frugal_tree_open(&tree, "wide", &options)); /* freed before the end */
        tree.interrupted = often;
        tree.host = &asked;
        frugal_tree_run(&tree);
        free_tree(&tree);
    }
    CHECK(runs > 4);
}

static void
streamed(void)
{
    frugal_tree_options options = { 0 };
    int before = descriptors();

    for (options.threads = 1; options.threads <= 4; options.threads++) {
        const frugal_tree_node *node;
        frugal_tree tree;
        size_t entries = 0;

        CHECK(frugal_tree_open(&tree, "wide", &options) && frugal_tree_start(&tree));
        while ((node = frugal_tree_await(&tree)) != NULL) entries += node->count;
        frugal_tree_stop(&tree);
        CHECK(entries == 40 * 31);
        free_tree(&tree);

        CHECK(frugal_tree_open(&tree, "wide", &options) && frugal_tree_start(&tree));
        CHECK(frugal_tree_await(&tree) != NULL);
        frugal_tree_stop(&tree);
        frugal_tree_close(&tree);
        CHECK(descriptors() == before);
        free_tree(&tree);
    }
}

/* Paths longer than PATH_MAX, with and without descriptors to keep open. */
static void
deep(void)
{
    frugal_tree_options options = { .sort = true };
    int start = open(".", O_RDONLY | O_DIRECTORY);
    struct rlimit limit, few;

    make("deep");
    CHECK(start >= 0 && chdir("deep") == 0);
    for (int i = 0; i < LEVELS; i++) {
        make("12345678");
        touch("beside");
        CHECK(chdir("12345678") == 0);
    }
    CHECK(fchdir(start) == 0);
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    for (options.threads = 1; options.threads <= 3; options.threads += 2) {
        frugal_tree tree;

        CHECK(frugal_tree_open(&tree, "deep", &options) && frugal_tree_run(&tree));
        CHECK(count(&tree) == 2 * LEVELS);
        free_tree(&tree);

        CHECK(frugal_tree_open(&tree, "deep", &options));
        atomic_store(&tree.max_descriptors, 0);
        CHECK(frugal_tree_run(&tree) && count(&tree) == 2 * LEVELS);
        free_tree(&tree);
    }

    few = limit;
    few.rlim_cur = (rlim_t)descriptors() + 5;
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    for (options.threads = 1; options.threads <= 2; options.threads++) {
        frugal_tree tree;

        CHECK(frugal_tree_open(&tree, "wide", &options) && frugal_tree_run(&tree));
        CHECK(count(&tree) == 40 * 31);
        free_tree(&tree);
    }
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);

    CHECK(chdir("deep") == 0);
    for (int i = 0; i < LEVELS; i++) CHECK(chdir("12345678") == 0);
    for (int i = 0; i < LEVELS; i++) CHECK(chdir("..") == 0 && rmdir("12345678") == 0 && unlink("beside") == 0);
    CHECK(fchdir(start) == 0 && close(start) == 0);
}

/* A pass that ran out of memory is not at its end. */
static void
without_memory(void)
{
    frugal_tree_options options = { .threads = 1 };
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    frugal_tree tree;

    CHECK(frugal_tree_open(&tree, "small", &options) && frugal_tree_run(&tree));
    frugal_tree_cursor_begin(&cursor, &tree);
    fail_allocation(1);
    CHECK(frugal_tree_next(&cursor, &node) == NULL && cursor.failed);
    frugal_tree_cursor_free(&cursor);
    frugal_tree_cursor_begin(&cursor, &tree);
    CHECK(frugal_tree_next(&cursor, &node) != NULL && !cursor.failed);
    frugal_tree_cursor_free(&cursor);
    frugal_tree_close(&tree);
    free_tree(&tree);
}

int
main(void)
{
    small_trees();
    without_memory();
    no_directories();
    columns();
    wide();
    cancelled();
    streamed();
    deep();
    return 0;
}
