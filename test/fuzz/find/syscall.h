/* Replaces syscall(2), by which the drop-in asks for a ring, by `instead`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/io_uring.h>
#include <stdarg.h>
#include <sys/syscall.h>

typedef long (*frugal_syscall)(long number, ...);

static long instead(frugal_syscall real, long number, const long *arguments);

long
syscall(long number, ...)
{
    long arguments[6];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
    va_end(list);
    return instead((frugal_syscall)dlsym(RTLD_NEXT, "syscall"), number, arguments);
}
