/* Reads one folder: see tree_folder.h. Only on Linux; elsewhere a walk lists each folder. */
#include "core/tree/tree_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef __linux__

#include <dirent.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/system.h"

/* A record has at most 24 + NAME_MAX bytes: the kernel refuses to read into less. */
#define RECORD_MAX_BYTES 512

/* The batch of the last folder. Freeing it each time costs as much as reading a small folder. */
static _Atomic(char *) spare;

static bool
needs_walk(const frugal_tree_folder *folder, long at)
{
    while (at < folder->bytes) {
        const frugal_dir_record *record = (const frugal_dir_record *)(folder->records + at);

        if (record->type == DT_UNKNOWN) return true;
        if (folder->deep && record->type == DT_DIR && record->name[0] != '.') return true;
        at += record->size;
    }
    return false;
}

static void
read_records(frugal_tree_folder *folder)
{
    folder->records = atomic_exchange(&spare, NULL);
    if (folder->records == NULL && (folder->records = malloc(FRUGAL_DIR_BATCH_BYTES)) == NULL) return;
    while (!folder->walk && FRUGAL_DIR_BATCH_BYTES - folder->bytes >= RECORD_MAX_BYTES) {
        long bytes = syscall(SYS_getdents64, folder->fd, folder->records + folder->bytes,
                             FRUGAL_DIR_BATCH_BYTES - folder->bytes);

        if (bytes <= 0) {
            folder->complete = bytes == 0; /* after an error, a walk reads the folder again, and gets the same error */
            return;
        }
        folder->bytes += bytes;
        folder->walk = needs_walk(folder, folder->bytes - bytes);
    }
}

static bool
is_selected(const char *name, size_t length, frugal_tree_text first, frugal_tree_text last)
{
    return name[0] != '.' && length >= first.length + last.length && memcmp(name, first.bytes, first.length) == 0 &&
           memcmp(name + length - last.length, last.bytes, last.length) == 0;
}

static void
insert(frugal_tree_names *names, const char *name, bool sort)
{
    size_t at = names->count++;

    for (; sort && at > 0 && strcmp(name, names->list[at - 1]) < 0; at--) names->list[at] = names->list[at - 1];
    names->list[at] = name;
}

bool
frugal_tree_folder_names(const frugal_tree_folder *folder, frugal_tree_text first, frugal_tree_text last, bool sort,
                         frugal_tree_names *names)
{
    names->count = 0;
    if (!folder->complete || folder->walk) return false;
    for (long at = 0; at < folder->bytes;) {
        const frugal_dir_record *record = (const frugal_dir_record *)(folder->records + at);

        if (is_selected(record->name, strlen(record->name), first, last)) {
            if (names->count == FRUGAL_TREE_FOLDER_NAMES) return false;
            insert(names, record->name, sort);
        }
        at += record->size;
    }
    return true;
}

static void
free_records(frugal_tree_folder *folder)
{
    if (folder->records != NULL) free(atomic_exchange(&spare, folder->records));
}

#else

static void
read_records(frugal_tree_folder *folder)
{
}

bool
frugal_tree_folder_names(const frugal_tree_folder *folder, frugal_tree_text first, frugal_tree_text last, bool sort,
                         frugal_tree_names *names)
{
    return false;
}

static void
free_records(frugal_tree_folder *folder)
{
}

#endif

void
frugal_tree_folder_read(frugal_tree_folder *folder)
{
    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0) {
        folder->error = errno;
    }
    else {
        read_records(folder);
    }
}

void
frugal_tree_folder_close(frugal_tree_folder *folder)
{
    if (folder->fd >= 0) close(folder->fd);
    folder->fd = -1;
    free_records(folder);
    folder->records = NULL;
}
