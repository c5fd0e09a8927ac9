#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* copy_file_range */
#endif

#include "file_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/sendfile.h>
#include <sys/syscall.h>
#endif

/* So much at a time, that a stop does not wait for long. */
#define CHUNK_BYTES (8 << 20)
#define BUFFER_BYTES 65536

enum { BY_RANGE, BY_SENDFILE, BY_BUFFER };

void
frugal_file_copy_init(frugal_file_copy *copy)
{
    copy->from = copy->to = -1;
    copy->left = copy->size = 0;
    copy->made = false;
#ifdef __linux__
    copy->way = BY_RANGE;
#else
    copy->way = BY_BUFFER;
#endif
}

static int
fail(frugal_file_copy *copy, int error)
{
    frugal_file_copy_close(copy);
    return error;
}

/* Whether a regular file is there to be overwritten, which is not the source itself; else an errno, or 0 for a miss. */
static int
look(const struct stat *source, int to, const char *name, bool *there)
{
    struct stat st;

    *there = fstatat(to, name, &st, 0) == 0;
    if (!*there) return errno == ENOENT ? 0 : errno;
    return S_ISREG(st.st_mode) && (st.st_dev != source->st_dev || st.st_ino != source->st_ino) ? 0 : EEXIST;
}

int
frugal_file_copy_open(frugal_file_copy *copy, int from, const char *name, int to, const char *new_name, bool fresh)
{
    struct stat st;
    bool there = false;
    char byte;

    copy->from = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (copy->from < 0) return errno;
    if (fstat(copy->from, &st) != 0) return fail(copy, errno);
    if (!S_ISREG(st.st_mode)) return fail(copy, EINVAL);
    /* Some files of the kernel's own say that they are empty, and are not. */
    if (st.st_size == 0 && read(copy->from, &byte, 1) != 0) return fail(copy, EINVAL);
    if (!fresh) {
        int error = look(&st, to, new_name, &there);

        if (error != 0) return fail(copy, error);
    }
    copy->to = openat(to, new_name, O_WRONLY | O_CREAT | (there ? O_TRUNC : O_EXCL) | O_NONBLOCK | O_CLOEXEC, st.st_mode & 07777);
    if (copy->to < 0) return fail(copy, errno);
    copy->made = !there;
    copy->left = copy->size = st.st_size;
    return 0;
}

#ifdef __linux__

static ssize_t
by_kernel(frugal_file_copy *copy, size_t size)
{
#ifdef SYS_copy_file_range
    if (copy->way == BY_RANGE) return syscall(SYS_copy_file_range, copy->from, NULL, copy->to, NULL, size, 0);
#endif
    return sendfile(copy->to, copy->from, NULL, size);
}

#else

static ssize_t
by_kernel(frugal_file_copy *copy, size_t size)
{
    (void)copy;
    (void)size;
    errno = ENOSYS;
    return -1;
}

#endif

/* The file's position is only moved on by what was written. */
static ssize_t
by_buffer(frugal_file_copy *copy, size_t size)
{
    char buffer[BUFFER_BYTES];
    ssize_t bytes = read(copy->from, buffer, size < sizeof(buffer) ? size : sizeof(buffer));

    for (ssize_t at = 0; at < bytes;) {
        ssize_t written = write(copy->to, buffer + at, (size_t)(bytes - at));

        if (written < 0 && errno != EINTR) return -1;
        if (written > 0) at += written;
    }
    return bytes;
}

static frugal_file_end
failed(frugal_file_copy *copy)
{
    frugal_file_copy_close(copy);
    return FRUGAL_FILE_FAILED;
}

frugal_file_end
frugal_file_copy_run(frugal_file_copy *copy, frugal_dir_stop *stop)
{
    int closed;

    while (copy->left > 0) {
        size_t size = copy->left < CHUNK_BYTES ? (size_t)copy->left : CHUNK_BYTES;
        ssize_t bytes;

        if (frugal_dir_stopped(stop)) return FRUGAL_FILE_STOPPED;
        bytes = copy->way == BY_BUFFER ? by_buffer(copy, size) : by_kernel(copy, size);
        if (bytes > 0) {
            copy->left -= bytes;
        } else if (bytes == 0) {
            if (copy->left < copy->size) break; /* it has become shorter */
            return failed(copy); /* or its size was no size */
        } else if (errno != EINTR) {
            if (copy->way == BY_BUFFER || errno == ENOSPC || errno == EDQUOT || errno == EIO || errno == EFBIG) return failed(copy);
            copy->way++;
        }
    }
    close(copy->from);
    copy->from = -1;
    closed = close(copy->to); /* which may be the moment when a network file system finds its disk full */
    copy->to = -1;
    return closed == 0 ? FRUGAL_FILE_COPIED : FRUGAL_FILE_FAILED;
}

void
frugal_file_copy_close(frugal_file_copy *copy)
{
    if (copy->from >= 0) close(copy->from);
    if (copy->to >= 0) close(copy->to);
    copy->from = copy->to = -1;
}
