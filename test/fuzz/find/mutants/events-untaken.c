/* Mutant: an event that the ring tells is never taken. Each ring begins as it should, with one take. */
#include "../syscall.h"

static long
instead(frugal_syscall real, long number, const long *arguments)
{
    static int takes;

    if (number == SYS_io_uring_setup) takes = 0;
    if (number == SYS_io_uring_enter && arguments[1] == 0 && ++takes > 1) return 0;
    return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
