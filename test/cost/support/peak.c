/*
 * Counts the bytes that a program has allocated at a time, and their maximum. It is preloaded. Sizes are those of
 * malloc_usable_size and mmap, so the figure repeats where the program does the same; RSS depends on the kernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_long now;
static atomic_long most;
static long before;

static void
add(long bytes)
{
    long sum = atomic_fetch_add(&now, bytes) + bytes;
    long seen = atomic_load(&most);
    while (sum > seen && !atomic_compare_exchange_weak(&most, &seen, sum)) {}
}

static void *
added(void *block)
{
    if (block) add((long)malloc_usable_size(block));
    return block;
}

void
frugal_cost_peak_start(void)
{
    before = atomic_load(&now);
    atomic_store(&most, before);
}

long
frugal_cost_peak(void)
{
    return atomic_load(&most) - before;
}

void *
malloc(size_t size)
{
    return added(__libc_malloc(size));
}

void *
calloc(size_t count, size_t size)
{
    return added(__libc_calloc(count, size));
}

void *
realloc(void *block, size_t size)
{
    long old = block ? (long)malloc_usable_size(block) : 0;
    void *moved = __libc_realloc(block, size);
    if (moved) add((long)malloc_usable_size(moved) - old);
    else if (size == 0) add(-old);
    return moved;
}

void *
memalign(size_t alignment, size_t size)
{
    return added(__libc_memalign(alignment, size));
}

void *
aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int
posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

void
free(void *block)
{
    if (block) add(-(long)malloc_usable_size(block));
    __libc_free(block);
}

/* Ruby gets the pages of its objects here. */
void *
mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
    void *pages = (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
    if (pages != MAP_FAILED && fd == -1) add((long)length);
    return pages;
}

int
munmap(void *address, size_t length)
{
    int failed = (int)syscall(SYS_munmap, address, length);
    if (!failed) add(-(long)length);
    return failed;
}
