/* Start, end and fork of the recorder. */
#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if !defined(__linux__) || __SIZEOF_POINTER__ != 8
#error "the recorder needs a 64-bit Linux"
#endif

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18 /* Linux 4.14 */
#endif

bool frugal_recording, frugal_by_thread;
static bool always = true;
volatile bool *frugal_same_process = &always;
static uint32_t pid;

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
watch_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    int (*of_glibc)(void (*)(void), void (*)(void), void (*)(void), void *) = (int (*)(
        void (*)(void), void (*)(void), void (*)(void), void *))dlsym(RTLD_DEFAULT, "__register_atfork");
    int (*of_musl)(void (*)(void), void (*)(void), void (*)(void)) = (int (*)(
        void (*)(void), void (*)(void), void (*)(void)))dlsym(RTLD_DEFAULT, "pthread_atfork");

    if (of_glibc) of_glibc(before, in_parent, in_child, NULL);
    else if (of_musl) of_musl(before, in_parent, in_child);
}

/* Called in the child of a fork. */
void
frugal_forked(void)
{
    *frugal_same_process = true;
    frugal_lock_forked();
    frugal_environment_forked();
    frugal_recording = frugal_recording && !frugal_by_thread;
    pid = (uint32_t)syscall(SYS_getpid);
    frugal_log_forked();
    frugal_paths_reset();
    frugal_ruby_forked();
    frugal_thread = (struct thread){ .group = 0 };
    if (!frugal_recording) return;
    frugal_recording = frugal_log_reopen();
    frugal_group_forked();
    if (frugal_ruby_version()) frugal_log_set_ruby(frugal_ruby_version());
}

void
frugal_recorder_init(void)
{
    static bool done;

    if (done) return;
    done = true;
    pid = (uint32_t)syscall(SYS_getpid);
    find_next_functions();
    watch_process();
    watch_fork(frugal_group_forking, frugal_group_fork_ended, frugal_forked);
    frugal_ruby_find();
}

__attribute__((constructor)) static void
start(void)
{
    const char *directory, *group;
    uint64_t capacity;
    unsigned depth;

    if (!frugal_environment_take(&directory, &capacity, &depth, &group)) return;
    frugal_recorder_init();
    frugal_ruby_set_depth(depth);
    frugal_agent_in(directory);
    frugal_recording = frugal_log_open(directory, capacity);
    if (group) frugal_group_inherit(group);
}
