/*
 * The log of one process: a file that is mapped once, with its maximum size. Holes in the file take no space. Written
 * events survive kill -9, because they are in the kernel's page cache at once.
 *
 * No descriptor stays open, so the log can grow after a chroot, after privileges were dropped and after its folder was
 * removed. A page is populated before it is written: on a full disk, madvise(2) returns an error, but a write would
 * raise SIGBUS.
 */
#define _GNU_SOURCE
#include "log.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LAST_CHUNK (64 * 1024) /* its pages are cleared at once, and more of them would fill the processor's cache */
#define ALLOCATED (8 * 1024 * 1024) /* the whole log, if pages cannot be populated later */
#define SHARE 32                    /* of a limited address space: at most 1/SHARE */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

static struct header *header;
static char directory[4096];
static uint64_t capacity;
static uint32_t generation = 1;
static uint32_t event_chunk_size;
static bool can_populate;

uint32_t
frugal_log_generation(void)
{
    return generation;
}

struct header *
frugal_log_header(void)
{
    return header;
}

/* Makes pages writable. Returns false if there is no room: a full disk, a quota, too little memory. */
static bool
populate(void *from, size_t size)
{
    if (!can_populate) return true;
    uintptr_t start = (uintptr_t)from & ~(uintptr_t)4095;

    return madvise((void *)start, (uintptr_t)from + size - start, MADV_POPULATE_WRITE) == 0;
}

struct chunk *
frugal_log_allocate(uint32_t kind, uint32_t *size)
{
    uint64_t offset = atomic_load_explicit(&header->next, memory_order_relaxed);
    uint32_t wanted = *size;

    if (offset + wanted > header->capacity) return NULL;
    struct chunk *chunk = (struct chunk *)((char *)header + offset);
    if (!populate(chunk, wanted)) {
        header->capacity = offset; /* no room now: do not ask again at each event */
        return NULL;
    }
    chunk->kind = kind;
    chunk->size = wanted;
    chunk->tid = frugal_thread.tid;
    atomic_store_explicit(&header->next, offset + wanted, memory_order_release);
    if (wanted < LAST_CHUNK) *size = wanted * 2;
    return chunk;
}

void *
frugal_log_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* Counts a call without an event. */
void
frugal_log_count(enum call call)
{
    if (header) atomic_fetch_add_explicit(&header->counts[call], 1, memory_order_relaxed);
}

/* Appends an event. Without room, the event is only counted. */
void
frugal_log_append(const struct event *event)
{
    struct thread *thread = &frugal_thread;
    struct chunk *chunk = thread->log_generation == generation ? thread->chunk : NULL;

    if (!header) return;
    atomic_fetch_add_explicit(&header->counts[event->call], 1, memory_order_relaxed);
    if (!chunk || chunk->used + sizeof(*event) + sizeof(*chunk) > chunk->size) {
        uint32_t size = chunk ? (chunk->size < LAST_CHUNK ? chunk->size * 2 : LAST_CHUNK) : event_chunk_size;
        frugal_lock();
        chunk = frugal_log_allocate(CHUNK_EVENTS, &size);
        frugal_unlock();
        thread->log_generation = generation;
        thread->chunk = chunk;
        if (!chunk) {
            atomic_fetch_add_explicit(&header->dropped, 1, memory_order_relaxed);
            return;
        }
    }
    thread->last = __builtin_memcpy(chunk->bytes + chunk->used, event, sizeof(*event));
    atomic_store_explicit(&chunk->used, chunk->used + sizeof(*event), memory_order_release);
}

static void
describe(void)
{
    static const char names[] =
#define FRUGAL_CALL_NAME(name) #name " "
        FRUGAL_CALLS(FRUGAL_CALL_NAME)
#undef FRUGAL_CALL_NAME
        ;

    _Static_assert(sizeof names <= sizeof header->names, "the names of all calls fit");
    header->version = 1;
    header->header_size = HEADER_SIZE;
    header->pid = frugal_pid();
    header->ppid = (uint32_t)syscall(SYS_getppid);
    header->started = frugal_now();
    header->calls = CALL_COUNT;
    header->event_size = sizeof(struct event);
    header->names_size = sizeof names - 1;
    memcpy(header->names, names, sizeof names - 1);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
    if (fd >= 0) {
        long size = syscall(SYS_read, fd, header->argv, sizeof header->argv);
        header->argv_size = size > 0 ? (uint32_t)size : 0;
        syscall(SYS_close, fd);
    }
}

static bool
begin(void *memory)
{
    header = memory;
    if (!populate(header, HEADER_SIZE + FIRST_CHUNK)) {
        munmap(header, capacity);
        header = NULL;
        return false;
    }
    madvise(header, capacity, MADV_DONTFORK);
    header->capacity = capacity;
    header->next = HEADER_SIZE;
    event_chunk_size = FIRST_CHUNK;
    describe();
    memcpy(header->magic, "FRUGREC1", 8);
    return true;
}

static int
create(void)
{
    char path[sizeof directory + 32];

    for (int number = 0; number < 100000; number++) {
        snprintf(path, sizeof path, "%s/%u.%d", directory, frugal_pid(), number); /* one file for each exec */
        int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/* Creates the file of this process. */
static bool
map_file(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < capacity) /* a larger file raises SIGXFSZ */
        capacity = limit.rlim_cur & ~(uint64_t)4095;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur / SHARE < capacity) /* the rest is for the program */
        capacity = limit.rlim_cur / SHARE & ~(uint64_t)4095;
    if (capacity < HEADER_SIZE + 4 * FIRST_CHUNK) return false;

    int fd = create();
    if (fd < 0) return false;
    void *memory = MAP_FAILED;
    can_populate = madvise(NULL, 0, MADV_POPULATE_WRITE) == 0;
    if (!can_populate && capacity > ALLOCATED) capacity = ALLOCATED;
    if ((can_populate ? syscall(SYS_ftruncate, fd, capacity) : syscall(SYS_fallocate, fd, 0, 0, capacity)) == 0)
        memory = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    return memory != MAP_FAILED && begin(memory);
}

bool
frugal_log_open(const char *folder, uint64_t most)
{
    if (strlen(folder) >= sizeof directory) return false;
    strcpy(directory, folder);
    capacity = most;
    return map_file();
}

/* Opens a log in memory, for a process that measures itself. The previous log is discarded; the caller resets the
 * definitions, which are in it. */
bool
frugal_log_open_anonymous(uint64_t most)
{
    if (header) munmap(header, capacity);
    frugal_log_forked();
    capacity = most;
    can_populate = false;
    void *memory = frugal_log_memory(most);
    return memory && begin(memory);
}

uint64_t
frugal_log_counted(enum call call)
{
    return header ? atomic_load_explicit(&header->counts[call], memory_order_relaxed) : 0;
}

const char *
frugal_log_bytes(size_t *size)
{
    *size = header ? header->next : 0;
    return (const char *)header;
}

/* Called in the child of a fork, which does not inherit the mapping. The caller resets the definitions. */
void
frugal_log_forked(void)
{
    header = NULL;
    generation++;
}

bool
frugal_log_reopen(void)
{
    return directory[0] && map_file();
}

void
frugal_log_set_ruby(const char *version)
{
    if (header) strncpy(header->ruby, version, sizeof header->ruby - 1);
}
