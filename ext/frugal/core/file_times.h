/* The times of what stat filled in, on Linux and on macOS. Plain C: knows nothing of Ruby. */
#ifndef FRUGAL_FILE_TIMES_H
#define FRUGAL_FILE_TIMES_H

#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

static inline struct timespec
frugal_stat_mtime(const struct stat *st)
{
#ifdef __APPLE__
    return st->st_mtimespec;
#else
    return st->st_mtim;
#endif
}

static inline struct timespec
frugal_stat_ctime(const struct stat *st)
{
#ifdef __APPLE__
    return st->st_ctimespec;
#else
    return st->st_ctim;
#endif
}

/* A file may say any year: of one that no int64_t has (from 2262 on), these are other numbers, as apart as before. */
static inline int64_t
frugal_nanoseconds(struct timespec time)
{
    return (int64_t)((uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec);
}

#endif
