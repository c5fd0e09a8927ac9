/* The functions of libc that wait, see waits.c. A call that returns at once without any news, such as a poll without a
 * timeout, is not a wait. */
#define _GNU_SOURCE
#include "recorder.h"
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Returns the result of the call, and records a wait under the condition, in which `result` has that name. */
#define WAIT_IF(condition, type, name, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    type result = NEXT(name)(__VA_ARGS__); \
    if (condition) frugal_end_wait(&event); \
    return result

#define INPUT(type, name, ...) WAIT_IF(frugal_is_news(result), type, name, __VA_ARGS__)

static bool
is_zero(const struct timespec *time)
{
    return time && time->tv_sec == 0 && time->tv_nsec == 0;
}

EXPORT int
poll(struct pollfd *fds, nfds_t count, int timeout)
{
    WAIT_IF(result != 0 || timeout != 0, int, poll, fds, count, timeout);
}

EXPORT int
ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    WAIT_IF(result != 0 || !is_zero(timeout), int, ppoll, fds, count, timeout, mask);
}

EXPORT int
select(int count, fd_set *reading, fd_set *writing, fd_set *others, struct timeval *timeout)
{
    bool at_once = timeout && timeout->tv_sec == 0 && timeout->tv_usec == 0;

    WAIT_IF(result != 0 || !at_once, int, select, count, reading, writing, others, timeout);
}

EXPORT int
pselect(int count, fd_set *reading, fd_set *writing, fd_set *others, const struct timespec *timeout,
        const sigset_t *mask)
{
    WAIT_IF(result != 0 || !is_zero(timeout), int, pselect, count, reading, writing, others, timeout, mask);
}

EXPORT int
epoll_wait(int fd, struct epoll_event *events, int count, int timeout)
{
    WAIT_IF(result != 0 || timeout != 0, int, epoll_wait, fd, events, count, timeout);
}

EXPORT int
epoll_pwait(int fd, struct epoll_event *events, int count, int timeout, const sigset_t *mask)
{
    WAIT_IF(result != 0 || timeout != 0, int, epoll_pwait, fd, events, count, timeout, mask);
}

/* An answer may depend on the rights of who asks: with others, the question is a new one. */
#define RIGHTS(name, ...) \
    struct event event; \
    if (!frugal_begin(&event)) return NEXT(name)(__VA_ARGS__); \
    int result = NEXT(name)(__VA_ARGS__); \
    if (result == 0) frugal_end_wait(&event); \
    if (result == 0 && UNLIKELY(frugal_answers)) frugal_answers_void(false); /* for all threads */ \
    return result

EXPORT int
setuid(uid_t user)
{
    RIGHTS(setuid, user);
}

EXPORT int
seteuid(uid_t user)
{
    RIGHTS(seteuid, user);
}

EXPORT int
setreuid(uid_t real, uid_t effective)
{
    RIGHTS(setreuid, real, effective);
}

EXPORT int
setresuid(uid_t real, uid_t effective, uid_t saved)
{
    RIGHTS(setresuid, real, effective, saved);
}

EXPORT int
setgid(gid_t group)
{
    RIGHTS(setgid, group);
}

EXPORT int
setegid(gid_t group)
{
    RIGHTS(setegid, group);
}

EXPORT int
setregid(gid_t real, gid_t effective)
{
    RIGHTS(setregid, real, effective);
}

EXPORT int
setresgid(gid_t real, gid_t effective, gid_t saved)
{
    RIGHTS(setresgid, real, effective, saved);
}

int setgroups(size_t count, const gid_t *groups); /* <grp.h> has a struct of a name that is also used here */

EXPORT int
setgroups(size_t count, const gid_t *groups)
{
    RIGHTS(setgroups, count, groups);
}

EXPORT int
accept(int fd, struct sockaddr *address, socklen_t *size)
{
    INPUT(int, accept, fd, address, size);
}

EXPORT int
accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
    INPUT(int, accept4, fd, address, size, flags);
}

EXPORT ssize_t
recv(int fd, void *bytes, size_t size, int flags)
{
    INPUT(ssize_t, recv, fd, bytes, size, flags);
}

EXPORT ssize_t
recvfrom(int fd, void *bytes, size_t size, int flags, struct sockaddr *address, socklen_t *size_of_address)
{
    INPUT(ssize_t, recvfrom, fd, bytes, size, flags, address, size_of_address);
}

EXPORT ssize_t
recvmsg(int fd, struct msghdr *message, int flags)
{
    INPUT(ssize_t, recvmsg, fd, message, flags);
}

EXPORT int
nanosleep(const struct timespec *time, struct timespec *rest)
{
    WAIT_IF(true, int, nanosleep, time, rest);
}

EXPORT int
clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
    WAIT_IF(true, int, clock_nanosleep, clock, flags, time, rest);
}

EXPORT unsigned
sleep(unsigned seconds)
{
    WAIT_IF(true, unsigned, sleep, seconds);
}

EXPORT int
usleep(useconds_t microseconds)
{
    WAIT_IF(true, int, usleep, microseconds);
}

/* With WNOHANG, 0 means that no child has ended. */
EXPORT pid_t
waitpid(pid_t pid, int *status, int options)
{
    WAIT_IF(result != 0, pid_t, waitpid, pid, status, options);
}

EXPORT pid_t
wait(int *status)
{
    WAIT_IF(true, pid_t, wait, status);
}

EXPORT pid_t
wait3(int *status, int options, struct rusage *usage)
{
    WAIT_IF(result != 0, pid_t, wait3, status, options, usage);
}

EXPORT pid_t
wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
    WAIT_IF(result != 0, pid_t, wait4, pid, status, options, usage);
}

EXPORT int
waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    WAIT_IF(result == 0 && (!(options & WNOHANG) || (info && info->si_pid != 0)), int, waitid, type, id, info, options);
}

/* libc asks a server through calls of its own. */
EXPORT int
getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
    WAIT_IF(true, int, getaddrinfo, node, service, hints, found);
}

EXPORT int
getnameinfo(const struct sockaddr *address, socklen_t size, char *node, socklen_t node_size, char *service,
            socklen_t service_size, int flags)
{
    WAIT_IF(true, int, getnameinfo, address, size, node, node_size, service, service_size, flags);
}

/* An extension that starts a thread may wait for it: so does Socket from Ruby 3.3 on, to look up names. For its own
 * threads, Ruby waits only in the methods of waits.c. */
EXPORT int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    if (!frugal_ruby_has(__builtin_return_address(0))) frugal_note_wait();
    return NEXT(pthread_create)(thread, attributes, start, argument);
}

#if defined(__GLIBC__)
/* The functions that -D_FORTIFY_SOURCE uses instead. */
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask, size_t room);
ssize_t __recv_chk(int fd, void *bytes, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *bytes, size_t size, size_t room, int flags, struct sockaddr *address,
                       socklen_t *size_of_address);

EXPORT int
__poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room)
{
    WAIT_IF(result != 0 || timeout != 0, int, __poll_chk, fds, count, timeout, room);
}

EXPORT int
__ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask, size_t room)
{
    WAIT_IF(result != 0 || !is_zero(timeout), int, __ppoll_chk, fds, count, timeout, mask, room);
}

EXPORT ssize_t
__recv_chk(int fd, void *bytes, size_t size, size_t room, int flags)
{
    INPUT(ssize_t, __recv_chk, fd, bytes, size, room, flags);
}

EXPORT ssize_t
__recvfrom_chk(int fd, void *bytes, size_t size, size_t room, int flags, struct sockaddr *address,
               socklen_t *size_of_address)
{
    INPUT(ssize_t, __recvfrom_chk, fd, bytes, size, room, flags, address, size_of_address);
}
#endif
