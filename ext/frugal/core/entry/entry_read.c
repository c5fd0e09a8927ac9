/* Reads an entry's file. */
#include "core/entry/entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One pread(2), and another one only if a signal came. Appends to `bytes`, which has space for `room`. */
static bool
read_part(frugal_entry_file *file, size_t room)
{
    ssize_t got;

    do {
        got = pread(file->fd, file->bytes + file->used, room - file->used, (off_t)file->used);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        file->error = errno;
        return false;
    }
    file->used += (size_t)got;
    return true;
}

/* Reads what follows the first bytes. */
static void
read_rest(frugal_entry_file *file)
{
    struct stat st;
    unsigned char *bytes;

    if (fstat(file->fd, &st) != 0) {
        file->error = errno;
        return;
    }
    if (st.st_size <= (off_t)file->used || st.st_size > (off_t)file->largest) return;
    bytes = malloc((size_t)st.st_size);
    if (bytes == NULL) {
        file->error = ENOMEM;
        return;
    }
    memcpy(bytes, file->first, file->used);
    file->bytes = bytes;
    read_part(file, (size_t)st.st_size);
}

void
frugal_entry_read(frugal_entry_file *file)
{
    file->bytes = file->first;
    file->used = 0;
    file->error = 0;
    if (read_part(file, sizeof(file->first)) && file->used == sizeof(file->first)) read_rest(file);
    close(file->fd);
    file->fd = -1;
}

void
frugal_entry_free(frugal_entry_file *file)
{
    if (file->bytes != file->first) free(file->bytes);
    file->bytes = file->first;
}
