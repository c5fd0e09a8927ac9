/* How many descriptors are open: none may be left behind. */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <dirent.h>

/* Listed, not probed one by one: valgrind 3.24 reports a question about a descriptor that is closed. */
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
