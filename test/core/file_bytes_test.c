/* Run in an empty directory. */
#include "core/probe/file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static void
append(const char *path, const char *bytes, size_t size)
{
    int fd = open(path, O_CREAT | O_WRONLY | O_APPEND, 0600);

    CHECK(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0);
}

int
main(void)
{
    char buffer[64];
    frugal_file_bytes file;

    append("file", "0123456789", 10);

    /* A buffer one byte larger than the file: one call reads it completely. */
    frugal_probe_bytes_init(&file);
    CHECK(frugal_probe_bytes_open(&file, "file") && file.size == 10);
    CHECK((fcntl(file.fd, F_GETFD) & FD_CLOEXEC) != 0);
    file.bytes = buffer;
    file.room = 11;
    CHECK(frugal_probe_bytes_read(&file));
    CHECK(file.fd == -1 && file.used == 10 && memcmp(buffer, "0123456789", 10) == 0);

    /* The file grows after fstat, so the buffer fills up. */
    frugal_probe_bytes_init(&file);
    CHECK(frugal_probe_bytes_open(&file, "file"));
    append("file", "abcdefghij", 10);
    file.bytes = buffer;
    file.room = 11;
    CHECK(!frugal_probe_bytes_read(&file) && file.error == 0 && file.used == 11);
    file.room = sizeof(buffer);
    CHECK(frugal_probe_bytes_read(&file));
    CHECK(file.fd == -1 && file.used == 20 && memcmp(buffer, "0123456789abcdefghij", 20) == 0);

    /* The file shrinks after fstat. */
    frugal_probe_bytes_init(&file);
    CHECK(frugal_probe_bytes_open(&file, "file") && file.size == 20);
    CHECK(truncate("file", 5) == 0);
    file.bytes = buffer;
    file.room = 21;
    CHECK(frugal_probe_bytes_read(&file) && file.used == 5);

    /* A file of size 0 is read until the end is reported. */
    frugal_probe_bytes_init(&file);
    CHECK(frugal_probe_bytes_open(&file, "/dev/null") && file.size == 0);
    file.bytes = buffer;
    file.room = sizeof(buffer);
    CHECK(frugal_probe_bytes_read(&file) && file.used == 0);

    frugal_probe_bytes_init(&file);
    CHECK(frugal_probe_bytes_open(&file, ".") && file.size == 0);
    file.bytes = buffer;
    file.room = sizeof(buffer);
    CHECK(!frugal_probe_bytes_read(&file) && file.error == EISDIR && file.fd >= 0);
    frugal_probe_bytes_close(&file);
    CHECK(file.fd == -1);

    CHECK(!frugal_probe_bytes_open(&file, "missing") && file.error == ENOENT && file.fd == -1);
    return 0;
}
