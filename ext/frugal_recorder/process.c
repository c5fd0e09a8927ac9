/* The recorded process: its clock, its threads and its copies, and libc's functions behind ours. */
#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18 /* Linux 4.14 */
#endif

__thread struct thread frugal_thread __attribute__((tls_model("initial-exec")));
bool frugal_recording, frugal_by_thread;
static bool always = true;
volatile bool *frugal_same_process = &always;
static uint32_t pid;
static void (*in_copy)(void);

uint64_t
frugal_now(void)
{
    struct timespec now;

    NEXT(clock_gettime)(CLOCK_MONOTONIC, &now); /* skips libraries before ours that change the time */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint32_t
frugal_pid(void)
{
    return pid;
}

void *
frugal_next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static void
find_next_functions(void)
{
    extern HIDDEN struct next __start_next_functions[], __stop_next_functions[];

    for (struct next *next = __start_next_functions; next < __stop_next_functions; next++)
        next->function = frugal_next(next->name);
}

/* After a vfork, the thread may be the child, which shares this memory, or the parent, which continues. */
void
frugal_find_child(struct thread *thread)
{
    uint32_t current = (uint32_t)syscall(SYS_getpid);

    thread->child = current == pid ? 0 : current;
    thread->vforked = thread->child != 0;
}

/* Called in the child of a fork. */
void
frugal_forked(void)
{
    *frugal_same_process = true;
    pid = (uint32_t)syscall(SYS_getpid);
    in_copy();
}

/* Detects copies of the process. libc's fork handlers do not run for _Fork(3), clone(2) and system calls, but the
 * kernel clears this page in each copy. */
static void
watch_process(void)
{
    bool *page = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED || madvise(page, 1, MADV_WIPEONFORK) != 0) return;
    *page = true;
    frugal_same_process = page;
}

/* Registers fork handlers. The shared library of glibc has only the first function, that of musl only the second. The
 * recorder is compiled for one libc, and preloaded into programs of both. */
static void
watch_fork(void (*before)(void), void (*in_parent)(void))
{
    int (*of_glibc)(void (*)(void), void (*)(void), void (*)(void), void *) = (int (*)(
        void (*)(void), void (*)(void), void (*)(void), void *))dlsym(RTLD_DEFAULT, "__register_atfork");
    int (*of_musl)(void (*)(void), void (*)(void), void (*)(void)) = (int (*)(
        void (*)(void), void (*)(void), void (*)(void)))dlsym(RTLD_DEFAULT, "pthread_atfork");

    if (of_glibc) of_glibc(before, in_parent, frugal_forked, NULL);
    else if (of_musl) of_musl(before, in_parent, frugal_forked);
}

void
frugal_process_begin(const struct frugal_fork_handlers *handlers)
{
    in_copy = handlers->in_copy;
    pid = (uint32_t)syscall(SYS_getpid);
    find_next_functions();
    watch_process();
    watch_fork(handlers->before, handlers->in_parent);
}
