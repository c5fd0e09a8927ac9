/* Mutant: no change is ever reported. */
#define _GNU_SOURCE
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

int
inotify_add_watch(int fd, const char *path, unsigned mask)
{
    const unsigned flags = IN_ONLYDIR | IN_DONT_FOLLOW | IN_MASK_ADD |
                           0x10000000; /* IN_MASK_CREATE, which an old libc lacks */

    return (int)syscall(SYS_inotify_add_watch, fd, path, (mask & flags) | IN_ATTRIB);
}
