/*
 * The log of one process: a file that is mapped once, as large as it may become. Holes in it cost nothing, and what is
 * written survives kill -9, since it is in the page cache of the kernel at once.
 *
 * No descriptor stays open, so the log can grow after a chroot, after the loss of rights and after its folder was
 * removed. A page is populated before it is written: on a full disk madvise(2) says so, where a write would be SIGBUS.
 *
 *   header | chunk | chunk | ...
 *
 * A chunk of events belongs to one thread; a chunk of definitions to the process. Each chunk is as large as its header
 * says. `used` moves only after the bytes before it are complete.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HEADER_SIZE 16384
#define FIRST_CHUNK 16384
#define LAST_CHUNK (512 * 1024)
#define ALLOCATED (8 * 1024 * 1024) /* the whole log where pages cannot be populated later */
#define CHUNK_EVENTS 1
#define CHUNK_DEFINITIONS 2
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

struct header {
    char magic[8];
    uint32_t version, header_size;
    uint32_t pid, ppid;
    uint64_t started;
    uint64_t capacity;
    _Atomic uint64_t next; /* the end of the last chunk */
    _Atomic uint64_t dropped;
    uint32_t calls, event_size;
    uint32_t argv_size, names_size;
    char ruby[64];
    _Atomic uint64_t counts[128];
    char names[2048];
    char argv[HEADER_SIZE - 8 - 6 * 4 - 4 * 8 - 2 * 4 - 64 - 128 * 8 - 2048];
};
_Static_assert(sizeof(struct header) == HEADER_SIZE, "the reader knows this size");
_Static_assert(CALL_COUNT <= 128, "counts has room for each call");
_Static_assert(sizeof(struct event) == 64, "the reader knows this size");

struct chunk {
    uint32_t kind, size;
    _Atomic uint32_t used; /* bytes after this header */
    uint32_t tid;
    char bytes[];
};

/* An entry of the table of definitions. The bytes are those in the file. */
struct entry {
    uint64_t hash;
    const char *bytes;
    uint32_t id, size;
};

static struct header *header;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char directory[4096];
static uint64_t capacity;
static uint32_t generation = 1;
static struct chunk *definitions;
static uint32_t definition_count, definition_chunk_size, event_chunk_size;
static struct entry *table;
static size_t table_size;
static bool can_populate;

void
frugal_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void
frugal_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

uint32_t
frugal_log_generation(void)
{
    return generation;
}

/* Folds products of 64 x 64 bits, as the wyhash family does (Wang Yi, 2019). */
uint64_t
frugal_hash(const void *bytes, size_t size, uint64_t seed)
{
    const unsigned char *at = bytes;
    uint64_t hash = seed ^ (size * 0x9e3779b97f4a7c15u);

    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        __uint128_t product = (__uint128_t)(hash ^ word ^ 0xa0761d6478bd642fu) * 0xe7037ed1a0b428dbu;
        hash = (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    uint64_t last = 0;
    memcpy(&last, at, size);
    __uint128_t product = (__uint128_t)(hash ^ last ^ 0x8ebc6af09c88c6e3u) * 0x589965cc75374cc3u;
    hash = (uint64_t)product ^ (uint64_t)(product >> 64);
    return hash ? hash : 1;
}

/* Makes pages writable, or says that there is no room: a full disk, a quota, too little memory. */
static bool
populate(void *from, size_t size)
{
    if (!can_populate) return true;
    uintptr_t start = (uintptr_t)from & ~(uintptr_t)4095;

    return madvise((void *)start, (uintptr_t)from + size - start, MADV_POPULATE_WRITE) == 0;
}

/* The lock is held. */
static struct chunk *
allocate(uint32_t kind, uint32_t *size)
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

static void *
anonymous(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static bool
grow_table(void)
{
    size_t size = table_size ? table_size * 2 : 4096;
    struct entry *bigger = anonymous(size * sizeof(*bigger));

    if (!bigger) return false;
    for (size_t i = 0; i < table_size; i++) {
        if (!table[i].id) continue;
        size_t at = table[i].hash & (size - 1);
        while (bigger[at].id) at = (at + 1) & (size - 1);
        bigger[at] = table[i];
    }
    if (table) munmap(table, table_size * sizeof(*table));
    table = bigger;
    table_size = size;
    return true;
}

/* The lock is held. Returns the bytes after the new definition's header, or NULL. */
static char *
add_definition(enum definition kind, size_t size)
{
    size_t whole = 8 + ((size + 3) & ~(size_t)3);

    if (!definitions || atomic_load_explicit(&definitions->used, memory_order_relaxed) + whole + sizeof(*definitions) >
                            definitions->size) {
        if (whole + sizeof(struct chunk) > definition_chunk_size) return NULL;
        struct chunk *chunk = allocate(CHUNK_DEFINITIONS, &definition_chunk_size);
        if (!chunk) return NULL;
        definitions = chunk;
    }
    char *at = definitions->bytes + definitions->used;
    uint32_t head[2] = { kind, (uint32_t)size };
    memcpy(at, head, sizeof head);
    return at + 8;
}

static void
publish_definition(size_t size)
{
    atomic_store_explicit(&definitions->used, definitions->used + 8 + ((size + 3) & ~(size_t)3), memory_order_release);
    definition_count++;
}

/* Returns the id of the definition with these bytes, head and all, and makes it if it is new. The lock is held. */
uint32_t
frugal_log_define(enum definition kind, const void *head, size_t head_size, const void *bytes, size_t size)
{
    if (!header) return 0;
    if ((definition_count + 1) * 2 > table_size && !grow_table()) return 0;

    uint64_t hash = frugal_hash(bytes, size, head_size ? frugal_hash(head, head_size, kind) : kind);
    size_t at = hash & (table_size - 1), whole = head_size + size;
    for (; table[at].id; at = (at + 1) & (table_size - 1)) {
        const struct entry *entry = &table[at];
        if (entry->hash == hash && entry->size == whole && ((const uint32_t *)(entry->bytes - 8))[0] == kind &&
            memcmp(entry->bytes, head, head_size) == 0 && memcmp(entry->bytes + head_size, bytes, size) == 0)
            return entry->id;
    }
    char *place = add_definition(kind, whole);
    if (!place) return 0;
    if (head_size) memcpy(place, head, head_size);
    memcpy(place + head_size, bytes, size);
    publish_definition(whole);
    table[at] = (struct entry){ hash, place, definition_count, (uint32_t)whole };
    return definition_count;
}

uint32_t
frugal_log_string(const char *bytes, size_t size)
{
    return frugal_log_define(DEFINITION_STRING, "", 0, bytes, size);
}

/* Without room, the event is only counted. */
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
        chunk = allocate(CHUNK_EVENTS, &size);
        frugal_unlock();
        thread->log_generation = generation;
        thread->chunk = chunk;
        if (!chunk) {
            atomic_fetch_add_explicit(&header->dropped, 1, memory_order_relaxed);
            return;
        }
    }
    memcpy(chunk->bytes + chunk->used, event, sizeof(*event));
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
    definition_chunk_size = event_chunk_size = FIRST_CHUNK;
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
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < capacity) /* beyond it comes SIGXFSZ */
        capacity = limit.rlim_cur & ~(uint64_t)4095;
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

/* A log in memory, for a process that measures itself. What was in the one before is gone. */
bool
frugal_log_open_anonymous(uint64_t most)
{
    if (header) munmap(header, capacity);
    frugal_log_forked();
    capacity = most;
    can_populate = false;
    void *memory = anonymous(most);
    return memory && begin(memory);
}

uint64_t
frugal_log_count(enum call call)
{
    return header ? atomic_load_explicit(&header->counts[call], memory_order_relaxed) : 0;
}

const char *
frugal_log_bytes(size_t *size)
{
    *size = header ? header->next : 0;
    return (const char *)header;
}

/* In the child: the mapping did not come along. */
void
frugal_log_forked(void)
{
    pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

    mutex = fresh;
    header = NULL;
    generation++;
    definitions = NULL;
    definition_count = 0;
    if (table) munmap(table, table_size * sizeof(*table));
    table = NULL;
    table_size = 0;
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
