/* Run in an empty directory. */
#include "core/probe/dir_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "descriptors.h"
#include "memory.h"

/* Checks for the same names in the same order as from readdir. Returns how many there are. */
static int
check_against_readdir(const frugal_dir_names *dir, const char *path)
{
    DIR *stream = opendir(path);
    struct dirent *entry;
    size_t at = 0;
    int count = 0;

    CHECK(stream != NULL);
    while ((entry = readdir(stream)) != NULL) {
        CHECK(at < dir->used && strcmp(dir->names + at, entry->d_name) == 0);
        at += strlen(entry->d_name) + 1;
        count++;
    }
    CHECK(at == dir->used);
    closedir(stream);
    return count;
}

static bool
once(void *host)
{
    return ++*(int *)host == 1;
}

int
main(void)
{
    int asked = 0;
    frugal_dir_names dir;
    char name[260];

    CHECK(mkdir("many", 0700) == 0);
    for (int i = 0; i < 2000; i++) {
        int fd;

        snprintf(name, sizeof(name), "many/%0*d", 1 + i % 250, i);
        fd = open(name, O_CREAT | O_WRONLY, 0600);
        CHECK(fd >= 0 && close(fd) == 0);
    }

    frugal_probe_names_init(&dir);
    CHECK(frugal_probe_names_open(&dir, "many") && dir.error == 0);
    CHECK(frugal_probe_names_read(&dir));
    CHECK(dir.fd == -1);
    CHECK(check_against_readdir(&dir, "many") > 1000);
    frugal_probe_names_free(&dir);

    /* A cancelled read keeps its names, and the next one continues. */
    frugal_probe_names_init(&dir);
    CHECK(frugal_probe_names_open(&dir, "many") && dir.error == 0);
    frugal_probe_names_cancel(&dir);
    CHECK(!frugal_probe_names_read(&dir) && dir.error == 0);
    frugal_probe_names_resume(&dir);
    CHECK(frugal_probe_names_read(&dir));
    check_against_readdir(&dir, "many");
    frugal_probe_names_free(&dir);

    /* A host with `interrupted`. */
    frugal_probe_names_init(&dir);
    CHECK(frugal_probe_names_open(&dir, "many") && dir.error == 0);
    dir.interrupted = once;
    dir.host = &asked;
    CHECK(!frugal_probe_names_read(&dir) && dir.error == 0 && dir.used > 0);
    frugal_probe_names_resume(&dir);
    CHECK(frugal_probe_names_read(&dir) && asked > 1);
    check_against_readdir(&dir, "many");
    frugal_probe_names_free(&dir);

    /* Memory runs out in the middle of a batch; the next read succeeds. */
    for (unsigned allocation = 1; allocation < 4; allocation++) {
        frugal_probe_names_init(&dir);
        CHECK(frugal_probe_names_open(&dir, "many"));
        fail_allocation(allocation);
        CHECK(!frugal_probe_names_read(&dir) && dir.error == ENOMEM);
        CHECK(frugal_probe_names_read(&dir));
        check_against_readdir(&dir, "many");
        frugal_probe_names_free(&dir);
    }

    /* Freed before the end, it closes its descriptor. */
    int before = descriptors();
    frugal_probe_names_init(&dir);
    CHECK(frugal_probe_names_open(&dir, "many") && dir.error == 0);
    frugal_probe_names_cancel(&dir);
    CHECK(!frugal_probe_names_read(&dir) && dir.fd >= 0);
    CHECK((fcntl(dir.fd, F_GETFD) & FD_CLOEXEC) != 0 && descriptors() == before + 1);
    frugal_probe_names_free(&dir);
    CHECK(before > 0 && descriptors() == before);

    frugal_probe_names_init(&dir);
    CHECK(!frugal_probe_names_open(&dir, "missing") && dir.error == ENOENT);
    CHECK(!frugal_probe_names_open(&dir, name) && dir.error == ENOTDIR);
    frugal_probe_names_free(&dir);
    return 0;
}
