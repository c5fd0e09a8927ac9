/* Run in an empty directory. */
#include "core/newest/newest.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "descriptors.h"
#include "memory.h"

static const char *const ruby[] = { ".rb" }, *const both[] = { ".html.erb", ".erb" }, *const all[] = { "" };
static const frugal_newest_folder folders[] = {
    { "app", ruby, 1 }, { "app/views", both, 2 }, { "missing", ruby, 1 }, { "app/views", all, 1 }
};
static const char *const files[] = { "routes.rb", "nowhere", "app/a.rb", "routes.rb" };

static void
make(const char *path)
{
    CHECK(mkdir(path, 0700) == 0);
}

static void
touch(const char *path, time_t seconds, long nanoseconds)
{
    struct timespec times[2] = { { 0, 0 }, { seconds, nanoseconds } };
    int fd = open(path, O_CREAT | O_WRONLY, 0600);

    CHECK(fd >= 0 && futimens(fd, times) == 0 && close(fd) == 0);
}

/* Waits longer than a tick of the kernel's clock: from now on the times of existing files are reliable. */
static void
settle(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = 30000000 }, NULL);
}

static frugal_newest_status
ask(frugal_newest *newest)
{
    frugal_newest_status status;

    frugal_newest_begin(newest, (struct timespec){ 5000, 0 });
    frugal_newest_resume(newest);
    status = frugal_newest_run(newest);
    frugal_newest_end(newest);
    return status;
}

static void
check(frugal_newest *newest, size_t count, time_t seconds, long nanoseconds)
{
    CHECK(ask(newest) == FRUGAL_NEWEST_ANSWERED);
    CHECK(newest->count == count);
    CHECK(newest->newest.tv_sec == seconds && newest->newest.tv_nsec == nanoseconds);
}

static void
make_tree(void)
{
    make("app");
    make("app/views");
    make("app/.hidden");
    touch("app/a.rb", 1000, 0);
    touch("app/.b.rb", 4000, 0);
    touch("app/.hidden/c.rb", 4000, 0);
    touch("app/views/d.rb", 1001, 5);
    touch("app/views/e.html.erb", 900, 0);
    touch("app/views/.erb", 4000, 0);
    touch("routes.rb", 800, 0);
}

/* app/a.rb and app/views/d.rb by "app"; e.html.erb twice; d.rb and e.html.erb by "all"; routes.rb twice, a.rb once. */
static void
counts(void)
{
    frugal_newest newest = { .folders = folders, .files = files, .folder_count = 4, .file_count = 4 };

    check(&newest, 9, 1001, 5);
    newest.unique = true;
    check(&newest, 4, 1001, 5);
    frugal_newest_free(&newest);
}

static void
changes(void)
{
    frugal_newest newest = { .folders = folders, .files = files, .folder_count = 4, .file_count = 4, .unique = true };

    settle();
    for (int i = 0; i < 3; i++) check(&newest, 4, 1001, 5); /* the lists are proven */
    touch("routes.rb", 1002, 0);
    check(&newest, 4, 1002, 0);
    touch("app/a.rb", 6000, 0); /* after now */
    check(&newest, 4, 1002, 0);
    touch("nowhere", 1003, 0);
    check(&newest, 5, 1003, 0);
    touch("app/views/f.rb", 1004, 0);
    check(&newest, 6, 1004, 0);
    touch("app/views/g.rb", 1005, 0); /* maybe in the same tick */
    check(&newest, 7, 1005, 0);
    CHECK(unlink("app/views/f.rb") == 0 && unlink("app/views/g.rb") == 0 && unlink("nowhere") == 0);
    check(&newest, 4, 1002, 0);
    settle();
    check(&newest, 4, 1002, 0);
    make("missing");
    touch("missing/h.rb", 1006, 0);
    check(&newest, 5, 1006, 0);
    settle();
    check(&newest, 5, 1006, 0);
    CHECK(rename("missing", "gone") == 0);
    touch("missing", 0, 0);
    check(&newest, 4, 1002, 0);
    CHECK(unlink("missing") == 0 && rename("gone", "missing") == 0);
    check(&newest, 5, 1006, 0);
    CHECK(unlink("missing/h.rb") == 0 && rmdir("missing") == 0);
    check(&newest, 4, 1002, 0);
    frugal_newest_free(&newest);
}

/* Nothing matches, and nothing is watched. */
static void
nothing(void)
{
    frugal_newest newest = { .folders = &folders[2], .folder_count = 1 }, empty = { .folder_count = 0 };

    check(&newest, 0, 0, 0);
    check(&newest, 0, 0, 0);
    check(&empty, 0, 0, 0);
    frugal_newest_free(&newest);
    frugal_newest_free(&empty);
}

/* A link that leads nowhere is listed, and cannot be asked; a loop cannot be opened. */
static void
failures(void)
{
    static const frugal_newest_folder loop[] = { { "loop", ruby, 1 } };
    frugal_newest newest = { .folders = folders, .folder_count = 1 }, around = { .folders = loop, .folder_count = 1 };

    CHECK(symlink("nowhere", "app/dangling.rb") == 0 && symlink("loop", "loop") == 0);
    CHECK(ask(&newest) == FRUGAL_NEWEST_UNKNOWN);
    CHECK(unlink("app/dangling.rb") == 0);
    CHECK(ask(&newest) == FRUGAL_NEWEST_ANSWERED);
    CHECK(ask(&around) == FRUGAL_NEWEST_FAULT && around.error == ELOOP);
    CHECK(unlink("loop") == 0);
    frugal_newest_free(&newest);
    frugal_newest_free(&around);
}

/* A question that ran out of memory has no answer; the next one has. */
static void
without_memory(void)
{
    for (unsigned number = 1, failed = true; failed; number++) {
        frugal_newest newest = {
            .folders = folders, .files = files, .folder_count = 4, .file_count = 4, .unique = true
        };
        frugal_newest_status status;

        fail_allocation(number);
        status = ask(&newest);
        failed = allocation_failed();
        fail_allocation(0);
        CHECK(failed || status == FRUGAL_NEWEST_ANSWERED);
        check(&newest, 4, 1002, 0);
        check(&newest, 4, 1002, 0);
        CHECK(frugal_newest_memory(&newest) > 0);
        frugal_newest_free(&newest);
    }
}

static void *
cancel_often(void *arg)
{
    frugal_newest *newest = arg;

    for (int i = 0; i < 200; i++) {
        frugal_newest_cancel(newest);
        nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
    }
    return NULL;
}

/* A cancelled question continues. */
static void
cancelled(void)
{
    frugal_newest newest = { .folders = folders, .files = files, .folder_count = 4, .file_count = 4, .unique = true };
    pthread_t thread;

    check(&newest, 4, 1002, 0);
    CHECK(pthread_create(&thread, NULL, cancel_often, &newest) == 0);
    for (int i = 0; i < 100; i++) {
        frugal_newest_status status;

        frugal_newest_begin(&newest, (struct timespec){ 5000, 0 });
        do {
            frugal_newest_resume(&newest);
            status = frugal_newest_run(&newest);
        } while (status == FRUGAL_NEWEST_CANCELLED);
        frugal_newest_end(&newest);
        CHECK(status == FRUGAL_NEWEST_ANSWERED && newest.count == 4);
    }
    CHECK(pthread_join(thread, NULL) == 0);
    frugal_newest_begin(&newest, (struct timespec){ 5000, 0 });
    frugal_newest_cancel(&newest);
    CHECK(frugal_newest_run(&newest) == FRUGAL_NEWEST_CANCELLED);
    frugal_newest_end(&newest); /* given up */
    check(&newest, 4, 1002, 0);
    frugal_newest_free(&newest);
}

int
main(void)
{
    int before = descriptors();

    make_tree();
    counts();
    changes();
    nothing();
    failures();
    without_memory();
    cancelled();
    CHECK(descriptors() == before);
    return 0;
}
