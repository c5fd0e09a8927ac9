/* Start, end and fork of the recorder. */
#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if !defined(__linux__) || __SIZEOF_POINTER__ != 8
#error "the recorder needs a 64-bit Linux"
#endif

bool frugal_recording, frugal_by_thread;
static uint32_t pid;

uint64_t
frugal_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
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
forked(void)
{
    frugal_recording = frugal_recording && !frugal_by_thread;
    pid = (uint32_t)syscall(SYS_getpid);
    frugal_log_forked();
    frugal_paths_reset();
    frugal_ruby_forked();
    frugal_thread = (struct thread){ .group = 0 };
    if (!frugal_recording) return;
    frugal_recording = frugal_log_reopen();
    if (frugal_ruby_version()) frugal_log_set_ruby(frugal_ruby_version());
}

void
frugal_recorder_init(void)
{
    static bool done;

    if (done) return;
    done = true;
    pid = (uint32_t)syscall(SYS_getpid);
    pthread_atfork(NULL, NULL, forked);
    frugal_ruby_find();
}

__attribute__((constructor)) static void
start(void)
{
    const char *directory;
    uint64_t capacity;
    unsigned depth;

    if (!frugal_environment_take(&directory, &capacity, &depth)) return;
    frugal_recorder_init();
    frugal_ruby_set_depth(depth);
    frugal_agent_in(directory);
    frugal_recording = frugal_log_open(directory, capacity);
}
