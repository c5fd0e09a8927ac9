/* Mutant: what is moved into a directory is not reported, nor the move of a root. */
#define _GNU_SOURCE
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

int
inotify_add_watch(int fd, const char *path, unsigned mask)
{
    return (int)syscall(SYS_inotify_add_watch, fd, path, mask & ~(IN_MOVED_TO | IN_MOVE_SELF));
}
