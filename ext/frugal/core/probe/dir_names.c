#include "core/probe/dir_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/system/system.h"

void
frugal_probe_names_init(frugal_dir_names *dir)
{
    memset(dir, 0, sizeof(*dir));
    dir->fd = -1;
    atomic_init(&dir->cancelled, false);
}

static bool
append(frugal_dir_names *dir, const char *name)
{
    size_t size = strlen(name) + 1;

    if (dir->room - dir->used < size && !FRUGAL_SYSTEM_GROW(dir->names, dir->room, size + 1024)) {
        dir->error = ENOMEM;
        return false;
    }
    memcpy(dir->names + dir->used, name, size);
    dir->used += size;
    return true;
}

/* Starts again from the beginning of the directory: the rest of the batch cannot be read again. */
static void
restart(frugal_dir_names *dir)
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
 * Reads one batch. Returns its size, 0 at the end, -1 on an error. opendir(3) would add an fstat only to choose the
 * size of its buffer.
 */
static long
read_batch(frugal_dir_names *dir)
{
    _Alignas(frugal_dir_record) char batch[FRUGAL_DIR_BATCH_BYTES];
    long bytes = frugal_system_read_records(dir->fd, batch);

    if (bytes < 0 && errno == ENOENT) return 0; /* it was removed after it was opened: empty, as for readdir */
    if (bytes < 0) dir->error = errno;
    for (long at = 0; at < bytes;) {
        const frugal_dir_record *record = (const frugal_dir_record *)(batch + at);

        if (!append(dir, record->name)) {
            restart(dir);
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
    restart(dir);
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
frugal_probe_names_open(frugal_dir_names *dir, const char *path)
{
    dir->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    dir->error = dir->fd < 0 ? errno : 0;
    return dir->fd >= 0;
}

bool
frugal_probe_names_read(frugal_dir_names *dir)
{
    long bytes;

    dir->error = 0;
    do {
        if (atomic_load_explicit(&dir->cancelled, memory_order_relaxed)) return false;
        bytes = read_batch(dir);
        if (dir->interrupted != NULL && dir->interrupted(dir->host)) frugal_probe_names_cancel(dir);
    } while (bytes > 0);
    if (bytes < 0) return false;
    close_directory(dir);
    return true;
}

void
frugal_probe_names_cancel(frugal_dir_names *dir)
{
    atomic_store(&dir->cancelled, true);
}

void
frugal_probe_names_resume(frugal_dir_names *dir)
{
    atomic_store(&dir->cancelled, false);
}

void
frugal_probe_names_free(frugal_dir_names *dir)
{
    close_directory(dir);
    free(dir->names);
    dir->names = NULL;
    dir->used = dir->room = 0;
}
