/* Run in an empty directory. test/shared/gitignore_test.rb compares with git. */
#include "core/tree/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "free_tree.h"
#include "descriptors.h"
#include "core/tree/tree_refresh.h"

#define LISTING 65536

static char listing[LISTING];

static void
put(const char *path, const char *content)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);

    CHECK(fd >= 0 && write(fd, content, strlen(content)) == (ssize_t)strlen(content) && close(fd) == 0);
}

static void
make(const char *path)
{
    CHECK(mkdir(path, 0700) == 0);
}

static void
repository(const char *path, const char *exclude)
{
    char name[PATH_MAX];

    for (const char *const *part = (const char *const[]){ "", "/info", NULL }; *part != NULL; part++) {
        snprintf(name, sizeof(name), "%s/.git%s", path, *part);
        make(name);
    }
    snprintf(name, sizeof(name), "%s/.git/HEAD", path);
    put(name, "ref: refs/heads/main\n");
    snprintf(name, sizeof(name), "%s/.git/info/exclude", path);
    put(name, exclude);
}

static int
next_descriptor(void)
{
    int fd = open("/", O_RDONLY);

    CHECK(fd >= 0 && close(fd) == 0);
    return fd;
}

/* All paths relative to the root, one per line. */
static const char *
list(const frugal_tree *tree)
{
    size_t used = 0, root = frugal_tree_path_length(tree, &tree->root) + 1;
    char path[4096];
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;
    const frugal_tree_entry *entry;

    frugal_tree_cursor_begin(&cursor, tree);
    while ((entry = frugal_tree_next(&cursor, &node)) != NULL) {
        size_t length = frugal_tree_path_length(tree, node);

        CHECK(length < sizeof(path) - 1);
        frugal_tree_path(tree, node, path, length);
        path[length] = '/';
        path[length + 1] = '\0';
        used += (size_t)snprintf(listing + used, LISTING - used, "%s%s\n", path + root, entry->name);
        CHECK(used < LISTING);
    }
    frugal_tree_cursor_free(&cursor);
    listing[used] = '\0';
    return listing;
}

static void
expect(const char *root, frugal_tree_options options, const char *expected)
{
    int before = descriptors();

    options.sort = options.gitignore = true;
    for (options.threads = 1; options.threads <= 4; options.threads += 3) {
        frugal_tree tree;

        CHECK(frugal_tree_open(&tree, root, &options) && frugal_tree_run(&tree));
        if (strcmp(list(&tree), expected) != 0) fprintf(stderr, "%s: %s", root, listing);
        CHECK(strcmp(listing, expected) == 0);
        free_tree(&tree);
    }
    CHECK(descriptors() == before);
}

static void
small_trees(void)
{
    const frugal_tree_options all = { .hidden = true }, some = { 0 }, followed = { .follow = FRUGAL_FOLLOW_PATHS };

    make("small");
    repository("small", "*.tmp\n");
    put("small/.gitignore", "*.o\n/out\nlink/\n");
    put("small/a.o", "");
    put("small/b.tmp", "");
    make("small/out");
    make("small/out/in");
    make("small/d");
    put("small/d/.gitignore", "!a.o\n*.c\n");
    put("small/d/a.o", "");
    put("small/d/b.c", "");
    make("small/d/e");
    put("small/d/e/x.c", "");
    put("small/d/e/a.o", "");
    CHECK(symlink("d/e", "small/link") == 0);
    expect("small", all, ".gitignore\nd\nd/.gitignore\nd/a.o\nd/e\nd/e/a.o\nlink\n");
    expect("small/", some, "d\nd/a.o\nd/e\nd/e/a.o\nlink\n");
    expect("small", followed, "d\nd/a.o\nd/e\nd/e/a.o\nlink\nlink/x.c\n"); /* by this path the rules exclude a.o */
    expect("small/d", some, "a.o\ne\ne/a.o\n");
    expect("small/d/e", some, "a.o\n");
    expect("small/link", some, "a.o\n");
    expect("small/out", all, "");
    expect("small/out/in", all, "");
    repository("small/d/e", "a.o\n"); /* the rules above a repository do not apply to it */
    expect("small", some, "d\nd/a.o\nd/e\nd/e/x.c\nlink\n");
    expect("small/d/e", some, "x.c\n");
}

/* All kinds of linked repositories, and files that only resemble one. */
static void
linked_repositories(void)
{
    char exclude[PATH_MAX], small[16];
    int fd;

    make("tree");
    make("kept");
    make("kept/main");
    make("kept/main/info");
    make("kept/work");
    put("kept/main/info/exclude", "*.o\n");
    fd = open("tree", O_RDONLY | O_DIRECTORY);
    CHECK(fd >= 0);
    CHECK(!frugal_ignore_find_exclude(fd, "", exclude, sizeof(exclude)));
    put("tree/.git", "gitdir: ../kept/work\n");
    CHECK(!frugal_ignore_find_exclude(fd, "", exclude, sizeof(exclude)));
    put("kept/work/HEAD", "");
    CHECK(frugal_ignore_find_exclude(fd, "", exclude, sizeof(exclude)) &&
          strcmp(exclude, "../kept/work/info/exclude") == 0);
    put("kept/work/commondir", "../main\n");
    CHECK(frugal_ignore_find_exclude(fd, "", exclude, sizeof(exclude)) &&
          strcmp(exclude, "../kept/work/../main/info/exclude") == 0);
    CHECK(frugal_ignore_find_exclude(AT_FDCWD, "tree/", exclude, sizeof(exclude)));
    CHECK(strcmp(exclude, "tree/../kept/work/../main/info/exclude") == 0);
    CHECK(!frugal_ignore_find_exclude(fd, "", small, sizeof(small)));
    put("tree/a.o", "");
    put("tree/b", "");
    expect("tree", (frugal_tree_options){ 0 }, "b\n");
    put("kept/work/commondir", "/nowhere\n");
    CHECK(frugal_ignore_find_exclude(fd, "", exclude, sizeof(exclude)) &&
          strcmp(exclude, "/nowhere/info/exclude") == 0);
    put("tree/.git", "gitdir: \n");
    CHECK(!frugal_ignore_find_exclude(fd, "", exclude, sizeof(exclude)));
    put("tree/.git", "gitdi");
    CHECK(!frugal_ignore_find_exclude(fd, "", exclude, sizeof(exclude)));
    CHECK(close(fd) == 0);
}

static void
rule_files(void)
{
    frugal_ignore_file file, other;
    struct stat st;

    put("rules", "*.o\n");
    CHECK(frugal_ignore_file_read(&file, AT_FDCWD, "rules", false, &st) && file.rules != NULL && file.length == 4 &&
          st.st_size == 4);
    CHECK(frugal_ignore_file_read(&other, AT_FDCWD, "missing", false, &st) && other.rules == NULL && other.error == 0 &&
          st.st_size == 0);
    CHECK(frugal_ignore_file_equals(&file, &file) && frugal_ignore_file_equals(&other, &other) &&
          !frugal_ignore_file_equals(&file, &other));
    frugal_ignore_file_free(&file);
    CHECK(frugal_ignore_file_equals(&file, &other));
    CHECK(symlink("rules", "to-rules") == 0);
    CHECK(frugal_ignore_file_read(&file, AT_FDCWD, "to-rules", false, NULL) && file.rules == NULL && file.error == 0);
    CHECK(frugal_ignore_file_read(&file, AT_FDCWD, "to-rules", true, NULL) && file.rules != NULL);
    frugal_ignore_file_free(&file);
    CHECK(frugal_ignore_file_read(&file, AT_FDCWD, ".", true, NULL) && file.rules == NULL && file.error == 0);
    CHECK(mkfifo("pipe", 0600) == 0);
    CHECK(frugal_ignore_file_read(&file, AT_FDCWD, "pipe", true, NULL) && file.rules == NULL && file.error == 0);
    CHECK(truncate("rules", 101 * 1024 * 1024) == 0);
    CHECK(frugal_ignore_file_read(&file, AT_FDCWD, "rules", true, NULL) && file.rules == NULL && file.error == EFBIG);
}

/* Many rules and several threads; then with hardly any descriptors. */
static void
wide(void)
{
    char path[64];
    int before;
    size_t used = 0;
    struct rlimit limit, few;
    static char expected[LISTING];

    make("wide");
    put("wide/.gitignore", "*.o\n");
    for (int i = 100; i < 160; i++) {
        snprintf(path, sizeof(path), "wide/%d", i);
        make(path);
        used += (size_t)snprintf(expected + used, LISTING - used, "%d\n", i);
        for (int j = 0; j < 5; j++) {
            snprintf(path, sizeof(path), "wide/%d/%d", i, j);
            make(path);
            used += (size_t)snprintf(expected + used, LISTING - used, "%d/%d\n", i, j);
            snprintf(path, sizeof(path), "wide/%d/%d/.gitignore", i, j);
            put(path, j % 2 == 0 ? "!x.o\n" : "y.i\n");
            snprintf(path, sizeof(path), "wide/%d/%d/x.o", i, j);
            put(path, "");
            snprintf(path, sizeof(path), "wide/%d/%d/y.i", i, j);
            put(path, "");
            if (j % 2 == 0)
                used += (size_t)snprintf(expected + used, LISTING - used, "%d/%d/x.o\n%d/%d/y.i\n", i, j, i, j);
        }
    }
    expected[used] = '\0';
    expect("wide", (frugal_tree_options){ 0 }, expected);
    before = descriptors();
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    few = limit;
    few.rlim_cur = (rlim_t)next_descriptor() + 4; /* for the root, a directory, a directory in it, and a file */
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    {
        frugal_tree_options options = { .sort = true, .gitignore = true, .threads = 1 };
        frugal_tree tree;

        CHECK(frugal_tree_open(&tree, "wide", &options) && frugal_tree_run(&tree));
        CHECK(strcmp(list(&tree), expected) == 0);
        free_tree(&tree);
    }
    few.rlim_cur = (rlim_t)next_descriptor() + 1; /* for the root only */
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    for (const char *const *root = (const char *const[]){ "small", "small/d", NULL }; *root != NULL; root++) {
        frugal_tree_options options = { .gitignore = true, .threads = 1 };
        frugal_tree tree;

        if (strcmp(*root, "small") == 0) { /* the error is stored in the rules */
            CHECK(frugal_tree_open(&tree, *root, &options) && frugal_tree_run(&tree));
            CHECK(tree.root.rules->own.error == EMFILE && tree.root.rules->exclude.error == EMFILE);
        }
        else {
            CHECK(!frugal_tree_open(&tree, *root, &options) && tree.error == EMFILE);
        }
        free_tree(&tree);
    }
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    CHECK(descriptors() == before);
}

/* -- snapshots -- */

static void
refresh(frugal_tree *tree, size_t added, size_t removed)
{
    frugal_tree_refresh refresh;
    int before = descriptors();

    CHECK(frugal_tree_refresh_begin(&refresh, tree, true));
    do frugal_tree_resume(tree);
    while (!frugal_tree_refresh_run(&refresh) && tree->error == 0);
    CHECK(tree->error == 0);
    CHECK(refresh.added.count == added && refresh.removed.count == removed);
    frugal_tree_refresh_keep(&refresh);
    frugal_tree_refresh_end(&refresh);
    CHECK(descriptors() == before);
}

/* A refresh that ends without keep has no effect. */
static void
refresh_without_keep(frugal_tree *tree)
{
    frugal_tree_refresh refresh;

    CHECK(frugal_tree_refresh_begin(&refresh, tree, true));
    CHECK(frugal_tree_refresh_run(&refresh));
    frugal_tree_refresh_end(&refresh);
}

static void
refreshes(int threads)
{
    const frugal_tree_options options = { .gitignore = true, .threads = threads };
    frugal_tree tree;

    put("wide/.gitignore", "*.o\n");
    CHECK(frugal_tree_refresh_prepare(&tree, "wide", &options));
    refresh(&tree, 60 + 5 * 60 + 5 * 60 - 2 * 60 + 3 * 60, 0);
    refresh(&tree, 0, 0);
    put("wide/.gitignore", "*.i\n");
    put("wide/100/new.o", ""); /* below rules that change: reported once */
    put("wide/101/0/new.i", "");
    refresh_without_keep(&tree);
    refresh(&tree, 2 * 60 + 1, 3 * 60);
    put("wide/.gitignore", "1?0\n");
    put("wide/100/0/.gitignore", "");
    CHECK(unlink("wide/100/new.o") == 0);
    refresh_without_keep(&tree);
    /* 6 of 60 are removed; in the others y.i and new.i are added. */
    refresh(&tree, 3 * 54 + 1, 6 * 6 + 6 * 5 + 1);
    put("wide/.gitignore", "*.o\n");
    put("wide/100/0/.gitignore", "!x.o\n");
    CHECK(unlink("wide/101/0/new.i") == 0);
    refresh(&tree, 6 * 6 + 6 * 6, 2 * 54 + 1);
    free_tree(&tree);
}

int
main(void)
{
    rule_files();
    small_trees();
    linked_repositories();
    wide();
    for (int threads = 1; threads <= 4; threads += 3) refreshes(threads);
    return 0;
}
