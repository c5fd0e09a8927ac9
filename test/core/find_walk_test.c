/* Run in an empty directory. */
#include "core/find/find_walk.h"
#include "core/find/cwd_changes.h"

#include <string.h>

#include "check.h"

#ifdef __linux__

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void
touch(const char *path)
{
    int fd = open(path, O_CREAT | O_WRONLY, 0666);

    CHECK(fd >= 0);
    close(fd);
}

/* Continues the walk, which must yield these paths in this order. */
static void
expect(frugal_find_walk *walk, const char *const *paths)
{
    size_t prefix_length;
    int found;

    for (; *paths != NULL; paths++) {
        found = frugal_find_glance(walk);
        if (found == FRUGAL_FIND_UNKNOWN) found = frugal_find_enter(walk);
        CHECK(found == FRUGAL_FIND_NOTHING || found == FRUGAL_FIND_ENTERED);
        CHECK(frugal_find_next(walk, &prefix_length));
        CHECK(strcmp(walk->path, *paths) == 0 && walk->length == strlen(*paths));
        CHECK(prefix_length <= walk->length && walk->path[prefix_length - 1] == '/');
    }
}

static void
expect_end(frugal_find_walk *walk)
{
    size_t prefix_length;

    if (frugal_find_glance(walk) == FRUGAL_FIND_UNKNOWN) frugal_find_enter(walk);
    CHECK(!frugal_find_next(walk, &prefix_length));
}

static void
test_order_and_replaced_entries(size_t watch_after)
{
    static const char *const start[] = { "t/a", "t/a/x", "t/b", NULL };
    static const char *const replaced[] = { "t/b/new", "t/c", "t/d", NULL };
    frugal_find_walk walk;

    mkdir("t", 0777);
    mkdir("t/a", 0777);
    touch("t/a/x");
    touch("t/b");
    touch("t/d");
    CHECK(symlink("a", "t/c") == 0);
    frugal_find_begin(&walk, watch_after);
    CHECK(frugal_find_root(&walk, "t", 1));
    expect(&walk, start);
    CHECK(walk.watching == (watch_after == 0));
    CHECK(unlink("t/b") == 0 && mkdir("t/b", 0777) == 0);
    touch("t/b/new");
    expect(&walk, replaced);
    /* The root itself is replaced: t is now another directory. */
    CHECK(rename("t", "away") == 0 && mkdir("t", 0777) == 0 && mkdir("t/d", 0777) == 0);
    touch("t/d/y");
    expect(&walk, (const char *const[]){ "t/d/y", NULL });
    expect_end(&walk);
    frugal_find_free(&walk);
    CHECK(unlink("t/d/y") == 0 && rmdir("t/d") == 0 && rmdir("t") == 0);
    CHECK(unlink("away/a/x") == 0 && rmdir("away/a") == 0 && unlink("away/b/new") == 0 && rmdir("away/b") == 0);
    CHECK(unlink("away/c") == 0 && unlink("away/d") == 0 && rmdir("away") == 0);
}

static void
test_an_error_is_ignored_or_left_to_stock(void)
{
    frugal_find_walk walk;

    frugal_find_begin(&walk, 0);
    CHECK(frugal_find_root(&walk, "missing", 7));
    CHECK(frugal_find_glance(&walk) == FRUGAL_FIND_UNKNOWN);
    CHECK(frugal_find_enter(&walk) == FRUGAL_FIND_NOTHING);
    walk.raising = true;
    CHECK(frugal_find_enter(&walk) == FRUGAL_FIND_STOCK);
    frugal_find_free(&walk);
}

/* The walk is left while levels are open, and begins again. */
static void
test_a_walk_that_is_left(void)
{
    frugal_find_walk walk;

    mkdir("t", 0777);
    mkdir("t/a", 0777);
    mkdir("t/a/b", 0777);
    touch("t/a/b/c");
    frugal_find_begin(&walk, 0);
    for (int i = 0; i < 3; i++) {
        CHECK(frugal_find_root(&walk, "t", 1));
        expect(&walk, (const char *const[]){ "t/a", "t/a/b", "t/a/b/c", NULL });
        CHECK(walk.depth == 3);
    }
    frugal_find_free(&walk);
    CHECK(unlink("t/a/b/c") == 0 && rmdir("t/a/b") == 0 && rmdir("t/a") == 0 && rmdir("t") == 0);
}

/* A relative walk notices a change of the working directory at once. "b" is a file here, and a directory there. */
static void
test_change_of_the_working_directory(void)
{
    frugal_find_walk walk;

    CHECK(mkdir("here", 0777) == 0 && mkdir("there", 0777) == 0 && mkdir("there/b", 0777) == 0);
    touch("here/a");
    touch("here/b");
    touch("there/b/x");
    CHECK(chdir("here") == 0);
    frugal_find_begin(&walk, 0);
    CHECK(frugal_find_root(&walk, ".", 1));
    expect(&walk, (const char *const[]){ "./a", "./b", NULL });
    CHECK(chdir("../there") == 0);
    frugal_find_count_cwd_change();
    expect(&walk, (const char *const[]){ "./b/x", NULL });
    expect_end(&walk);
    frugal_find_free(&walk);
    CHECK(chdir("..") == 0);
    CHECK(unlink("here/a") == 0 && unlink("here/b") == 0 && rmdir("here") == 0);
    CHECK(unlink("there/b/x") == 0 && rmdir("there/b") == 0 && rmdir("there") == 0);
}

int
main(void)
{
    test_order_and_replaced_entries(0);
    test_order_and_replaced_entries(SIZE_MAX);
    test_an_error_is_ignored_or_left_to_stock();
    test_a_walk_that_is_left();
    test_change_of_the_working_directory();
    frugal_find_trust_cwd_count();
    test_change_of_the_working_directory();
    return 0;
}

#else

int
main(void)
{
    CHECK(FRUGAL_FIND_NOTHING == 0);
    return 0;
}

#endif
