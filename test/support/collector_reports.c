/*
 * Preloaded into a Ruby: counts the reports of native memory to the garbage collector, and passes them on. At exit,
 * when Ruby has freed all objects, it writes the sum of the reports, their number, and how many came without the VM
 * lock, to the file $COLLECTOR_REPORTS.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_llong sum, reports, unlocked;
static pid_t owner;

void
rb_gc_adjust_memory_usage(ssize_t difference)
{
    static void (*adjust)(ssize_t);
    static int (*has_lock)(void);

    if (adjust == NULL) {
        has_lock = (int (*)(void))dlsym(RTLD_NEXT, "ruby_thread_has_gvl_p");
        adjust = (void (*)(ssize_t))dlsym(RTLD_NEXT, "rb_gc_adjust_memory_usage");
    }
    atomic_fetch_add(&sum, difference);
    atomic_fetch_add(&reports, 1);
    if (!has_lock()) atomic_fetch_add(&unlocked, 1);
    adjust(difference);
}

long long
collector_sum(void)
{
    return atomic_load(&sum);
}

long long
collector_reports(void)
{
    return atomic_load(&reports);
}

/* The bytes that malloc has given out, in all arenas. */
long long
collector_heap(void)
{
    struct mallinfo2 info = mallinfo2();

    return (long long)(info.uordblks + info.hblkhd);
}

__attribute__((constructor)) static void
begin(void)
{
    owner = getpid();
}

__attribute__((destructor)) static void
end(void)
{
    const char *path = getenv("COLLECTOR_REPORTS");
    FILE *file = path != NULL && owner == getpid() ? fopen(path, "w") : NULL;

    if (file == NULL) return;
    fprintf(file, "%lld %lld %lld\n", atomic_load(&sum), atomic_load(&reports), atomic_load(&unlocked));
    fclose(file);
}
