#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* DT_... */
#endif

#include "core/fileutils/dir_level.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/system/system.h"

/* `interrupted` is called once in so many steps. */
#define STEPS_PER_CHECK 64

void
frugal_fileutils_stop_init(frugal_dir_stop *stop)
{
    memset(stop, 0, sizeof(*stop));
    atomic_init(&stop->cancelled, false);
}

bool
frugal_fileutils_stopped(frugal_dir_stop *stop)
{
    if (atomic_load_explicit(&stop->cancelled, memory_order_relaxed)) return true;
    return stop->interrupted != NULL && ++stop->steps % STEPS_PER_CHECK == 0 && stop->interrupted(stop->host);
}

void
frugal_fileutils_level_begin(frugal_dir_level *level, int fd, const char *name)
{
    level->fd = fd;
    level->name = name;
    level->listed = false;
    level->used = level->at = 0;
    level->stream = NULL;
}

static bool
append(frugal_dir_level *level, unsigned char type, const char *name)
{
    size_t size = strlen(name) + 2;

    if (name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'))) return true;
    if (level->room - level->used < size && !FRUGAL_SYSTEM_GROW(level->entries, level->room, size + 1024)) return false;
    level->entries[level->used] = (char)type;
    memcpy(level->entries + level->used + 1, name, size - 1);
    level->used += size;
    return true;
}

#ifdef __linux__

/* Reads one batch. Returns its size, 0 at the end, or -1 with errno set. */
static long
read_batch(frugal_dir_level *level)
{
    _Alignas(frugal_dir_record) char batch[FRUGAL_DIR_BATCH_BYTES];
    long bytes = frugal_system_read_records(level->fd, batch);

    if (bytes < 0 && errno == ENOENT) return 0; /* it was removed after it was opened: empty, as for readdir */
    for (long at = 0; at < bytes;) {
        const frugal_dir_record *record = (const frugal_dir_record *)(batch + at);

        if (!append(level, record->type, record->name)) {
            errno = ENOMEM;
            return -1;
        }
        at += record->size;
    }
    return bytes;
}

static void
close_stream(frugal_dir_level *level)
{
    (void)level;
}

#else

/* The stream gets a duplicate, since the level's own descriptor must stay open for opening other files. */
static long
read_batch(frugal_dir_level *level)
{
    struct dirent *entry;

    if (level->stream == NULL) {
        int fd = dup(level->fd);

        if (fd < 0) return -1;
        if ((level->stream = fdopendir(fd)) == NULL) {
            int error = errno;

            close(fd);
            errno = error;
            return -1;
        }
    }
    errno = 0;
    entry = readdir(level->stream);
    if (entry == NULL) return errno == 0 ? 0 : -1;
    if (append(level, entry->d_type, entry->d_name)) return 1;
    errno = ENOMEM;
    return -1;
}

static void
close_stream(frugal_dir_level *level)
{
    if (level->stream != NULL) closedir(level->stream);
    level->stream = NULL;
}

#endif

int
frugal_fileutils_level_list(frugal_dir_level *level, frugal_dir_stop *stop)
{
    long bytes;

    do {
        if (frugal_fileutils_stopped(stop)) return -1;
        bytes = read_batch(level);
    } while (bytes > 0);
    if (bytes < 0) return errno;
    close_stream(level);
    level->listed = true;
    return 0;
}

bool
frugal_fileutils_level_next(frugal_dir_level *level, frugal_dir_entry *entry)
{
    if (level->at >= level->used) return false;
    entry->type = (unsigned char)level->entries[level->at];
    entry->name = level->entries + level->at + 1;
    level->at += strlen(entry->name) + 2;
    return true;
}

void
frugal_fileutils_level_close(frugal_dir_level *level)
{
    close_stream(level);
    if (level->fd >= 0) close(level->fd);
    level->fd = -1;
}

void
frugal_fileutils_level_free(frugal_dir_level *level)
{
    frugal_fileutils_level_close(level);
    free(level->entries);
    level->entries = NULL;
    level->used = level->room = level->at = 0;
}
