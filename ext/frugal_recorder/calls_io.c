/* The functions of libc that read and write files. */
#define _GNU_SOURCE
#include "answers.h"
#include "hash.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#define HASHED (1024 * 1024) /* the result of more bytes is unknown */

static bool
is_write(enum call call)
{
    return call == CALL_write || call == CALL_writev || call == CALL_pwrite;
}

static long
end_bytes(struct event *event, enum call call, int fd, const void *bytes, long size)
{
    event->bytes = size < 0 ? 0 : size;
    if (!frugal_set_fd(event, fd)) {
        if (is_write(call)) frugal_end_output(event, fd, size);
        else if (frugal_is_news(size)) frugal_end_wait(event);
        return size;
    }
    if (size >= 0 && size <= HASHED) event->result = frugal_hash(bytes, (size_t)size, 0);
    frugal_end(event, call, size < 0);
    return size;
}

/* The event's result is the hash of the bytes if there is only one buffer, and unknown otherwise. */
static long
end_vector(struct event *event, enum call call, int fd, const struct iovec *vector, int count, long size)
{
    event->bytes = size < 0 ? 0 : size;
    if (!frugal_set_fd(event, fd)) {
        if (is_write(call)) frugal_end_output(event, fd, size);
        else if (frugal_is_news(size)) frugal_end_wait(event);
        return size;
    }
    if (count == 1 && size >= 0 && size <= HASHED) event->result = frugal_hash(vector->iov_base, (size_t)size, 0);
    frugal_end(event, call, size < 0);
    return size;
}

#define RECORD_BYTES(call, name, fd, bytes, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    return end_bytes(&event, CALL_##call, fd, bytes, NEXT(name)(__VA_ARGS__))

EXPORT ssize_t
read(int fd, void *bytes, size_t size)
{
    RECORD_BYTES(read, read, fd, bytes, fd, bytes, size);
}

EXPORT ssize_t
pread(int fd, void *bytes, size_t size, off_t offset)
{
    RECORD_BYTES(pread, pread, fd, bytes, fd, bytes, size, offset);
}

EXPORT ssize_t
write(int fd, const void *bytes, size_t size)
{
    RECORD_BYTES(write, write, fd, bytes, fd, bytes, size);
}

EXPORT ssize_t
pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    RECORD_BYTES(pwrite, pwrite, fd, bytes, fd, bytes, size, offset);
}

EXPORT ssize_t
readv(int fd, const struct iovec *vector, int count)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(readv)(fd, vector, count);
    return end_vector(&event, CALL_readv, fd, vector, count, NEXT(readv)(fd, vector, count));
}

EXPORT ssize_t
writev(int fd, const struct iovec *vector, int count)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(writev)(fd, vector, count);
    return end_vector(&event, CALL_writev, fd, vector, count, NEXT(writev)(fd, vector, count));
}

EXPORT ssize_t
preadv(int fd, const struct iovec *vector, int count, off_t offset)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(preadv)(fd, vector, count, offset);
    return end_vector(&event, CALL_readv, fd, vector, count, NEXT(preadv)(fd, vector, count, offset));
}

EXPORT ssize_t
pwritev(int fd, const struct iovec *vector, int count, off_t offset)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(pwritev)(fd, vector, count, offset);
    return end_vector(&event, CALL_writev, fd, vector, count, NEXT(pwritev)(fd, vector, count, offset));
}

/* Returns the result of a call about which only the descriptor is recorded. */
#define RECORD_FD(type, call, name, fd, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    if (UNLIKELY(frugal_answers)) frugal_listing_seen(fd); \
    type result = NEXT(name)(__VA_ARGS__); \
    frugal_end_fd(&event, CALL_##call, fd, result < 0); \
    return result

#define RECORD_COPY(call, name, fd, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    ssize_t copied = NEXT(name)(__VA_ARGS__); \
    event.bytes = copied < 0 ? 0 : copied; \
    frugal_end_fd(&event, CALL_##call, fd, copied < 0); \
    return copied

/* Recorded with the file that is read, because the destination is mostly a socket. */
EXPORT ssize_t
sendfile(int to, int from, off_t *offset, size_t size)
{
    RECORD_COPY(sendfile, sendfile, from, to, from, offset, size);
}

/* Recorded with the file that is written. */
EXPORT ssize_t
copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t size, unsigned flags)
{
    RECORD_COPY(copy_file_range, copy_file_range, to, from, from_offset, to, to_offset, size, flags);
}

EXPORT off_t
lseek(int fd, off_t offset, int whence)
{
    RECORD_FD(off_t, lseek, lseek, fd, fd, offset, whence);
}

EXPORT int
ftruncate(int fd, off_t size)
{
    RECORD_FD(int, ftruncate, ftruncate, fd, fd, size);
}

EXPORT int
fsync(int fd)
{
    RECORD_FD(int, fsync, fsync, fd, fd);
}

EXPORT int
fdatasync(int fd)
{
    RECORD_FD(int, fdatasync, fdatasync, fd, fd);
}

/* Who has got a lock looks again at what others may have changed until then. */
EXPORT int
flock(int fd, int operation)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(flock)(fd, operation);
    if (UNLIKELY(frugal_answers)) frugal_listing_seen(fd);
    int result = NEXT(flock)(fd, operation);
    frugal_end_fd(&event, CALL_flock, fd, result != 0);
    if (result == 0 && !(operation & LOCK_UN)) frugal_note_wait();
    return result;
}

EXPORT int
fallocate(int fd, int mode, off_t offset, off_t size)
{
    RECORD_FD(int, fallocate, fallocate, fd, fd, mode, offset, size);
}

#if defined(__GLIBC__)
#pragma GCC diagnostic ignored "-Wattribute-alias"
EXPORT ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset) __attribute__((alias("pread")));
EXPORT ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) __attribute__((alias("pwrite")));
EXPORT ssize_t preadv64(int fd, const struct iovec *vector, int count, off64_t offset) __attribute__((alias("preadv")));
EXPORT ssize_t pwritev64(int fd, const struct iovec *vector, int count, off64_t offset)
    __attribute__((alias("pwritev")));
EXPORT ssize_t sendfile64(int to, int from, off64_t *offset, size_t size) __attribute__((alias("sendfile")));
EXPORT off64_t lseek64(int fd, off64_t offset, int whence) __attribute__((alias("lseek")));
EXPORT int ftruncate64(int fd, off64_t size) __attribute__((alias("ftruncate")));
EXPORT int fallocate64(int fd, int mode, off64_t offset, off64_t size) __attribute__((alias("fallocate")));

/* The functions that -D_FORTIFY_SOURCE uses instead. */
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *bytes, size_t size, off_t offset, size_t room);
ssize_t __pread64_chk(int fd, void *bytes, size_t size, off64_t offset, size_t room);

EXPORT ssize_t
__read_chk(int fd, void *bytes, size_t size, size_t room)
{
    RECORD_BYTES(read, __read_chk, fd, bytes, fd, bytes, size, room);
}

EXPORT ssize_t
__pread_chk(int fd, void *bytes, size_t size, off_t offset, size_t room)
{
    RECORD_BYTES(pread, __pread_chk, fd, bytes, fd, bytes, size, offset, room);
}

EXPORT ssize_t __pread64_chk(int fd, void *bytes, size_t size, off64_t offset, size_t room)
    __attribute__((alias("__pread_chk")));
#endif
