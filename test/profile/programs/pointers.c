/* Arguments that are no valid pointers: libc and the kernel answer with an error, so must the recorder. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wnonnull"
#define SHOW(call) show(#call, (errno = 0, (long)(call)))

static void
show(const char *call, long result)
{
    int error = errno;

    printf("%s: %ld %s\n", call, result, result == -1 || !result ? strerrorname_np(error) : "");
}

int
main(void)
{
    char *volatile bad = (char *)16;
    struct stat st;

    SHOW(stat(bad, &st));
    SHOW(lstat(bad, &st));
    SHOW(access(bad, F_OK));
    SHOW(open(bad, O_RDONLY));
    SHOW(openat(AT_FDCWD, bad, O_RDONLY));
    SHOW(fopen(bad, "r"));
    SHOW(chdir(bad));
    SHOW(mkdir(bad, 0700));
    SHOW(rename(bad, "x"));
    SHOW(rename("x", bad));
    SHOW(symlink(bad, "x"));
    SHOW(symlink("x", bad));
    SHOW(readlink(bad, (char *)&st, sizeof st));
    SHOW(unlink(bad));
    SHOW(execv(bad, (char *[]){ "x", NULL }));
    SHOW(write(1, bad, 5));
    SHOW(read(0, bad, 5));
    SHOW(readv(0, (struct iovec *)bad, 1));
    SHOW(writev(1, (struct iovec *)bad, 1));
    SHOW(connect(0, (struct sockaddr *)bad, 50));
    SHOW(utimensat(3333, NULL, NULL, 0));
    SHOW(closedir((DIR *)(bad - 16)));
    SHOW(syscall(SYS_openat2, AT_FDCWD, ".", NULL, 0));
    SHOW(syscall(SYS_openat2, AT_FDCWD, bad, bad, 24));
    SHOW(syscall(SYS_openat2, AT_FDCWD, bad, NULL, 0));
    SHOW(syscall(SYS_statx, AT_FDCWD, bad, 0, 0, NULL));
    SHOW(syscall(SYS_statx, AT_FDCWD, ".", 0, 0, NULL));
    SHOW(syscall(SYS_getdents64, -1, NULL, 0));
    return 0;
}
