/* Counts the open descriptors, so that a test can check that none leaks. */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <dirent.h>

/* Lists /dev/fd instead of checking each number: valgrind 3.24 reports a system call on a closed descriptor. */
static inline int
descriptors(void)
{
    int open_ones = 0;
    DIR *list = opendir("/dev/fd");

    if (!list) return -1;
    while (readdir(list)) open_ones++;
    closedir(list);
    return open_ones;
}

#endif
