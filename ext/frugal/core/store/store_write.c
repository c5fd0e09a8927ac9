#ifdef __linux__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fallocate */
#endif
#endif
#include "core/store/store_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEP = 4096, RESERVE_TRIES = 8 };

static size_t
same_from_start(const char *one, const char *other, size_t size)
{
    size_t at = 0;

    while (size - at >= STEP && memcmp(one + at, other + at, STEP) == 0) at += STEP;
    while (at < size && one[at] == other[at]) at++;
    return at;
}

static size_t
same_from_end(const char *one, const char *other, size_t size)
{
    size_t left = size;

    while (left >= STEP && memcmp(one + left - STEP, other + left - STEP, STEP) == 0) left -= STEP;
    while (left > 0 && one[left - 1] == other[left - 1]) left--;
    return size - left;
}

/* Finds the span of `fresh` that differs from `old`. Returns false if they are equal. */
static bool
span_of(const frugal_store_write *write, size_t *begin, size_t *end)
{
    size_t common = write->old_size < write->fresh_size ? write->old_size : write->fresh_size;

    *begin = write->old ? same_from_start(write->old, write->fresh, common) : 0;
    *end = write->fresh_size;
    if (!write->old || write->old_size != write->fresh_size) return true;
    if (*begin == common) return false;
    *end -= same_from_end(write->old + *begin, write->fresh + *begin, common - *begin);
    return true;
}

static bool
is_refused(void)
{
    return errno == ENOSYS || errno == EPERM || errno == EOPNOTSUPP;
}

ssize_t
frugal_store_read_at(int fd, char *bytes, size_t size, size_t offset)
{
    ssize_t got = pread(fd, bytes, size, (off_t)offset);

    if (got < 0 && is_refused() && lseek(fd, (off_t)offset, SEEK_SET) >= 0) got = read(fd, bytes, size);
    return got;
}

/* pwrite, or lseek and write: see frugal_store_read_at. */
static ssize_t
write_at(int fd, const char *bytes, size_t size, size_t offset)
{
    ssize_t wrote = pwrite(fd, bytes, size, (off_t)offset);

    if (wrote < 0 && is_refused() && lseek(fd, (off_t)offset, SEEK_SET) >= 0) wrote = write(fd, bytes, size);
    return wrote;
}

/* Writes all bytes, even if signals interrupt it. Returns how many were written before an error. */
static size_t
write_all(int fd, const char *bytes, size_t size, size_t offset, int *error)
{
    size_t done = 0;

    *error = 0;
    while (done < size) {
        ssize_t wrote = write_at(fd, bytes + done, size - done, offset + done);

        if (wrote > 0) done += (size_t)wrote;
        else if (wrote == 0 || errno != EINTR) {
            *error = wrote == 0 ? ENOSPC : errno;
            break;
        }
    }
    return done;
}

static int
cut(int fd, size_t size)
{
    while (ftruncate(fd, (off_t)size) != 0) {
        if (errno != EINTR) return errno;
    }
    return 0;
}

/*
 * Reserves blocks for `size` bytes after the end, without changing the file's size. Returns false if only writing can
 * reserve them: the file system or a seccomp filter does not allow this call, or signals interrupt it again and again
 * (a profiler's timer, on a slow tmpfs). Returns true with `error` set if the disk is full.
 */
static bool
reserve(frugal_store_write *write, size_t size)
{
#ifdef __linux__
    for (int tries = 0; tries < RESERVE_TRIES; tries++) {
        if (fallocate(write->fd, FALLOC_FL_KEEP_SIZE, (off_t)write->file_size, (off_t)size) == 0) return true;
        if (errno == EINTR) continue;
        if (errno != ENOSPC && errno != EDQUOT && errno != EFBIG && errno != EIO) return false;
        write->error = errno;
        return true;
    }
#endif
    return false;
}

/* Writes the last `size` bytes first: they are after the end of the old content, so they overwrite nothing. */
static void
append_tail(frugal_store_write *write, size_t size)
{
    const char *tail = write->fresh + write->fresh_size - size;

    write_all(write->fd, tail, size, write->file_size, &write->error);
    if (write->error) (void)cut(write->fd, write->file_size);
}

/* Reads the bytes that will be overwritten, for restore. Returns NULL if they are not needed, or if out of memory. */
static char *
read_old(frugal_store_write *write)
{
    size_t size = write->base < write->file_size ? write->file_size - write->base : 0;
    char *old;

    if (size > write->fresh_size) size = write->fresh_size;
    /* The kernel writes a page completely, or not at all. */
    if (write->base % STEP + size <= STEP || (old = malloc(size)) == NULL) return NULL;
    for (write->old_size = 0; write->old_size < size;) {
        size_t at = write->old_size;
        ssize_t got = frugal_store_read_at(write->fd, old + at, size - at, write->base + at);

        if (got > 0) write->old_size += (size_t)got;
        else if (got == 0 || errno != EINTR) break;
    }
    write->old = old;
    return old;
}

static void
restore(const frugal_store_write *write, size_t begin, size_t done)
{
    size_t end = begin + done < write->old_size ? begin + done : write->old_size;
    int ignored;

    if (write->old && end > begin) {
        write_all(write->fd, write->old + begin, end - begin, write->base + begin, &ignored);
    }
    if (write->base + write->fresh_size > write->file_size) (void)cut(write->fd, write->file_size);
}

static bool
overwrite(frugal_store_write *write)
{
    size_t begin, end, done, grown = 0;

    if (!span_of(write, &begin, &end) && write->final_size == write->file_size) return true;
    if (write->base + write->fresh_size > write->file_size) grown = write->base + write->fresh_size - write->file_size;
    if (grown > 0 && (int64_t)(write->file_size + grown) > write->allocated && !reserve(write, grown)) {
        append_tail(write, grown);
        end -= grown;
        if (begin > end) begin = end;
    }
    if (write->error) return false;
    done = write_all(write->fd, write->fresh + begin, end - begin, write->base + begin, &write->error);
    if (write->error == 0 && write->final_size < write->file_size + grown) {
        write->error = cut(write->fd, write->final_size);
        begin = 0;
        done = write->fresh_size;
    }
    if (write->error) restore(write, begin, done);
    return write->error == 0;
}

bool
frugal_store_write_run(frugal_store_write *write)
{
    char *old = NULL;
    bool written;

    write->error = 0;
    memset(&write->after, 0, sizeof(write->after));
    if (!write->old) old = read_old(write);
    written = overwrite(write);
    if (old) {
        free(old);
        write->old = NULL;
    }
    /* If fstat fails, `after` stays empty, and the next transaction reads the file. */
    if (written && fstat(write->fd, &write->after) != 0) memset(&write->after, 0, sizeof(write->after));
    return written;
}
