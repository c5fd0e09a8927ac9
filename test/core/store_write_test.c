/* Run in an empty directory. */
#include "core/store/store_write.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "core/store/store_stamps.h"

static int
open_with(const char *path, const char *content, size_t size)
{
    int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);

    CHECK(fd >= 0 && pwrite(fd, content, size, 0) == (ssize_t)size);
    return fd;
}

static bool
holds(int fd, const char *content, size_t size)
{
    char *found = malloc(size + 1);
    bool same = pread(fd, found, size + 1, 0) == (ssize_t)size && memcmp(found, content, size) == 0;

    free(found);
    return same;
}

/* A write of the complete content. */
static frugal_store_write
write_all(int fd, const char *old, size_t old_size, const char *fresh, size_t fresh_size)
{
    struct stat st;

    CHECK(fstat(fd, &st) == 0);
    return (frugal_store_write){ .fd = fd,
                                 .old = old,
                                 .old_size = old_size,
                                 .fresh = fresh,
                                 .fresh_size = fresh_size,
                                 .file_size = old_size,
                                 .final_size = fresh_size,
                                 .allocated = (int64_t)st.st_blocks * 512 };
}

/* Every pair of contents of these sizes, with the old one given and not. */
static void
check_sizes(void)
{
    static const size_t sizes[] = { 0, 1, 5, 4095, 4096, 4097, 9000, 20000 };
    enum { COUNT = sizeof(sizes) / sizeof(*sizes) };
    char *old = malloc(20000), *fresh = malloc(20000);

    for (int i = 0; i < COUNT * COUNT * 4; i++) {
        size_t from = sizes[i % COUNT], to = sizes[i / COUNT % COUNT];
        int variant = i / COUNT / COUNT, fd;
        frugal_store_write write;

        memset(old, 'o', 20000);
        memset(fresh, variant & 1 ? 'f' : 'o', 20000);
        if (to > 2) fresh[to / 2] = 'x';
        fd = open_with("file", old, from);
        write = write_all(fd, variant & 2 ? NULL : old, from, fresh, to);
        if (variant & 2) write.old_size = 0;
        CHECK(frugal_store_write_run(&write) && write.error == 0);
        CHECK(holds(fd, fresh, to));
        CHECK(write.after.st_size == (off_t)to);
        close(fd);
    }
    free(old);
    free(fresh);
}

static void
check_a_part(void)
{
    int fd = open_with("file", "0123456789", 10);
    frugal_store_write write = {
        .fd = fd, .fresh = "abc", .fresh_size = 3, .base = 4, .file_size = 10, .final_size = 10, .allocated = 4096
    };

    CHECK(frugal_store_write_run(&write) && holds(fd, "0123abc789", 10));
    write.final_size = 7;
    CHECK(frugal_store_write_run(&write) && holds(fd, "0123abc", 7));
    write = (frugal_store_write){ .fd = fd, .fresh = "", .base = 7, .file_size = 7, .final_size = 3 };
    CHECK(frugal_store_write_run(&write) && holds(fd, "012", 3));
    /* The bytes that are cut off are overwritten first. */
    write = (frugal_store_write){ .fd = fd, .fresh = "x\n\n", .fresh_size = 3, .file_size = 3, .final_size = 1 };
    CHECK(frugal_store_write_run(&write) && holds(fd, "x", 1));
    close(fd);
}

/* With a limit of the file size, writing fails halfway, and the old content is restored. */
static void
check_a_fault(void)
{
    struct rlimit limit = { 8192, RLIM_INFINITY };
    char *old = malloc(16384), *fresh = malloc(16384);
    int fd;
    frugal_store_write write;

    signal(SIGXFSZ, SIG_IGN);
    memset(old, 'o', 16384);
    memset(fresh, 'f', 16384);
    for (int has_old = 0; has_old < 2; has_old++) {
        fd = open_with("file", old, 16384);
        CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
        write = write_all(fd, has_old ? old : NULL, 16384, fresh, 16384);
        if (!has_old) write.old_size = 0;
        CHECK(!frugal_store_write_run(&write) && write.error == EFBIG);
        CHECK(holds(fd, old, 16384));
        close(fd);

        CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY }) == 0);
        fd = open_with("file", old, 5000);
        CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
        write = write_all(fd, old, 5000, fresh, 16384);
        write.allocated = has_old ? 16384 : 0;
        CHECK(!frugal_store_write_run(&write) && write.error == EFBIG);
        CHECK(holds(fd, old, 5000));
        close(fd);
        CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY }) == 0);

        /* Few bytes, across the end of a page. */
        fd = open_with("file", old, 16384);
        CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
        write = (frugal_store_write){ .fd = fd,
                                      .fresh = fresh,
                                      .fresh_size = 200,
                                      .base = 8100,
                                      .file_size = 16384,
                                      .final_size = 16384,
                                      .allocated = 16384 };
        if (has_old) write.old = old, write.old_size = 200;
        CHECK(!frugal_store_write_run(&write) && write.error == EFBIG);
        CHECK(holds(fd, old, 16384));
        close(fd);
        CHECK(setrlimit(RLIMIT_FSIZE, &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY }) == 0);
    }
    free(old);
    free(fresh);
}

static void
check_stamps(void)
{
    int fd = open_with("file", "a", 1);
    struct stat st;
    frugal_identity one, other;
    frugal_sighting sighting = { 0 };

    CHECK(fstat(fd, &st) == 0);
    one = frugal_store_identity_of(&st);
    other = one;
    CHECK(frugal_store_identity_same(&one, &other));
    other.ctime++;
    CHECK(!frugal_store_identity_same(&one, &other) && frugal_store_identity_same_file(&one, &other));
    other.inode++;
    CHECK(!frugal_store_identity_same_file(&one, &other));
    if (sizeof(time_t) == 8) { /* a year whose nanoseconds exceed int64_t */
        struct timespec far = { .tv_sec = (time_t)15000000000 };

        CHECK(futimens(fd, (struct timespec[]){ far, far }) == 0);
        CHECK(fstat(fd, &st) == 0);
        other = frugal_store_identity_of(&st);
        CHECK(!frugal_store_identity_same(&one, &other) && frugal_store_identity_same_file(&one, &other));
    }

    one.mtime = one.ctime = 1000000001;
    CHECK(!frugal_store_identity_proves(&sighting, FRUGAL_TIMES_UNKNOWN, &one));
    CHECK(frugal_store_identity_proves(&sighting, FRUGAL_TIMES_TICKS, &one));
    CHECK(frugal_store_identity_proves(&sighting, FRUGAL_TIMES_EXACT, &one));
    one.ctime = INT64_MAX; /* the future is never two ticks ago */
    CHECK(!frugal_store_identity_proves(&sighting, FRUGAL_TIMES_TICKS, &one));
    CHECK(frugal_store_identity_proves(&sighting, FRUGAL_TIMES_EXACT, &one));
    one.mtime = 1000000001;
    one.ctime = 1000000000; /* exactly a second */
    CHECK(!frugal_store_identity_proves(&sighting, FRUGAL_TIMES_TICKS, &one));
    CHECK(!frugal_store_identity_proves(&sighting, FRUGAL_TIMES_EXACT, &one));
    one.ctime = 1000000001; /* however old it is: the other clock may be behind */
    CHECK(!frugal_store_identity_proves(&sighting, FRUGAL_TIMES_LAYERED, &one));
    CHECK(!frugal_store_identity_proves(&sighting, FRUGAL_TIMES_LAYERED, &one));
    usleep(110000);
    CHECK(frugal_store_identity_proves(&sighting, FRUGAL_TIMES_LAYERED, &one));
    one.ctime++;
    CHECK(!frugal_store_identity_proves(&sighting, FRUGAL_TIMES_LAYERED, &one));
    CHECK(frugal_system_times(-1) == FRUGAL_TIMES_UNKNOWN);
    CHECK(frugal_system_times(fd) == frugal_system_times(fd));
    close(fd);
}

int
main(void)
{
    check_sizes();
    check_a_part();
    check_a_fault();
    check_stamps();
    return 0;
}
