/* Kept bytecode: what is written is read again, and nothing else is; damaged, foreign and old files; folders. */
#include "core/boot/boot.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "core/entry/entry.h"

static const char witness[] = "witness of the source";

static void
fill(unsigned char *code, size_t size)
{
    for (size_t i = 0; i < size; i++) code[i] = (unsigned char)(i * 7 + i / 256);
}

static bool
reads(const char *path, const void *code, size_t size)
{
    frugal_boot_entry entry;
    bool same;

    if (!frugal_boot_read(path, witness, sizeof(witness), &entry)) return false;
    same = entry.size == size && memcmp(entry.code, code, size) == 0;
    free(entry.bytes);
    return same;
}

static off_t
size_of(const char *path)
{
    struct stat st;

    CHECK(stat(path, &st) == 0);
    return st.st_size;
}

static void
test_what_is_written_is_read(void)
{
    static unsigned char code[70000];
    frugal_boot_entry entry;
    const size_t sizes[] = { 0, 1, 4096, sizeof(code) };

    fill(code, sizeof(code));
    for (size_t i = 0; i < 4; i++) {
        CHECK(frugal_boot_write("a/b/c", witness, sizeof(witness), code, sizes[i]) == 0);
        CHECK(reads("a/b/c", code, sizes[i]));
    }
    CHECK(!frugal_boot_read("a/b/c", "another one, as long..", sizeof(witness), &entry));
    CHECK(!frugal_boot_read("a/b/c", witness, sizeof(witness) - 1, &entry));
    CHECK(!frugal_boot_read("a/b/missing", witness, sizeof(witness), &entry));
    CHECK(!frugal_boot_read("a/b", witness, sizeof(witness), &entry));
}

static void
test_damage(void)
{
    unsigned char code[64], byte;
    off_t size;
    int fd;

    fill(code, sizeof(code));
    CHECK(frugal_boot_write("damaged", witness, sizeof(witness), code, sizeof(code)) == 0);
    size = size_of("damaged");
    for (off_t at = 0; at < size; at++) {
        CHECK((fd = open("damaged", O_RDWR)) >= 0);
        CHECK(pread(fd, &byte, 1, at) == 1);
        byte ^= 0x10;
        CHECK(pwrite(fd, &byte, 1, at) == 1);
        CHECK(!reads("damaged", code, sizeof(code)));
        byte ^= 0x10;
        CHECK(pwrite(fd, &byte, 1, at) == 1);
        close(fd);
    }
    CHECK(reads("damaged", code, sizeof(code)));
    for (off_t shorter = size - 1; shorter >= 0; shorter--) {
        CHECK(truncate("damaged", shorter) == 0);
        CHECK(!reads("damaged", code, sizeof(code)));
    }
}

static void
test_foreign_files(void)
{
    CHECK(frugal_boot_write("open", witness, sizeof(witness), "code", 4) == 0);
    CHECK(reads("open", "code", 4));
    CHECK(chmod("open", 0620) == 0 && !reads("open", "code", 4));
    CHECK(chmod("open", 0602) == 0 && !reads("open", "code", 4));
    CHECK(chmod("open", 0600) == 0 && reads("open", "code", 4));
    CHECK(symlink("open", "link") == 0 && !reads("link", "code", 4));
    CHECK(mkfifo("pipe", 0600) == 0 && !reads("pipe", "code", 4));
}

static void
test_what_cannot_be_written(void)
{
    char name[PATH_MAX + 10];

    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    CHECK(frugal_boot_write(name, witness, sizeof(witness), "code", 4) == ENAMETOOLONG);
    CHECK(frugal_boot_write("open/below", witness, sizeof(witness), "code", 4) == ENOTDIR);
    CHECK(frugal_boot_write("/proc/none/x", witness, sizeof(witness), "code", 4) != 0);
    CHECK(frugal_boot_write("large", witness, sizeof(witness), "code", (size_t)1 << 26) == EFBIG);
    CHECK(!frugal_boot_note("open/below") && !frugal_boot_note(name));
}

static void
test_notes(void)
{
    CHECK(!frugal_boot_note("n/o/te"));
    CHECK(frugal_boot_note("n/o/te"));
    CHECK(!frugal_boot_note(""));
}

/* ~/.cache/frugal/boot/ab is made, but no home folder. */
static void
test_missing_folders(void)
{
    char here[PATH_MAX], path[PATH_MAX + 64];

    CHECK(getcwd(here, sizeof(here)));
    snprintf(path, sizeof(path), "%s/home/.cache/frugal/boot/ab/file", here);
    CHECK(!frugal_boot_note(path) && frugal_boot_write(path, witness, sizeof(witness), "code", 4) == ENOENT);
    CHECK(access("home", F_OK) < 0 && mkdir("home", 0700) == 0);
    CHECK(!frugal_boot_note(path) && frugal_boot_note(path));
    CHECK(!frugal_boot_note("one/2/3/4/5/file") && access("one", F_OK) < 0);
    CHECK(mkdir("one", 0700) == 0 && !frugal_boot_note("one/2/3/4/5/file") && frugal_boot_note("one/2/3/4/5/file"));
}

static void
test_sources(void)
{
    frugal_boot_source source;
    char here[PATH_MAX], place[PATH_MAX + 16];
    int fd = open("source.rb", O_WRONLY | O_CREAT, 0600);

    CHECK(fd >= 0 && write(fd, "1\n", 2) == 2 && close(fd) == 0);
    CHECK(symlink("source.rb", "alias.rb") == 0 && getcwd(here, sizeof(here)));
    snprintf(place, sizeof(place), "%s/source.rb", here);
    CHECK(frugal_boot_look("alias.rb", true, &source));
    CHECK(strcmp(source.place, place) == 0 && source.identity.size == 2);
    CHECK(!source.settled); /* it was written a moment ago */
    CHECK(!frugal_boot_look("missing.rb", true, &source));
    CHECK(!frugal_boot_look(".", true, &source));
    CHECK(!frugal_boot_look("pipe", true, &source));
    CHECK(frugal_boot_look("/proc/self/status", true, &source) && !source.settled);
}

static void
test_sweep(void)
{
    const struct timespec old[] = { { 1, 0 }, { 1, 0 } };

    CHECK(frugal_boot_write("cache/00/old", witness, sizeof(witness), "code", 4) == 0);
    CHECK(frugal_boot_write("cache/ff/new", witness, sizeof(witness), "code", 4) == 0);
    CHECK(frugal_boot_write("cache/other/old", witness, sizeof(witness), "code", 4) == 0);
    CHECK(utimensat(AT_FDCWD, "cache/00/old", old, 0) == 0 && utimensat(AT_FDCWD, "cache/other/old", old, 0) == 0);
    frugal_boot_sweep("cache", 60);
    CHECK(access("cache/00/old", F_OK) != 0 && access("cache/ff/new", F_OK) == 0 &&
          access("cache/other/old", F_OK) == 0);
    frugal_boot_sweep("missing", 60);
}

int
main(void)
{
    frugal_entry_init();
    test_what_is_written_is_read();
    test_damage();
    test_foreign_files();
    test_what_cannot_be_written();
    test_notes();
    test_missing_folders();
    test_sources();
    test_sweep();
    return 0;
}
