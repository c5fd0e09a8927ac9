/* Run in an empty directory. Creates, removes and copies directories. */
#include "core/fileutils/dir_chain.h"
#include "core/fileutils/tree_copy.h"
#include "core/fileutils/tree_remove.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static void
put(const char *path, const char *content, mode_t mode)
{
    int fd = open(path, O_CREAT | O_WRONLY, mode);

    CHECK(fd >= 0 && write(fd, content, strlen(content)) == (ssize_t)strlen(content) && close(fd) == 0);
}

static bool
holds(const char *path, const char *content)
{
    char bytes[64];
    int fd = open(path, O_RDONLY);
    ssize_t size = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));

    if (fd >= 0) close(fd);
    return size == (ssize_t)strlen(content) && memcmp(bytes, content, (size_t)size) == 0;
}

static bool
exists(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0;
}

static bool
made(const char *path, mode_t mode, bool exact)
{
    char copy[256];
    bool done;

    snprintf(copy, sizeof(copy), "%s", path);
    done = frugal_fileutils_chain_make(copy, strlen(copy), mode, exact);
    CHECK(strcmp(copy, path) == 0);
    return done;
}

static void
test_chain(void)
{
    struct stat st;

    CHECK(made("one", 0777, false) && exists("one"));
    CHECK(made("one/a//b///c/", 0777, false) && exists("one/a/b/c"));
    umask(077);
    CHECK(made("./exact/b", 0751, true) && stat("exact", &st) == 0 && (st.st_mode & 0777) == 0751);
    umask(022);
    put("file", "", 0644);
    CHECK(!made("file/a/b", 0777, false));
    CHECK(symlink("nowhere", "dangling") == 0 && !made("dangling/a", 0777, false) && !exists("nowhere"));
    CHECK(made("one/x/../y", 0777, false) && exists("one/y"));
}

static frugal_remove_result
removed(const char *path, bool force, bool skip, bool (*interrupted)(void *))
{
    frugal_tree_remove remove;
    frugal_remove_result end;

    CHECK(frugal_fileutils_remove_init(&remove, path, strlen(path)));
    remove.force = force;
    remove.skip = skip;
    remove.stop.interrupted = interrupted;
    while ((end = frugal_fileutils_remove_run(&remove)) == FRUGAL_REMOVE_STOPPED) continue;
    frugal_fileutils_remove_free(&remove);
    return end;
}

static void
make_tree(const char *root)
{
    char path[300];

    CHECK(mkdir(root, 0755) == 0);
    for (int i = 0; i < 200; i++) {
        snprintf(path, sizeof(path), "%s/%d", root, i);
        if (i % 10 == 0) {
            CHECK(mkdir(path, 0755) == 0);
            snprintf(path, sizeof(path), "%s/%d/inside", root, i);
        }
        put(path, i % 3 ? "content" : "", i % 7 ? 0644 : 0444);
    }
    snprintf(path, sizeof(path), "%s/link", root);
    CHECK(symlink("../outside", path) == 0);
}

/* Each call replaces a directory, which was listed and not yet entered, with a link, or removes it. */
static const char *swapped_for;
static int swaps;

static bool
swap(void *host)
{
    (void)host;
    for (int i = 0; i < 200; i += 10) {
        char path[64], away[64];

        snprintf(path, sizeof(path), "swapped/%d", i);
        snprintf(away, sizeof(away), "away%d", swaps);
        if (rename(path, away) == 0) {
            CHECK(swapped_for == NULL || symlink(swapped_for, path) == 0);
            swaps++;
            break;
        }
    }
    return false;
}

static bool
each_time(void *host)
{
    return host == NULL;
}

static void
test_remove(void)
{
    char deep[FRUGAL_REMOVE_LEVELS * 2 + 20] = "deep";

    CHECK(mkdir("outside", 0755) == 0);
    put("outside/kept", "content", 0644);

    make_tree("tree");
    CHECK(removed("tree", false, false, NULL) == FRUGAL_REMOVE_DONE && !exists("tree"));
    make_tree("tree");
    CHECK(removed("tree/", false, false, each_time) == FRUGAL_REMOVE_DONE && !exists("tree"));
    CHECK(symlink("outside", "link") == 0);
    CHECK(removed("link/", true, true, NULL) == FRUGAL_REMOVE_HANDED_OVER && exists("link"));
    CHECK(removed("link", false, false, NULL) == FRUGAL_REMOVE_DONE && !exists("link"));
    CHECK(removed("link", true, false, NULL) == FRUGAL_REMOVE_DONE);
    CHECK(removed("link", false, false, NULL) == FRUGAL_REMOVE_HANDED_OVER);
    CHECK(removed("file/a", true, false, NULL) == FRUGAL_REMOVE_DONE);

    /* None of these is handed over to the caller, who would follow a link. */
    for (int turn = 0; turn < 4; turn++) {
        int before = swaps;

        make_tree("swapped");
        swapped_for = turn % 2 == 0 ? "../outside" : NULL;
        CHECK(removed("swapped", turn < 2, true, swap) == FRUGAL_REMOVE_DONE && !exists("swapped"));
        CHECK(swaps > before && holds("outside/kept", "content"));
    }

    for (int i = 0; i < FRUGAL_REMOVE_LEVELS + 1; i++) {
        CHECK(mkdir(deep, 0755) == 0);
        strcat(deep, "/d");
    }
    CHECK(removed("deep", true, true, NULL) == FRUGAL_REMOVE_HANDED_OVER && exists("deep/d/d"));
    CHECK(removed("deep/d", true, true, NULL) == FRUGAL_REMOVE_DONE && !exists("deep/d") && exists("deep"));
}

/* Copies, and returns how many entries were handed over; `path` becomes the last of them. */
static int
copied(const char *from, const char *to, bool (*interrupted)(void *), char *path)
{
    frugal_tree_copy copy;
    frugal_copy_result end;
    int handed = 0;

    CHECK(frugal_fileutils_copy_init(&copy, from, to));
    copy.stop.interrupted = interrupted;
    while ((end = frugal_fileutils_copy_next(&copy)) != FRUGAL_COPY_DONE) {
        if (end != FRUGAL_COPY_HANDED_OVER) continue;
        handed++;
        if (path != NULL) strcpy(path, copy.path);
    }
    frugal_fileutils_copy_free(&copy);
    return handed;
}

static void
test_copy(void)
{
    char path[4096], target[64] = "";
    struct stat st;

    make_tree("from");
    CHECK(copied("from", "to", NULL, NULL) == 0 && holds("to/1", "content") && holds("to/0/inside", "") &&
          exists("to/199"));
    CHECK(stat("to/7", &st) == 0 && (st.st_mode & 0777) == 0444);
    CHECK(readlink("to/link", target, sizeof(target)) == 10 && memcmp(target, "../outside", 10) == 0);
    CHECK(copied("from", "again", each_time, NULL) == 0 && holds("again/190/inside", "content") &&
          exists("again/link"));

    /* Existing targets: a regular file is overwritten; a FIFO, a link and the source itself are handed over. */
    put("from/other", "new", 0600);
    put("to/other", "longer before", 0644);
    CHECK(unlink("to/1") == 0 && mkfifo("to/1", 0600) == 0 && unlink("to/2") == 0 && link("from/2", "to/2") == 0);
    CHECK(unlink("to/4") == 0 && symlink("nowhere", "to/4") == 0);
    CHECK(chmod("to/7", 0644) == 0);
    CHECK(copied("from", "to", NULL, path) >= 4 && holds("to/other", "new") && holds("from/2", "content") &&
          !exists("to/nowhere"));

    CHECK(copied("from/other", "single", NULL, NULL) == 0 && holds("single", "new"));
    CHECK(copied("missing", "nothing", NULL, path) == 1 && path[0] == '\0' && !exists("nothing"));
    CHECK(copied("from/0", "single", NULL, path) == 1 && holds("single", "new"));
    CHECK(mkdir("pipes", 0755) == 0 && mkfifo("pipes/one", 0644) == 0);
    CHECK(copied("pipes", "piped", NULL, path) == 1 && strcmp(path, "one") == 0 && !exists("piped/one"));
    CHECK(copied("deep", "deeper", NULL, NULL) == 0 && exists("deeper"));
}

/* More levels than may be open: the rest is handed over. */
static void
test_copy_limits(void)
{
    char deep[FRUGAL_COPY_LEVELS * 2 + 20] = "levels", path[4096];

    for (int i = 0; i < FRUGAL_COPY_LEVELS + 1; i++) {
        CHECK(mkdir(deep, 0755) == 0);
        strcat(deep, "/d");
    }
    CHECK(copied("levels", "levels2", NULL, path) == 1 && strlen(path) == FRUGAL_COPY_LEVELS * 2 - 1);
}

static void
test_without_descriptors(void)
{
    int fds[256], count = 0, last, handed;
    struct rlimit few;
    char path[4096];

    CHECK(mkdir("few", 0755) == 0 && mkdir("few/d", 0755) == 0);
    put("few/d/f", "x", 0644);
    CHECK(getrlimit(RLIMIT_NOFILE, &few) == 0);
    few.rlim_cur = 200;
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    while (count < 256 && (last = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0) fds[count++] = last;
    CHECK(count > 3 && count < 256 && errno == EMFILE);
    for (int i = 0; i < 3; i++) close(fds[--count]);
    handed = copied("few", "fewer", NULL, path);
    for (int i = 0; i < 3; i++) {
        last = open("/dev/null", O_RDONLY | O_CLOEXEC);
        CHECK(last >= 0);
        fds[count++] = last;
    }
    CHECK(open("/dev/null", O_RDONLY | O_CLOEXEC) < 0);
    CHECK(removed("few", true, true, NULL) == FRUGAL_REMOVE_HANDED_OVER && exists("few/d/f"));
    while (count > 0) close(fds[--count]);
    CHECK(handed == 1 && strcmp(path, "d") == 0);
}

/* A copy is stopped in the middle of a file, and continued; each method of copying is used. */
static void
test_file_in_the_middle(void)
{
    frugal_file_copy file;
    frugal_dir_stop stop;

    put("big", "content", 0644);
    frugal_fileutils_stop_init(&stop);
    frugal_fileutils_file_init(&file);
    CHECK(frugal_fileutils_file_open(&file, AT_FDCWD, "big", AT_FDCWD, "half", true) == 0);
    atomic_store(&stop.cancelled, true);
    CHECK(frugal_fileutils_file_run(&file, &stop) == FRUGAL_FILE_STOPPED);
    atomic_store(&stop.cancelled, false);
    CHECK(frugal_fileutils_file_run(&file, &stop) == FRUGAL_FILE_COPIED && holds("half", "content"));
    for (int method = 0; method < 3; method++) {
        file.method = method;
        CHECK(frugal_fileutils_file_open(&file, AT_FDCWD, "big", AT_FDCWD, "half", false) == 0);
        CHECK(frugal_fileutils_file_run(&file, &stop) == FRUGAL_FILE_COPIED && holds("half", "content") &&
              file.method >= method);
    }
    CHECK(frugal_fileutils_file_open(&file, AT_FDCWD, "big", AT_FDCWD, "half", true) == EEXIST);
    CHECK(frugal_fileutils_file_open(&file, AT_FDCWD, "half", AT_FDCWD, "half", false) == EEXIST &&
          holds("half", "content"));
    CHECK(frugal_fileutils_file_open(&file, AT_FDCWD, "big", AT_FDCWD, "other", true) == 0);
    frugal_fileutils_file_close(&file);
}

int
main(void)
{
    umask(022);
    test_chain();
    test_remove();
    test_copy();
    test_copy_limits();
    test_file_in_the_middle();
    test_without_descriptors();
    return 0;
}
