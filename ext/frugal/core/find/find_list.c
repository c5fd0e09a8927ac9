#ifdef __linux__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif

#include "core/find/find_level.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/system/system.h"

static uint64_t
sort_key(const char *name)
{
    uint64_t key = 0;

    for (int i = 0; i < 8; i++) {
        key = key << 8 | (unsigned char)*name;
        if (*name != '\0') name++;
    }
    return key;
}

static bool
append(frugal_find_level *level, const frugal_dir_record *record)
{
    size_t size = strlen(record->name) + 1;

    if (level->names_room - level->names_used < size) {
        if (level->names_room * 2 + size + 1024 > UINT32_MAX) return false;
        if (!FRUGAL_SYSTEM_GROW(level->names, level->names_room, size + 1024)) return false;
    }
    if (level->count == level->room && !FRUGAL_SYSTEM_GROW(level->entries, level->room, 64)) return false;
    memcpy(level->names + level->names_used, record->name, size);
    level->entries[level->count].key = sort_key(record->name);
    level->entries[level->count].at = (uint32_t)level->names_used;
    level->entries[level->count].type = record->type;
    level->count++;
    level->names_used += size;
    return true;
}

static bool
is_dot_or_dot_dot(const char *name)
{
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

static int
compare(const void *one, const void *two, void *names)
{
    const frugal_find_entry *a = one, *b = two;

    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return strcmp((char *)names + a->at, (char *)names + b->at);
}

bool
frugal_find_list(frugal_find_level *level, int fd)
{
    _Alignas(frugal_dir_record) char batch[FRUGAL_DIR_BATCH_BYTES];
    long bytes;

    level->count = level->next = level->names_used = 0;
    /* An error ends the list, as it does for Dir.children. */
    while ((bytes = frugal_system_read_records(fd, batch)) > 0) {
        for (long at = 0; at < bytes;) {
            const frugal_dir_record *record = (const frugal_dir_record *)(batch + at);

            at += record->size;
            if (!is_dot_or_dot_dot(record->name) && !append(level, record)) return false;
        }
    }
    if (level->count > 1) qsort_r(level->entries, level->count, sizeof(*level->entries), compare, level->names);
    return true;
}

size_t
frugal_find_index(const frugal_find_level *level, const char *name)
{
    uint64_t key = sort_key(name);
    size_t low = 0, high = level->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const frugal_find_entry *entry = &level->entries[middle];
        int order = entry->key != key ? (entry->key < key ? -1 : 1) : strcmp(level->names + entry->at, name);

        if (order == 0) return middle;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return SIZE_MAX;
}

/* File systems that only this kernel changes. Network file systems (nfs, 9p), fuse and proc are not local. */
static bool
is_local_type(unsigned long type)
{
    switch (type) {
    case 0xEF53:     /* ext2, ext3, ext4 */
    case 0x58465342: /* xfs */
    case 0x9123683E: /* btrfs */
    case 0x01021994: /* tmpfs */
    case 0x858458F6: /* ramfs */
    case 0x794C7630: /* overlayfs */
    case 0xF2F52010: /* f2fs */
    case 0x2FC12FC1: /* zfs */
    case 0xCA451A4E: /* bcachefs */
    case 0x73717368: /* squashfs */ return true;
    default: return false;
    }
}

bool
frugal_find_is_local_fd(int fd)
{
    struct statfs fs;

    return fstatfs(fd, &fs) == 0 && is_local_type((unsigned long)fs.f_type & 0xFFFFFFFF);
}

bool
frugal_find_is_local_path(const char *path)
{
    struct statfs fs;

    return statfs(path, &fs) == 0 && is_local_type((unsigned long)fs.f_type & 0xFFFFFFFF);
}

#else

typedef int frugal_find_list_is_linux_only;

#endif
