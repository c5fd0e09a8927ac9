/* How many descriptors are open: none may be left behind. */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <fcntl.h>

static inline int
descriptors(void)
{
    int open_ones = 0;

    for (int fd = 0; fd < 256; fd++) open_ones += fcntl(fd, F_GETFD) != -1;
    return open_ones;
}

#endif
