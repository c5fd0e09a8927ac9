/*
 * What the times of files prove on the file system that an open file is on.
 * Plain C: knows nothing of Ruby.
 *
 * A type is trusted by its name, as the kernel tells it for the very mount of
 * the open file, and never by its magic number alone: devtmpfs has that of
 * tmpfs, ext2 and ext3 have that of ext4, and only some of these keep exact
 * times. What cannot be asked (no /proc, a seccomp filter) is unknown.
 */
#ifndef FRUGAL_FILE_SYSTEM_H
#define FRUGAL_FILE_SYSTEM_H

typedef enum {
    FRUGAL_TIMES_UNKNOWN, /* of another machine, coarse, or not known: they prove nothing */
    FRUGAL_TIMES_LAYERED, /* overlay: those of a file system that cannot be asked for */
    FRUGAL_TIMES_TICKS,   /* of this kernel's clock, as of its last tick */
    FRUGAL_TIMES_EXACT    /* multigrain: a change after a stat gets a time of its own */
} frugal_times;

/*
 * One statx where the mount is known already, on Linux 6.8 and later; else
 * /proc/self/mountinfo is read. The answer holds as long as fd is open.
 */
frugal_times frugal_times_of(int fd);

#endif
