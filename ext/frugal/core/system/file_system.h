/*
 * Determines what the timestamps of files prove, for the file system of an open file. Does not depend on Ruby. A type
 * is recognized by the name that the kernel reports for the mount of the open file, never by its magic number alone:
 * devtmpfs has the same number as tmpfs, ext2 and ext3 have the same as ext4, and only some of these types have exact
 * times. If the name is not available (no /proc, a seccomp filter), the type is unknown.
 */
#ifndef FRUGAL_FILE_SYSTEM_H
#define FRUGAL_FILE_SYSTEM_H

typedef enum {
    FRUGAL_TIMES_UNKNOWN, /* times of another machine, coarse times, or an unknown type: they prove nothing */
    FRUGAL_TIMES_LAYERED, /* overlayfs: times of a lower file system whose type is not available */
    FRUGAL_TIMES_TICKS,   /* times of this kernel's clock, as of its last tick */
    FRUGAL_TIMES_EXACT    /* multigrain: a change after a stat always gets a new time */
} frugal_times;

/*
 * Takes one statx if the mount is cached (Linux 6.8 and later); otherwise reads /proc/self/mountinfo. The result is
 * valid while fd is open.
 */
frugal_times frugal_system_times(int fd);

#endif
