#ifdef __linux__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif

#include "find_level.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "dir_records.h"

static uint64_t
key_of(const char *name)
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
        size_t room = level->names_room * 2 + size + 1024;
        char *names = room <= UINT32_MAX ? realloc(level->names, room) : NULL;

        if (names == NULL) return false;
        level->names = names;
        level->names_room = room;
    }
    if (level->count == level->room) {
        size_t room = level->room * 2 + 64;
        frugal_find_entry *entries = realloc(level->entries, room * sizeof(*entries));

        if (entries == NULL) return false;
        level->entries = entries;
        level->room = room;
    }
    memcpy(level->names + level->names_used, record->name, size);
    level->entries[level->count].key = key_of(record->name);
    level->entries[level->count].at = (uint32_t)level->names_used;
    level->entries[level->count].type = record->type;
    level->count++;
    level->names_used += size;
    return true;
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
    /* An error ends the list, as Dir.children takes it. */
    while ((bytes = frugal_dir_records_read(fd, batch)) > 0) {
        for (long at = 0; at < bytes;) {
            const frugal_dir_record *record = (const frugal_dir_record *)(batch + at);

            at += record->size;
            if (record->name[0] == '.' && (record->name[1] == '\0' || (record->name[1] == '.' && record->name[2] == '\0'))) continue;
            if (!append(level, record)) return false;
        }
    }
    if (level->count > 1) qsort_r(level->entries, level->count, sizeof(*level->entries), compare, level->names);
    return true;
}

size_t
frugal_find_index(const frugal_find_level *level, const char *name)
{
    uint64_t key = key_of(name);
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

/* Not here: what another machine or a process changes behind the kernel's back (nfs, 9p, fuse, proc). */
static bool
local_type(unsigned long type)
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
      case 0x73717368: /* squashfs */
        return true;
      default:
        return false;
    }
}

bool
frugal_find_local_fd(int fd)
{
    struct statfs fs;

    return fstatfs(fd, &fs) == 0 && local_type((unsigned long)fs.f_type & 0xFFFFFFFF);
}

bool
frugal_find_local_path(const char *path)
{
    struct statfs fs;

    return statfs(path, &fs) == 0 && local_type((unsigned long)fs.f_type & 0xFFFFFFFF);
}

#else

typedef int frugal_find_list_is_linux_only;

#endif
