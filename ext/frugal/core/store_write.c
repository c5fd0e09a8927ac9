#ifdef __linux__
# define _GNU_SOURCE /* fallocate */
#endif
#include "store_write.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { STEP = 4096 };

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

bool
frugal_store_write_span(const frugal_store_write *write, size_t *begin, size_t *end)
{
    size_t common = write->old_size < write->fresh_size ? write->old_size : write->fresh_size;

    *begin = same_from_start(write->old, write->fresh, common);
    *end = write->fresh_size;
    if (write->old_size != write->fresh_size) return true;
    if (*begin == common) return false;
    *end -= same_from_end(write->old + *begin, write->fresh + *begin, common - *begin);
    return true;
}

size_t
frugal_store_write_all(int fd, const char *bytes, size_t size, size_t offset, int *error)
{
    size_t done = 0;

    *error = 0;
    while (done < size) {
        ssize_t wrote = pwrite(fd, bytes + done, size - done, (off_t)(offset + done));

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

/* Room for the tail, without changing the size; false where that cannot be had without writing. */
static bool
reserve(frugal_store_write *write)
{
#ifdef __linux__
    for (;;) {
        off_t more = (off_t)(write->fresh_size - write->old_size);

        if (fallocate(write->fd, FALLOC_FL_KEEP_SIZE, (off_t)write->old_size, more) == 0) return true;
        if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) return false;
        if (errno != EINTR) {
            write->error = errno;
            return true;
        }
    }
#else
    return false;
#endif
}

/* The tail first, behind what a reader of the old content looks at. */
static void
append_tail(frugal_store_write *write)
{
    size_t size = write->fresh_size - write->old_size;
    int ignored;

    frugal_store_write_all(write->fd, write->fresh + write->old_size, size, write->old_size, &write->error);
    if (write->error) ignored = cut(write->fd, write->old_size);
    (void)ignored;
}

static void
put_back(const frugal_store_write *write, size_t begin, size_t done)
{
    size_t end = begin + done < write->old_size ? begin + done : write->old_size;
    int ignored;

    if (end > begin) frugal_store_write_all(write->fd, write->old + begin, end - begin, begin, &ignored);
    if (write->fresh_size > write->old_size) ignored = cut(write->fd, write->old_size);
    (void)ignored;
}

bool
frugal_store_write_run(frugal_store_write *write)
{
    size_t begin, end, done;

    write->error = 0;
    memset(&write->after, 0, sizeof(write->after));
    if (!frugal_store_write_span(write, &begin, &end) && write->final_size == write->old_size) return true;
    if (write->fresh_size > write->old_size && (int64_t)write->fresh_size > write->allocated && !reserve(write)) {
        append_tail(write);
        end = write->old_size > begin ? write->old_size : begin;
    }
    if (write->error) return false;
    done = frugal_store_write_all(write->fd, write->fresh + begin, end - begin, begin, &write->error);
    if (write->error) {
        put_back(write, begin, done);
        return false;
    }
    if (write->final_size < write->fresh_size || write->final_size < write->old_size) {
        write->error = cut(write->fd, write->final_size);
        if (write->error) {
            put_back(write, 0, write->fresh_size);
            return false;
        }
    }
    /* What cannot be asked any more is not known: the next transaction reads. */
    if (fstat(write->fd, &write->after) != 0) memset(&write->after, 0, sizeof(write->after));
    return true;
}
