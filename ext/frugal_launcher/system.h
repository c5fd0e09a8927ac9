/*
 * What the launcher asks of the system: six functions. FREESTANDING means Linux without a C library, on the processors
 * whose system calls are here; compile.rb defines it where such a program can be compiled and works.
 */
#ifndef FRUGAL_LAUNCHER_SYSTEM_H
#define FRUGAL_LAUNCHER_SYSTEM_H

#ifdef __APPLE__
#define LIBRARY_EXTENSION "bundle"
#else
#define LIBRARY_EXTENSION "so"
#endif

#ifdef FREESTANDING

#include <linux/fcntl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)

static long
call(long number, long a, long b, long c, long d)
{
    register long fourth __asm__("r10") = d;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                     : "rcx", "r11", "memory");
    return result;
}

#elif defined(__aarch64__)

static long
call(long number, long a, long b, long c, long d)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;

    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
}

#else
#error "no system calls for this processor"
#endif

/* Whether a file exists, as `test -e` asks. */
static int
system_exists(const char *path)
{
    return call(SYS_faccessat, AT_FDCWD, (long)path, 0, 0) == 0;
}

/* Returns errno: it does not return if it succeeds. */
static int
system_execute(const char *path, char **argv, char **environment)
{
    return (int)-call(SYS_execve, (long)path, (long)argv, (long)environment, 0);
}

/* The path of this program without symbolic links. Returns 0 if it cannot be read, or is longer. */
static int
system_own_path(char *path, size_t size)
{
    long length = call(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)path, (long)size);

    if (length <= 0 || (size_t)length >= size) return 0;
    path[length] = '\0';
    return 1;
}

/* Whether the working directory was deleted. */
static int
system_is_nowhere(void)
{
    char path[4096];

    return call(SYS_getcwd, (long)path, sizeof(path), 0, 0) == -ENOENT;
}

static void
system_complain(const char *message)
{
    long length = 0;

    while (message[length]) length++;
    call(SYS_write, 2, (long)message, length, 0);
}

#else

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <stdint.h>
#endif

static int
system_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static int
system_execute(const char *path, char **argv, char **environment)
{
    execve(path, argv, environment);
    return errno;
}

static int
system_own_path(char *path, size_t size)
{
    char named[PATH_MAX];
    char *real;
    int fits;

#ifdef __APPLE__
    uint32_t room = sizeof(named);

    if (_NSGetExecutablePath(named, &room)) return 0;
#else
    strcpy(named, "/proc/self/exe");
#endif
    if (!(real = realpath(named, NULL))) return 0;
    fits = strlen(real) < size;
    if (fits) strcpy(path, real);
    free(real);
    return fits;
}

static int
system_is_nowhere(void)
{
    char path[PATH_MAX];

    return !getcwd(path, sizeof(path)) && errno == ENOENT;
}

static void
system_complain(const char *message)
{
    if (write(2, message, strlen(message)) < 0) return;
}

#endif

#endif
