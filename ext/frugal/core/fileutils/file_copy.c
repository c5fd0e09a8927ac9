#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* copy_file_range */
#endif

#include "core/fileutils/file_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/sendfile.h>
#include <sys/syscall.h>
#endif

/* Copied by one system call; small enough that a stop does not have to wait for long. */
#define CHUNK_BYTES (8 << 20)
#define BUFFER_BYTES 65536

enum { BY_RANGE, BY_SENDFILE, BY_BUFFER };

void
frugal_fileutils_file_init(frugal_file_copy *copy)
{
    copy->from = copy->to = -1;
    copy->remaining = copy->size = 0;
    copy->created = false;
#ifdef __linux__
    copy->method = BY_RANGE;
#else
    copy->method = BY_BUFFER;
#endif
}

static int
fail(frugal_file_copy *copy, int error)
{
    frugal_fileutils_file_close(copy);
    return error;
}

/*
 * Checks the target's name. `exists`: it is a regular file that may be overwritten. Returns 0, or an errno: EEXIST if
 * it is another kind of file, or the source itself.
 */
static int
check_target(const struct stat *source, int to, const char *name, bool *exists)
{
    struct stat st;

    *exists = fstatat(to, name, &st, 0) == 0;
    if (!*exists) return errno == ENOENT ? 0 : errno;
    return S_ISREG(st.st_mode) && (st.st_dev != source->st_dev || st.st_ino != source->st_ino) ? 0 : EEXIST;
}

int
frugal_fileutils_file_open(frugal_file_copy *copy, int from, const char *name, int to, const char *new_name, bool fresh)
{
    struct stat st;
    bool exists = false;
    char byte;

    copy->from = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (copy->from < 0) return errno;
    if (fstat(copy->from, &st) != 0) return fail(copy, errno);
    if (!S_ISREG(st.st_mode)) return fail(copy, EINVAL);
    /* Some kernel files (in /proc) have size 0, but contain bytes. */
    if (st.st_size == 0 && read(copy->from, &byte, 1) != 0) return fail(copy, EINVAL);
    if (!fresh) {
        int error = check_target(&st, to, new_name, &exists);

        if (error != 0) return fail(copy, error);
    }
    copy->to = openat(to, new_name, O_WRONLY | O_CREAT | (exists ? O_TRUNC : O_EXCL) | O_NONBLOCK | O_CLOEXEC,
                      st.st_mode & 07777);
    if (copy->to < 0) return fail(copy, errno);
    copy->created = !exists;
    copy->remaining = copy->size = st.st_size;
    return 0;
}

#ifdef __linux__

static ssize_t
by_kernel(frugal_file_copy *copy, size_t size)
{
#ifdef SYS_copy_file_range
    if (copy->method == BY_RANGE) return syscall(SYS_copy_file_range, copy->from, NULL, copy->to, NULL, size, 0);
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

/*
 * copy_file_range and sendfile advance the positions of both files only by the copied bytes, so the next call continues
 * there.
 */
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

static frugal_file_result
failed(frugal_file_copy *copy)
{
    frugal_fileutils_file_close(copy);
    return FRUGAL_FILE_FAILED;
}

frugal_file_result
frugal_fileutils_file_run(frugal_file_copy *copy, frugal_dir_stop *stop)
{
    int close_result;

    while (copy->remaining > 0) {
        size_t size = copy->remaining < CHUNK_BYTES ? (size_t)copy->remaining : CHUNK_BYTES;
        ssize_t bytes;

        if (frugal_fileutils_stopped(stop)) return FRUGAL_FILE_STOPPED;
        bytes = copy->method == BY_BUFFER ? by_buffer(copy, size) : by_kernel(copy, size);
        if (bytes > 0) {
            copy->remaining -= bytes;
        }
        else if (bytes == 0) {
            if (copy->remaining < copy->size) break; /* the source was truncated meanwhile */
            return failed(copy);                     /* the source's size was wrong */
        }
        else if (errno != EINTR) {
            if (copy->method == BY_BUFFER || errno == ENOSPC || errno == EDQUOT || errno == EIO || errno == EFBIG) {
                return failed(copy);
            }
            copy->method++;
        }
    }
    close(copy->from);
    copy->from = -1;
    close_result = close(copy->to); /* on a network file system, a full disk may show only here */
    copy->to = -1;
    return close_result == 0 ? FRUGAL_FILE_COPIED : FRUGAL_FILE_FAILED;
}

void
frugal_fileutils_file_close(frugal_file_copy *copy)
{
    if (copy->from >= 0) close(copy->from);
    if (copy->to >= 0) close(copy->to);
    copy->from = copy->to = -1;
}
