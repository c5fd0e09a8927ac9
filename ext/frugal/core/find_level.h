/* One open directory of a find_walk: what it held when it was listed. */
#ifndef FRUGAL_FIND_LEVEL_H
#define FRUGAL_FIND_LEVEL_H

#include "find_walk.h"

typedef struct {
    uint64_t key; /* the name's first eight bytes, so that most comparisons need no name */
    uint32_t at;  /* where the name begins in `names` */
    unsigned char type;
} frugal_find_entry;

struct frugal_find_level {
    char *names;
    size_t names_used;
    size_t names_room;
    frugal_find_entry *entries; /* sorted */
    size_t count;
    size_t room;
    size_t next;
    size_t stem;    /* the directory's path with a slash */
    size_t plain;   /* without the slash that was added, if one was */
    int watch;      /* -1: none */
    bool local;     /* all changes are this machine's, so that they are told */
    bool asks;      /* its entries' types cannot be relied on */
    bool lost;      /* nor can those of what is below it: its own path may lead elsewhere */
};

/* The part of a root's path whose change makes it lead elsewhere: a directory, or a link in one. */
struct frugal_find_bound {
    int watch;
    char *link; /* NULL: the directory itself */
};

/* Lists an open directory into a level, sorted, without "." and "..". False: out of memory. */
bool frugal_find_list(frugal_find_level *level, int fd);

/* The index of a name, or SIZE_MAX. */
size_t frugal_find_index(const frugal_find_level *level, const char *name);

static inline const char *
frugal_find_name(const frugal_find_level *level, size_t index)
{
    return level->names + level->entries[index].at;
}

/* A file system whose every change comes from this kernel. */
bool frugal_find_local_fd(int fd);
bool frugal_find_local_path(const char *path);

/* Begins to watch: what the root's path goes through, and the open levels. */
void frugal_find_arm(frugal_find_walk *walk);

/* What the path of a root goes through, before that root is opened. False: it cannot be watched. */
bool frugal_find_bind(frugal_find_walk *walk);
void frugal_find_unbind(frugal_find_walk *walk);

/* Whether a relative root is still where it was: a question to the kernel for certain, or if a change was told. */
void frugal_find_check_cwd(frugal_find_walk *walk, bool certain);

/* Brings types up to date with what has changed. */
void frugal_find_update(frugal_find_walk *walk);

/* What is asked of a level's watch. */
static inline int
frugal_find_mask(size_t depth)
{
    /* A root has no level above it that would tell of its removal: its entries have to go before it. */
    return FRUGAL_WATCH_CAME | (depth == 0 ? FRUGAL_WATCH_LEFT | FRUGAL_WATCH_MOVED : FRUGAL_WATCH_NEW);
}

#endif
