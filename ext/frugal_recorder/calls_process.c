/*
 * The functions of libc that start programs, and system calls without a function.
 *
 * A child of vfork(2) runs in the memory of its parent until it executes a program: Ruby starts programs in this way.
 * The files that the child opens and closes must not change what the recorder knows of the parent. So vfork marks the
 * thread, and its next recorded call finds out whether it is the child.
 */
#define _GNU_SOURCE
#include "answers.h"
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

HIDDEN void *frugal_before_vfork(void);

/* Records the call in advance, because it does not return if it succeeds. Returns the event, or NULL. */
static struct event *
before_exec(int dirfd, const char *path)
{
    struct event event;
    int before = errno;

    bool readable = syscall(SYS_faccessat, dirfd, path, F_OK) == 0 || errno != EFAULT;
    frugal_thread.last = NULL;
    if (readable && frugal_begin(&event)) frugal_end_path(&event, CALL_exec, dirfd, path, false);
    errno = before;
    return frugal_thread.last;
}

/* Adds the error to the event. Returns -1. */
static int
exec_failed(struct event *event)
{
    if (event) {
        uint64_t duration = frugal_now() - event->start;
        event->duration = duration > UINT32_MAX ? UINT32_MAX : (uint32_t)duration;
        event->error = (uint16_t)errno;
    }
    return -1;
}

#define WITH_RECORDER(envp) frugal_environment_with(envp, alloca(frugal_environment_space(envp)))

EXPORT int
execve(const char *path, char *const argv[], char *const envp[])
{
    struct event *event = before_exec(AT_FDCWD, path);
    NEXT(execve)(path, argv, WITH_RECORDER(envp));
    return exec_failed(event);
}

EXPORT int
execv(const char *path, char *const argv[])
{
    return execve(path, argv, environ);
}

EXPORT int
execvpe(const char *file, char *const argv[], char *const envp[])
{
    struct event *event = before_exec(AT_FDCWD, file);
    NEXT(execvpe)(file, argv, WITH_RECORDER(envp));
    return exec_failed(event);
}

EXPORT int
execvp(const char *file, char *const argv[])
{
    return execvpe(file, argv, environ);
}

EXPORT int
fexecve(int fd, char *const argv[], char *const envp[])
{
    struct event *event = before_exec(fd, "");
    NEXT(fexecve)(fd, argv, WITH_RECORDER(envp));
    return exec_failed(event);
}

#if defined(CLOSE_RANGE_CLOEXEC) /* since glibc 2.34 */
EXPORT int
execveat(int dirfd, const char *path, char *const argv[], char *const envp[], int flags)
{
    struct event *event = before_exec(dirfd, path);
    NEXT(execveat)(dirfd, path, argv, WITH_RECORDER(envp), flags);
    return exec_failed(event);
}
#endif

/* Sets `argv` to the variable arguments from `first` on, up to their NULL. */
#define TAKE_ARGUMENTS(first) \
    va_list rest; \
    size_t count = 1; \
    va_start(rest, first); \
    while (va_arg(rest, char *)) count++; \
    va_end(rest); \
    char **argv = alloca((count + 1) * sizeof *argv); \
    argv[0] = (char *)first; \
    va_start(rest, first); \
    for (size_t i = 1; i <= count; i++) argv[i] = va_arg(rest, char *);

EXPORT int
execl(const char *path, const char *first, ...)
{
    TAKE_ARGUMENTS(first)
    va_end(rest);
    return execve(path, argv, environ);
}

EXPORT int
execlp(const char *file, const char *first, ...)
{
    TAKE_ARGUMENTS(first)
    va_end(rest);
    return execvpe(file, argv, environ);
}

EXPORT int
execle(const char *path, const char *first, ...)
{
    TAKE_ARGUMENTS(first)
    char *const *envp = va_arg(rest, char *const *);
    va_end(rest);
    return execve(path, argv, envp);
}

static int
end_spawn(struct event *event, const char *path, const pid_t *pid, int error)
{
    event->bytes = error == 0 && pid ? *pid : 0;
    errno = error;
    frugal_end_path(event, CALL_spawn, AT_FDCWD, path, error != 0);
    return error;
}

EXPORT int
posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
            const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    struct event event;
    int before = errno;

    char **environment = WITH_RECORDER(envp);
    if (!frugal_begin(&event)) return NEXT(posix_spawn)(pid, path, actions, attributes, argv, environment);
    int result = end_spawn(&event, path, pid, NEXT(posix_spawn)(pid, path, actions, attributes, argv, environment));
    errno = before;
    return result;
}

EXPORT int
posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
             const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    struct event event;
    int before = errno;

    char **environment = WITH_RECORDER(envp);
    if (!frugal_begin(&event)) return NEXT(posix_spawnp)(pid, file, actions, attributes, argv, environment);
    int result = end_spawn(&event, file, pid, NEXT(posix_spawnp)(pid, file, actions, attributes, argv, environment));
    errno = before;
    return result;
}

/* libc starts the shell with `environ`. */
EXPORT int
system(const char *command)
{
    frugal_environment_show();
    int result = NEXT(system)(command);
    int error = errno;
    frugal_environment_restore();
    errno = error;
    return result;
}

EXPORT FILE *
popen(const char *command, const char *mode)
{
    frugal_environment_show();
    FILE *file = NEXT(popen)(command, mode);
    int error = errno;
    frugal_environment_restore();
    errno = error;
    return file;
}

/* A child that shares the memory of this process is handled as a child of vfork. */
EXPORT int
clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    void *more[3];
    va_list rest;

    va_start(rest, argument);
    for (int i = 0; i < 3; i++) more[i] = va_arg(rest, void *);
    va_end(rest);
    if ((flags & CLONE_VM) && !(flags & CLONE_THREAD)) frugal_thread.vforked = frugal_recording;
    return NEXT(clone)(function, stack, flags, argument, more[0], more[1], more[2]);
}

EXPORT pid_t
fork(void)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(fork)();
    pid_t pid = NEXT(fork)();
    if (pid == 0) return 0;
    event.bytes = pid;
    frugal_end(&event, CALL_fork, pid < 0);
    return pid;
}

/* Returns libc's vfork. libc's vfork returns twice on the same stack, so ours must leave nothing on the stack: it
 * jumps. */
void *
frugal_before_vfork(void)
{
    struct event event;

    if (frugal_begin(&event)) frugal_end(&event, CALL_vfork, false);
    frugal_thread.vforked = frugal_recording;
    return (void *)NEXT(vfork);
}

#if defined(__x86_64__)
__asm__(".text\n.globl vfork\n.type vfork, @function\nvfork:\n\tendbr64\n\tsubq $8, %rsp\n\tcall frugal_before_vfork\n"
        "\taddq $8, %rsp\n\tjmp *%rax\n.size vfork, . - vfork\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl vfork\n.type vfork, %function\nvfork:\n\tstp x29, x30, [sp, -16]!\n\tbl frugal_before_vfork\n"
        "\tldp x29, x30, [sp], 16\n\tbr x0\n.size vfork, . - vfork\n");
#else
EXPORT pid_t
vfork(void)
{
    return fork();
}
#endif

/* A socket with a path is a new name. */
EXPORT int
bind(int fd, const struct sockaddr *address, socklen_t size)
{
    int result = NEXT(bind)(fd, address, size);

    if (UNLIKELY(frugal_answers) && result == 0 && address->sa_family == AF_UNIX) frugal_answers_void(false);
    return result;
}

/* Only sockets with a path are files. */
EXPORT int
connect(int fd, const struct sockaddr *address, socklen_t size)
{
    struct event event;

    if (!frugal_begin(&event)) return NEXT(connect)(fd, address, size);
    int result = NEXT(connect)(fd, address, size);
    char path[sizeof(struct sockaddr_un) + 1] = "";
    size_t start = offsetof(struct sockaddr_un, sun_path);
    bool readable = address && (result == 0 || errno != EFAULT);
    if (readable && size > start && size < sizeof path && address->sa_family == AF_UNIX)
        memcpy(path, (const char *)address + start, size - start);
    event.fd = fd;
    if (path[0]) frugal_end_path(&event, CALL_connect, AT_FDCWD, path, result != 0);
    else frugal_end(&event, CALL_connect, result != 0);
    frugal_note_wait();
    return result;
}

/* Returns whether this system call is recorded. Frugal's own library uses syscall(2) where older libcs have no
 * function. */
static bool
is_recorded(long number)
{
    switch (number) {
#ifdef SYS_openat2
    case SYS_openat2:
#endif
#ifdef SYS_copy_file_range
    case SYS_copy_file_range:
#endif
    case SYS_getcwd:
    case SYS_getdents64:
    case SYS_renameat2:
    case SYS_statx: return true;
    default: return false;
    }
}

static void
end_syscall(struct event *event, long number, const long *arguments, long result)
{
    int fd = (int)arguments[0], flags = 0;
    const char *path = (const char *)arguments[1];

    /* The kernel refused the call before it read the pointers: they may not be valid. */
    if (result < 0 && (errno == ENOSYS || errno == EINVAL || errno == E2BIG || errno == EPERM)) path = NULL;
    switch (number) {
#ifdef SYS_openat2
    case SYS_openat2:
        if (result >= 0) flags = (int)*(const uint64_t *)arguments[2]; /* otherwise, the pointer may be invalid */
        frugal_end_open(event, CALL_openat, fd, path, flags, (int)result);
        break;
#endif
#ifdef SYS_copy_file_range
    case SYS_copy_file_range:
        event->bytes = result < 0 ? 0 : result;
        frugal_end_fd(event, CALL_copy_file_range, (int)arguments[2], result < 0);
        break;
#endif
    case SYS_getcwd: frugal_end_getcwd(event, result < 0 ? NULL : (const char *)arguments[0]); break;
    case SYS_getdents64: frugal_end_entries(event, fd, path, result); break;
    case SYS_renameat2:
        frugal_end_rename(event, fd, path, (int)arguments[2], (const char *)arguments[3], result != 0);
        break;
    case SYS_statx: frugal_end_statx(event, fd, path, (const void *)arguments[4], result != 0); break;
    }
}

EXPORT long
syscall(long number, ...)
{
    struct event event;
    long arguments[6];
    va_list rest;

    va_start(rest, number);
    for (int i = 0; i < 6; i++) arguments[i] = va_arg(rest, long);
    va_end(rest);
    bool recorded = is_recorded(number) && frugal_begin(&event);
    if (UNLIKELY(frugal_answers) && number == SYS_getdents64) frugal_listing_seen((int)arguments[0]);
    long result = NEXT(syscall)(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                                arguments[5]);
    if (recorded) end_syscall(&event, number, arguments, result);
    return result;
}
