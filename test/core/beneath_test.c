/*
 * Tests files beneath a directory. Run in an empty directory. The last part compares openat2(2) with
 * frugal_beneath_open_stepwise on random trees of links.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/beneath/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

#define FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY)
#ifdef O_PATH
#define SEARCH_ONLY O_PATH /* also opens a directory that may be searched but not read */
#else
#define SEARCH_ONLY O_RDONLY
#endif
#define TREES 150
#define PATHS 40

static void
put(const char *path)
{
    int fd = open(path, O_CREAT | O_WRONLY, 0600);

    CHECK(fd >= 0 && write(fd, path, strlen(path)) == (ssize_t)strlen(path) && close(fd) == 0);
}

/* Checks that `path` opens the file `opened`; NULL: that it opens nothing. */
static void
check_open(frugal_beneath *beneath, const char *path, const char *opened)
{
    struct stat st, expected;
    int root = open(beneath->path, SEARCH_ONLY | O_DIRECTORY), steps, fd;

    CHECK(root >= 0);
    fd = frugal_beneath_open(beneath, path, &st);
    steps = frugal_beneath_open_stepwise(root, path, beneath->follow, FLAGS);
    CHECK((fd >= 0) == (opened != NULL));
    if (opened) {
        CHECK(stat(opened, &expected) == 0 && st.st_ino == expected.st_ino && st.st_dev == expected.st_dev);
        CHECK(fstat(steps, &st) == 0 && st.st_ino == expected.st_ino);
        CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) && (fcntl(steps, F_GETFD) & FD_CLOEXEC));
        CHECK(close(fd) == 0);
    }
    if (steps >= 0) {
        CHECK(fstat(steps, &st) == 0 && (opened || !S_ISREG(st.st_mode)));
        CHECK(close(steps) == 0);
    }
    CHECK(close(root) == 0);
}

static void
check_links(void)
{
    frugal_beneath stays, follows;
    struct stat st;

    CHECK(mkdir("root", 0700) == 0 && mkdir("root/dir", 0700) == 0 && mkdir("root/dir/sub", 0700) == 0 &&
          mkdir("outside", 0700) == 0);
    put("root/a");
    put("root/dir/b");
    put("outside/secret");
    CHECK(symlink("dir/b", "root/to_b") == 0 && symlink("../a", "root/dir/to_a") == 0 &&
          symlink("dir", "root/to_dir") == 0);
    CHECK(symlink("../outside", "root/out") == 0 && symlink("../outside/secret", "root/secret") == 0 &&
          symlink("../root/a", "root/back") == 0);
    CHECK(symlink("loop", "root/loop") == 0 && symlink("sub/../../dir/./sub/..//b", "root/dir/winding") == 0 &&
          symlink("a/", "root/slash") == 0);
    CHECK(symlink("a/..", "root/through_a_file") == 0 && symlink("missing", "root/dangling") == 0 &&
          symlink("to_b", "root/chain") == 0);
    CHECK(symlink("..", "root/up") == 0 && symlink("dir/..", "root/itself") == 0 &&
          symlink("/etc", "root/absolute") == 0);
    CHECK(mkfifo("root/fifo", 0600) == 0);

    CHECK(frugal_beneath_prepare(&stays, "root", false, 1000) && frugal_beneath_prepare(&follows, "root", true, 1000));
    check_open(&stays, "a", "root/a");
    check_open(&stays, "dir/b", "root/dir/b");
    check_open(&follows, "to_b", "root/dir/b");
    check_open(&follows, "chain", "root/dir/b");
    check_open(&follows, "to_dir/to_a", "root/a");
    check_open(&follows, "dir/winding", "root/dir/b");
    check_open(&follows, "itself/itself/a", "root/a");
    {
        static const char *links[] = { "to_b", "dir/to_a", "to_dir/b", "chain", "itself/a", "dir/winding" };
        static const char *never[] = { "missing",   "dir/missing",
                                       "missing/b", "a/b",
                                       "dir",       "out/secret",
                                       "secret",    "back",
                                       "loop",      "loop/a",
                                       "slash",     "through_a_file/a",
                                       "dangling",  "up/outside/secret",
                                       "up/root/a", "absolute/passwd",
                                       "fifo",      "dir/sub" };

        for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) check_open(&stays, links[i], NULL);
        for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++) {
            check_open(&stays, never[i], NULL);
            check_open(&follows, never[i], NULL);
        }
    }
    {
        char text[5000];

        memset(text, 'x', sizeof(text));
        text[4999] = '\0';
        CHECK(frugal_beneath_open(&stays, text, &st) == -1 && errno == ENAMETOOLONG);
        CHECK(frugal_beneath_open_stepwise(AT_FDCWD, text, false, FLAGS) == -1 && errno == ENAMETOOLONG);
        for (size_t i = 1; i < 4094; i += 2) text[i] = '/';
        text[4094] = '\0';
        CHECK(frugal_beneath_open(&stays, text, &st) == -1 && errno == ENOENT);
    }
    frugal_beneath_free(&stays);
    frugal_beneath_free(&follows);
}

/* The root may be created later, be replaced, have its descriptor closed by other code, or be unreadable. */
static void
check_root(void)
{
    frugal_beneath beneath, slow_to_check;
    struct stat st;
    int fd, number;

    CHECK(frugal_beneath_prepare(&beneath, "later", false, 0) &&
          frugal_beneath_prepare(&slow_to_check, "later", false, 1000000));
    CHECK(frugal_beneath_open(&beneath, "file", &st) == -1 && errno == ENOENT);
    CHECK(mkdir("later", 0300) == 0 && mkdir("another", 0700) == 0);
    put("later/file");
    put("another/file");
    put("another/only");
    check_open(&beneath, "only", NULL);
    CHECK((fd = frugal_beneath_open(&slow_to_check, "file", &st)) >= 0 && close(fd) == 0);
    CHECK((fd = frugal_beneath_open(&beneath, "file", &st)) >= 0 && close(fd) == 0);
    number = atomic_load(&beneath.fd);

    CHECK(rename("later", "elsewhere") == 0);
    CHECK(frugal_beneath_open(&beneath, "file", &st) == -1 && errno == ENOENT);
    CHECK((fd = frugal_beneath_open(&slow_to_check, "file", &st)) >= 0 && close(fd) == 0);
    CHECK(rename("another", "later") == 0);
    check_open(&beneath, "only", "later/only");
    CHECK(atomic_load(&beneath.fd) == number && (fcntl(number, F_GETFD) & FD_CLOEXEC));

    CHECK(chmod("elsewhere", 0700) == 0); /* only the superuser may read it with its old mode */
    CHECK(close(number) == 0 &&
          open("elsewhere", O_RDONLY | O_DIRECTORY) == number); /* the number belongs to another directory now */
    CHECK(rename("later", "another") == 0 && mkdir("later", 0700) == 0);
    put("later/third");
    check_open(&beneath, "third", "later/third");
    CHECK(fstat(number, &st) == 0 && atomic_load(&beneath.fd) != number && close(number) == 0);
    frugal_beneath_free(&beneath);
    frugal_beneath_free(&slow_to_check);

    CHECK(frugal_beneath_prepare(&beneath, "later/third", false, 0));
    CHECK(frugal_beneath_open(&beneath, "file", &st) == -1 && errno == ENOTDIR);
    frugal_beneath_free(&beneath);
}

static unsigned seed = 1;

static unsigned
random_below(unsigned limit)
{
    return (unsigned)rand_r(&seed) % limit;
}

static void
random_path(char *path, bool dots)
{
    static const char *names[] = { "a", "b", "c", "a", "b", "c", "..", ".", "", "../.." };
    unsigned count = 1 + random_below(5);

    *path = '\0';
    for (unsigned i = 0; i < count; i++) {
        if (i > 0) strcat(path, "/");
        strcat(path, names[random_below(dots ? 10 : 3)]);
    }
}

static void
random_tree(int root)
{
    char path[128], text[128];

    for (int i = 0; i < 30; i++) {
        random_path(path, false);
        random_path(text, true);
        switch (random_below(3)) {
        case 0: mkdirat(root, path, 0700); break;
        case 1:
            if (*text) symlinkat(text, root, path);
            break;
        default: {
            int fd = openat(root, path, O_CREAT | O_WRONLY | O_NOFOLLOW | O_EXCL, 0600);

            if (fd >= 0) close(fd);
        }
        }
    }
}

/* If openat2 opens a file, opening stepwise opens the same file, and vice versa. */
static void
check_random_trees(void)
{
    int same = 0;

    CHECK(mkdir("random", 0700) == 0);
    for (int tree = 0; tree < TREES; tree++) {
        char name[64], path[128];
        frugal_beneath beneath;
        int root;

        snprintf(name, sizeof(name), "random/%d", tree);
        CHECK(mkdir(name, 0700) == 0 && (root = open(name, O_RDONLY | O_DIRECTORY)) >= 0);
        random_tree(root);
        CHECK(frugal_beneath_prepare(&beneath, name, tree % 4 != 0, 1000000));
        for (int attempt = 0; attempt < PATHS; attempt++) {
            struct stat one, other;
            int kernel, steps;

            random_path(path, false);
            kernel = frugal_beneath_open(&beneath, path, &one);
            steps = frugal_beneath_open_stepwise(root, path, beneath.follow, FLAGS);
            if (steps >= 0 && fstat(steps, &other) == 0 && !S_ISREG(other.st_mode)) {
                CHECK(close(steps) == 0);
                steps = -1;
            }
            CHECK((kernel >= 0) == (steps >= 0));
            if (kernel < 0) continue;
            CHECK(one.st_ino == other.st_ino);
            CHECK(close(kernel) == 0 && close(steps) == 0);
            same++;
        }
        frugal_beneath_free(&beneath);
        CHECK(close(root) == 0);
    }
    CHECK(same > TREES);
}

static atomic_bool done;

static void *
open_until_done(void *arg)
{
    struct stat st;

    while (!atomic_load(&done)) {
        int fd = frugal_beneath_open(arg, "file", &st);

        if (fd >= 0) CHECK(st.st_size == 11 && close(fd) == 0);
    }
    return NULL;
}

/* Several threads open files while the root is swapped. */
static void
check_threads(void)
{
    frugal_beneath beneath;
    pthread_t threads[3];

    CHECK(mkdir("one", 0700) == 0 && mkdir("two", 0700) == 0);
    put("./one//file");
    put("./two//file");
    CHECK(frugal_beneath_prepare(&beneath, "here", false, 0));
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, open_until_done, &beneath) == 0);
    for (int i = 0; i < 300; i++) {
        CHECK(rename(i % 2 ? "two" : "one", "here") == 0);
        CHECK(rename("here", i % 2 ? "two" : "one") == 0);
    }
    atomic_store(&done, true);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    frugal_beneath_free(&beneath);
}

int
main(void)
{
    check_links();
    check_root();
    check_random_trees();
    check_threads();
    return 0;
}
