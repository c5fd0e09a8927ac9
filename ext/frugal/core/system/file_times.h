/* The times in a struct stat, on Linux and on macOS. Does not depend on Ruby. */
#ifndef FRUGAL_FILE_TIMES_H
#define FRUGAL_FILE_TIMES_H

#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

static inline struct timespec
frugal_system_mtime(const struct stat *st)
{
#ifdef __APPLE__
    return st->st_mtimespec;
#else
    return st->st_mtim;
#endif
}

static inline struct timespec
frugal_system_ctime(const struct stat *st)
{
#ifdef __APPLE__
    return st->st_ctimespec;
#else
    return st->st_ctim;
#endif
}

/* Nanoseconds since 1970. A time after 2262 does not fit into int64_t and wraps around, which keeps the differences. */
static inline int64_t
frugal_system_nanoseconds(struct timespec time)
{
    return (int64_t)((uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec);
}

#endif
