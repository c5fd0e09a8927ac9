/* Mutant: a directory that was replaced by a link is entered. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

int
open(const char *path, int flags, ...)
{
    va_list rest;
    int mode;

    va_start(rest, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    if (flags & O_DIRECTORY) flags &= ~O_NOFOLLOW;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* The name that programs with support for large files call. */
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

/* The name where the compiler checks for a missing mode. */
int
__open_2(const char *path, int flags)
{
    return open(path, flags);
}
