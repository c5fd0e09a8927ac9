#include "dir_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dir_records.h"

void
frugal_dir_names_init(frugal_dir_names *dir)
{
    memset(dir, 0, sizeof(*dir));
    dir->fd = -1;
    atomic_init(&dir->cancelled, false);
}

static bool
append(frugal_dir_names *dir, const char *name)
{
    size_t size = strlen(name) + 1;

    if (dir->room - dir->used < size) {
        size_t room = dir->room * 2 + size + 1024;
        char *names = realloc(dir->names, room);

        if (names == NULL) {
            dir->error = ENOMEM;
            return false;
        }
        dir->names = names;
        dir->room = room;
    }
    memcpy(dir->names + dir->used, name, size);
    dir->used += size;
    return true;
}

/* What is left of a batch is lost: whoever reads on begins anew. */
static void
begin_anew(frugal_dir_names *dir)
{
    dir->used = 0;
#ifdef __linux__
    lseek(dir->fd, 0, SEEK_SET);
#else
    rewinddir(dir->stream);
#endif
}

#ifdef __linux__

/*
 * Reads one batch: its size, 0 at the end, -1 for a failure. opendir would add
 * an fstat, only to choose the size of its buffer.
 */
static long
read_batch(frugal_dir_names *dir)
{
    _Alignas(frugal_dir_record) char batch[FRUGAL_DIR_BATCH_BYTES];
    long bytes = frugal_dir_records_read(dir->fd, batch);

    if (bytes < 0 && errno == ENOENT) return 0; /* removed since it was opened: empty, as readdir says */
    if (bytes < 0) dir->error = errno;
    for (long at = 0; at < bytes;) {
        const frugal_dir_record *record = (const frugal_dir_record *)(batch + at);

        if (!append(dir, record->name)) {
            begin_anew(dir);
            return -1;
        }
        at += record->size;
    }
    return bytes;
}

static void
close_directory(frugal_dir_names *dir)
{
    if (dir->fd >= 0) close(dir->fd);
    dir->fd = -1;
}

#else

static long
read_batch(frugal_dir_names *dir)
{
    struct dirent *entry;

    if (dir->stream == NULL && (dir->stream = fdopendir(dir->fd)) == NULL) {
        dir->error = errno;
        return -1;
    }
    errno = 0;
    entry = readdir(dir->stream);
    if (entry == NULL) {
        dir->error = errno;
        return errno == 0 ? 0 : -1;
    }
    if (append(dir, entry->d_name)) return 1;
    begin_anew(dir);
    return -1;
}

static void
close_directory(frugal_dir_names *dir)
{
    if (dir->stream != NULL) closedir(dir->stream);
    else if (dir->fd >= 0) close(dir->fd);
    dir->stream = NULL;
    dir->fd = -1;
}

#endif

bool
frugal_dir_names_open(frugal_dir_names *dir, const char *path)
{
    dir->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dir->error = dir->fd < 0 ? errno : 0;
    return dir->fd >= 0;
}

bool
frugal_dir_names_read(frugal_dir_names *dir)
{
    long bytes;

    dir->error = 0;
    do {
        if (atomic_load_explicit(&dir->cancelled, memory_order_relaxed)) return false;
        bytes = read_batch(dir);
        if (dir->interrupted != NULL && dir->interrupted(dir->host)) frugal_dir_names_cancel(dir);
    } while (bytes > 0);
    if (bytes < 0) return false;
    close_directory(dir);
    return true;
}

void
frugal_dir_names_cancel(frugal_dir_names *dir)
{
    atomic_store(&dir->cancelled, true);
}

void
frugal_dir_names_resume(frugal_dir_names *dir)
{
    atomic_store(&dir->cancelled, false);
}

void
frugal_dir_names_free(frugal_dir_names *dir)
{
    close_directory(dir);
    free(dir->names);
    dir->names = NULL;
    dir->used = dir->room = 0;
}
