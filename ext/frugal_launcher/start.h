/*
 * Where the launcher starts. It is included at the end of launcher.c, whose `run` it calls.
 */
#ifndef FRUGAL_LAUNCHER_START_H
#define FRUGAL_LAUNCHER_START_H

#ifdef FREESTANDING

/* The kernel leaves the number of arguments on the stack, and behind it the arguments, NULL and the environment. */
__attribute__((used, noreturn)) static void
start(long *stack)
{
    int argc = (int)stack[0];
    char **argv = (char **)(stack + 1);

    call(SYS_exit_group, run(argc, argv, argv + argc + 1), 0, 0, 0);
    __builtin_unreachable();
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall start\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n_start:\n\tmov x29, #0\n\tmov x30, #0\n\tmov x0, sp\n\tbl start\n");
#endif

#else

extern char **environ;

int
main(int argc, char **argv)
{
    return run(argc, argv, environ);
}

#endif

#endif
