/* Mutant: no change is ever reported. */
#include <sys/epoll.h>

int
epoll_wait(int fd, struct epoll_event *events, int most, int timeout)
{
    (void)fd, (void)events, (void)most, (void)timeout;
    return 0;
}
