#include "core/probe/file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
frugal_probe_bytes_init(frugal_file_bytes *file)
{
    memset(file, 0, sizeof(*file));
    file->fd = -1;
}

bool
frugal_probe_bytes_open(frugal_file_bytes *file, const char *path)
{
    struct stat st;

    file->error = 0;
    file->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (file->fd < 0 || fstat(file->fd, &st) != 0) {
        file->error = errno;
        return false;
    }
    /* Only the size of a regular file is the number of its bytes; under /proc it is 0. */
    file->size = S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size : 0;
    return true;
}

bool
frugal_probe_bytes_read(frugal_file_bytes *file)
{
    file->error = 0;
    while (file->used < file->room) {
        ssize_t got = read(file->fd, file->bytes + file->used, file->room - file->used);

        if (got < 0) {
            file->error = errno;
            return false;
        }
        file->used += (size_t)got;
        if (got == 0 || (file->size > 0 && file->used == file->size && file->used < file->room)) {
            frugal_probe_bytes_close(file);
            return true;
        }
    }
    return false;
}

void
frugal_probe_bytes_close(frugal_file_bytes *file)
{
    if (file->fd >= 0) close(file->fd);
    file->fd = -1;
}
