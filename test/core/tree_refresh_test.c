/* Run in an empty directory. */
#include "core/tree/tree_refresh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "free_tree.h"
#include "descriptors.h"
#include "core/tree/tree_internal.h"

#define MOST_LINES 4096

static char report[MOST_LINES * 64];

static void
make(const char *path)
{
    CHECK(mkdir(path, 0700) == 0);
}

static void
touch(const char *path)
{
    int fd = open(path, O_CREAT | O_WRONLY, 0600);

    CHECK(fd >= 0 && close(fd) == 0);
}

/* Waits longer than a tick of the kernel's clock: from now on the times of existing files are reliable. */
static void
settle(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = 30000000 }, NULL);
}

static int
by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Writes the paths sorted, one per line, with a sign before each. */
static size_t
write_paths(size_t used, char sign, const frugal_tree_path_list *paths)
{
    const char *lines[MOST_LINES];
    size_t count = 0;

    for (size_t at = 0; at < paths->used; at += strlen(paths->bytes + at) + 1) {
        CHECK(count < MOST_LINES);
        lines[count++] = paths->bytes + at;
    }
    CHECK(count == paths->count);
    qsort(lines, count, sizeof(*lines), by_bytes);
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(report + used, sizeof(report) - used, "%c%s\n", sign, lines[i]);
        CHECK(used < sizeof(report));
    }
    return used;
}

static void
run(frugal_tree_refresh *refresh)
{
    do frugal_tree_resume(refresh->tree);
    while (!frugal_tree_refresh_run(refresh) && refresh->tree->error == 0);
    CHECK(refresh->tree->error == 0);
}

static const char *
changes(frugal_tree *tree)
{
    frugal_tree_refresh refresh;
    int before = descriptors();

    CHECK(frugal_tree_refresh_begin(&refresh, tree, true));
    run(&refresh);
    report[0] = '\0';
    write_paths(write_paths(0, '+', &refresh.added), '-', &refresh.removed);
    frugal_tree_refresh_keep(&refresh);
    frugal_tree_refresh_end(&refresh);
    CHECK(descriptors() == before);
    return report;
}

static void
expect(frugal_tree *tree, const char *expected)
{
    if (strcmp(changes(tree), expected) != 0) fprintf(stderr, "expected\n%sgot\n%s", expected, report);
    CHECK(strcmp(report, expected) == 0);
}

static void
watch(frugal_tree *tree, const char *path, int threads)
{
    const frugal_tree_options options = { .threads = threads };
    frugal_tree_refresh refresh;

    CHECK(frugal_tree_refresh_prepare(tree, path, &options));
    CHECK(frugal_tree_refresh_begin(&refresh, tree, false));
    run(&refresh);
    CHECK(refresh.added.count == 0);
    frugal_tree_refresh_keep(&refresh);
    frugal_tree_refresh_end(&refresh);
}

static void
small_changes(int threads)
{
    frugal_tree tree;

    watch(&tree, "small", threads);
    expect(&tree, "");
    make("small");
    make("small/a");
    touch("small/a/x");
    make("small/a/d");
    touch("small/a/d/y");
    touch("small/f");
    expect(&tree, "+small/a\n+small/a/d\n+small/a/d/y\n+small/a/x\n+small/f\n");
    expect(&tree, "");
    settle();
    expect(&tree, "");
    expect(&tree, "");

    /* One refresh with changes below a changed directory, in a removed one, and a file that becomes a directory. */
    touch("small/a/d/z");
    CHECK(unlink("small/a/x") == 0 && unlink("small/f") == 0);
    make("small/f");
    touch("small/f/in");
    expect(&tree, "+small/a/d/z\n+small/f/in\n-small/a/x\n");
    settle();
    expect(&tree, "");
    touch("small/a/d/gone");
    CHECK(rename("small/a", "small/b") == 0);
    expect(&tree, "+small/b\n+small/b/d\n+small/b/d/gone\n+small/b/d/y\n+small/b/d/z\n"
                  "-small/a\n-small/a/d\n-small/a/d/y\n-small/a/d/z\n");
    settle();
    expect(&tree, "");

    /* The root is replaced by another directory. */
    CHECK(rename("small", "other") == 0);
    expect(&tree, "-small/b\n-small/b/d\n-small/b/d/gone\n-small/b/d/y\n-small/b/d/z\n-small/f\n-small/f/in\n");
    make("small");
    make("small/b");
    touch("small/b/x");
    expect(&tree, "+small/b\n+small/b/x\n");
    settle();
    expect(&tree, "");
    CHECK(rename("small", "third") == 0 && rename("other", "small") == 0);
    expect(&tree, "+small/b/d\n+small/b/d/gone\n+small/b/d/y\n+small/b/d/z\n+small/f\n+small/f/in\n-small/b/x\n");
    free_tree(&tree);
    CHECK(unlink("third/b/x") == 0 && rmdir("third/b") == 0 && rmdir("third") == 0);
    CHECK(unlink("small/b/d/gone") == 0 && unlink("small/b/d/y") == 0 && unlink("small/b/d/z") == 0 &&
          unlink("small/f/in") == 0);
    CHECK(rmdir("small/b/d") == 0 && rmdir("small/b") == 0 && rmdir("small/f") == 0 && rmdir("small") == 0);
}

static void
make_wide_tree(void)
{
    char path[64];

    make("wide");
    for (int i = 0; i < 40; i++) {
        snprintf(path, sizeof(path), "wide/%02d", i);
        make(path);
        for (int j = 0; j < 30; j++) {
            snprintf(path, sizeof(path), "wide/%02d/%02d", i, j);
            make(path);
        }
    }
}

static bool
often(void *host)
{
    return ++*(int *)host % 3 == 0;
}

/* A refresh that is cancelled again and again completes; one that ends without keep has no effect. */
static void
cancelled(int threads)
{
    char path[64];
    frugal_tree tree;
    int asked = 0, before = descriptors();

    watch(&tree, "wide", threads);
    for (int round = 0; round < 12; round++) {
        frugal_tree_refresh refresh;

        snprintf(path, sizeof(path), "wide/%02d/%02d/new", round, round);
        make(path);
        if (round == 6) settle();
        tree.interrupted = often;
        tree.host = &asked;
        CHECK(frugal_tree_refresh_begin(&refresh, &tree, true));
        for (int runs = 0; runs < round; runs++) {
            frugal_tree_resume(&tree);
            if (frugal_tree_refresh_run(&refresh)) break;
        }
        frugal_tree_refresh_end(&refresh);
        CHECK(descriptors() == before);
    }
    changes(&tree);
    for (int round = 0; round < 12; round++) {
        snprintf(path, sizeof(path), "+wide/%02d/%02d/new\n", round, round);
        CHECK(strstr(report, path) != NULL);
        snprintf(path, sizeof(path), "wide/%02d/%02d/new", round, round);
        CHECK(rmdir(path) == 0);
    }
    CHECK(strchr(report, '-') == NULL);
    changes(&tree);
    expect(&tree, "");
    free_tree(&tree);
}

/* A path longer than PATH_MAX, and too few descriptors. */
static void
scarce(int threads)
{
    frugal_tree tree;
    struct rlimit limit, few;
    int start = open(".", O_RDONLY | O_DIRECTORY);

    make("deep");
    CHECK(start >= 0 && chdir("deep") == 0);
    for (int i = 0; i < 700; i++) {
        make("12345678");
        CHECK(chdir("12345678") == 0);
    }
    settle();
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    few = limit;
    CHECK(fchdir(start) == 0);
    watch(&tree, "deep", threads);
    for (int i = 0; i < 3; i++) {
        few.rlim_cur = i == 1 ? (rlim_t)descriptors() + 4 : limit.rlim_cur;
        CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
        expect(&tree, "");
    }
    CHECK(chdir("deep") == 0);
    for (int i = 0; i < 700; i++) CHECK(chdir("12345678") == 0);
    touch("x");
    CHECK(fchdir(start) == 0);
    changes(&tree);
    CHECK(strlen(report) == 1 + 4 + 700 * 9 + 2 + 1);
    CHECK(chdir("deep") == 0);
    for (int i = 0; i < 700; i++) CHECK(chdir("12345678") == 0);
    CHECK(unlink("x") == 0);
    for (int i = 0; i < 700; i++) CHECK(chdir("..") == 0 && rmdir("12345678") == 0);
    CHECK(fchdir(start) == 0 && rmdir("deep") == 0 && close(start) == 0);
    free_tree(&tree);
}

/* After descriptors and threads ran out once, the next refresh uses the full limits again. */
static void
limits_are_reset(void)
{
    frugal_tree tree;
    struct rlimit limit, few;
    frugal_tree_refresh refresh;

    make("relieved");
    watch(&tree, "relieved", 3);
    make("relieved/d");
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    few = limit;
    few.rlim_cur = (rlim_t)dup(0) + 1; /* for the root only */
    CHECK(close((int)few.rlim_cur - 1) == 0 && setrlimit(RLIMIT_NOFILE, &few) == 0);
    expect(&tree, "+relieved/d\n");
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    CHECK(tree.root.children[0].error == EMFILE && tree.max_descriptors == 0);
    tree.max_workers = 1;
    touch("relieved/d/x");
    CHECK(frugal_tree_refresh_begin(&refresh, &tree, true));
    CHECK(tree.max_descriptors != 0 && tree.max_workers == 3);
    run(&refresh);
    CHECK(refresh.added.count == 1);
    frugal_tree_refresh_end(&refresh);
    free_tree(&tree);
}

/* An error of the root is reported, and the tree keeps its state. */
static void
root_errors(void)
{
    frugal_tree tree;
    frugal_tree_refresh refresh;

    make("root");
    touch("root/x");
    watch(&tree, "root", 1);
    CHECK(rename("root", "away") == 0 && symlink("root", "root") == 0);
    CHECK(!frugal_tree_refresh_begin(&refresh, &tree, true) && tree.error == ELOOP);
    frugal_tree_refresh_end(&refresh);
    CHECK(unlink("root") == 0);
    touch("root");
    expect(&tree, "-root/x\n");
    CHECK(unlink("root") == 0 && rename("away", "root") == 0);
    expect(&tree, "+root/x\n");
    free_tree(&tree);
}

/* When the times of a directory are reliable. */
static void
stamps(void)
{
    const int64_t second = 1000000000, now = 1700000000 * second + 500000000;
    const struct {
        int64_t mtime, ctime;
        bool reliable;
    } cases[] = {
        { now - second / 10, now - second / 10, true },
        { now, now, false },
        { now - second / 1000, now - second / 1000, false },
        { 5 * second, now - second / 1000, false }, /* its mtime was set to the past */
        { now + 9 * second, now - second / 10, false },
        { 5 * second, now - second / 2, false }, /* a time in whole seconds */
        { now - second / 2 - 3 * second, now - second / 2 - 3 * second, true },
        { now - second / 2 - second, now - second / 2 - second, false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        frugal_tree_stamp stamp = { 0 }, previous;
        struct stat st = { .st_dev = 1, .st_ino = 2, .st_mode = S_IFDIR }, other = st;

#ifdef __APPLE__
        st.st_mtimespec = (struct timespec){ cases[i].mtime / second, cases[i].mtime % second };
        st.st_ctimespec = (struct timespec){ cases[i].ctime / second, cases[i].ctime % second };
#else
        st.st_mtim = (struct timespec){ cases[i].mtime / second, cases[i].mtime % second };
        st.st_ctim = (struct timespec){ cases[i].ctime / second, cases[i].ctime % second };
#endif
        frugal_tree_take_stamp(&stamp, NULL, FRUGAL_TIMES_UNKNOWN, &st, now);
        CHECK(!stamp.reliable);
        frugal_tree_take_stamp(&stamp, NULL, FRUGAL_TIMES_LAYERED, &st, now);
        CHECK(!stamp.reliable); /* even if they are old */
        previous = stamp;
        previous.first_seen -= 3 * second;
        frugal_tree_take_stamp(&stamp, &previous, FRUGAL_TIMES_LAYERED, &st, now);
        CHECK(stamp.reliable && stamp.first_seen == previous.first_seen);
        previous.inode++;
        frugal_tree_take_stamp(&stamp, &previous, FRUGAL_TIMES_LAYERED, &st, now);
        CHECK(!stamp.reliable);
        frugal_tree_take_stamp(&stamp, NULL, FRUGAL_TIMES_TICKS, &st, now);
        CHECK(stamp.reliable == cases[i].reliable);
        CHECK(frugal_tree_is_same(&stamp, &st) && !frugal_tree_has_changed(&stamp, &st));
        CHECK(frugal_tree_has_changed(&stamp, &other));
        other = st;
        other.st_ino++;
        CHECK(!frugal_tree_is_same(&stamp, &other));
        other = st;
        other.st_dev++;
        CHECK(!frugal_tree_is_same(&stamp, &other));
#ifdef __APPLE__
        st.st_ctimespec.tv_nsec++;
#else
        st.st_ctim.tv_nsec++;
#endif
        CHECK(frugal_tree_has_changed(&stamp, &st));
    }
}

int
main(void)
{
    stamps();
    make_wide_tree();
    for (int threads = 1; threads <= 4; threads++) {
        small_changes(threads);
        cancelled(threads);
        scarce(threads);
    }
    root_errors();
    limits_are_reset();
    return 0;
}
