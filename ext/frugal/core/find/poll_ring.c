#ifdef __linux__

#include "core/find/poll_ring.h"

#include <unistd.h>

void
frugal_find_ring_init(frugal_poll_ring *ring)
{
    ring->fd = -1;
}

bool
frugal_find_ring_is_open(const frugal_poll_ring *ring)
{
    return ring->fd >= 0;
}

#ifdef __has_include
#if __has_include(<linux/io_uring.h>)
#include <linux/io_uring.h>
#endif
#endif

#ifdef IORING_SETUP_DEFER_TASKRUN

#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { POLL = 1, REMOVE = 2 }; /* user_data of the two requests */

/* A number for this thread that is never reused, unlike its id or an address. */
static uint64_t
this_thread(void)
{
    static atomic_uint_fast64_t threads;
    static _Thread_local uint64_t number;

    if (number == 0) number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
    return number;
}

static unsigned
load(const unsigned *shared)
{
    return __atomic_load_n(shared, __ATOMIC_ACQUIRE);
}

/* Lets the kernel handle pending events and `requests` new requests. Returns false on an error. */
static bool
enter(const frugal_poll_ring *ring, unsigned requests)
{
    return syscall(SYS_io_uring_enter, ring->fd, requests, 0, IORING_ENTER_GETEVENTS, NULL, 0) == (long)requests;
}

static struct io_uring_sqe *
new_request(const frugal_poll_ring *ring, uint64_t name)
{
    struct io_uring_sqe *entry = ring->entry;

    memset(entry, 0, sizeof(*entry));
    entry->user_data = name;
    return entry;
}

static bool
submit(frugal_poll_ring *ring)
{
    __atomic_store_n(ring->submitted, *ring->submitted + 1, __ATOMIC_RELEASE);
    return enter(ring, 1);
}

static bool
poll_on(frugal_poll_ring *ring)
{
    struct io_uring_sqe *entry = new_request(ring, POLL);

    entry->opcode = IORING_OP_POLL_ADD;
    entry->fd = ring->polled;
    entry->len = IORING_POLL_ADD_MULTI; /* the poll goes on after an event */
    entry->poll32_events = POLLIN;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    entry->poll32_events <<= 16; /* the kernel expects swapped halves: see io_uring_prep_poll_add(3) of liburing */
#endif
    return submit(ring);
}

static bool
map(frugal_poll_ring *ring, const struct io_uring_params *made)
{
    const int access = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_POPULATE;
    char *rings;

    ring->rings_size = made->cq_off.cqes + made->cq_entries * sizeof(struct io_uring_cqe);
    if (ring->rings_size < made->sq_off.array + made->sq_entries * sizeof(unsigned)) {
        ring->rings_size = made->sq_off.array + made->sq_entries * sizeof(unsigned);
    }
    ring->entry_size = made->sq_entries * sizeof(struct io_uring_sqe);
    ring->rings = mmap(NULL, ring->rings_size, access, flags, ring->fd, IORING_OFF_SQ_RING);
    ring->entry = mmap(NULL, ring->entry_size, access, flags, ring->fd, IORING_OFF_SQES);
    if (ring->rings == MAP_FAILED || ring->entry == MAP_FAILED) return false;
    rings = ring->rings;
    ring->flags = (unsigned *)(rings + made->sq_off.flags);
    ring->submitted = (unsigned *)(rings + made->sq_off.tail);
    ring->taken = (unsigned *)(rings + made->cq_off.head);
    ring->arrived = (unsigned *)(rings + made->cq_off.tail);
    ring->completions = rings + made->cq_off.cqes;
    ring->completions_mask = made->cq_entries - 1;
    ((unsigned *)(rings + made->sq_off.array))[0] = 0; /* the only place of the queue refers to the only entry */
    return true;
}

bool
frugal_find_ring_open(frugal_poll_ring *ring, int polled)
{
    struct io_uring_params made = { .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
                                             IORING_SETUP_TASKRUN_FLAG };

    ring->rings = ring->entry = MAP_FAILED;
    ring->polled = polled;
    ring->thread = this_thread();
    ring->fd = (int)syscall(SYS_io_uring_setup, 1, &made);
    if (ring->fd < 0) return false;
    if (made.features & IORING_FEAT_SINGLE_MMAP && made.sq_entries == 1 && map(ring, &made) && poll_on(ring))
        return true;
    frugal_find_ring_close(ring, false);
    return false;
}

void
frugal_find_ring_close(frugal_poll_ring *ring, bool ours)
{
    if (ring->fd < 0) return;
    if (ours && ring->thread == this_thread()) {
        struct io_uring_sqe *entry = new_request(ring, REMOVE);

        entry->opcode = IORING_OP_POLL_REMOVE;
        entry->fd = -1;
        entry->addr = POLL;
        submit(ring); /* if it fails, the kernel ends the poll soon after the close */
    }
    if (ring->rings != MAP_FAILED) munmap(ring->rings, ring->rings_size);
    if (ring->entry != MAP_FAILED) munmap(ring->entry, ring->entry_size);
    close(ring->fd);
    ring->fd = -1;
}

bool
frugal_find_ring_is_quiet(const frugal_poll_ring *ring)
{
    return ring->fd >= 0 && load(ring->flags) == 0 && load(ring->arrived) == *ring->taken &&
           ring->thread == this_thread();
}

int
frugal_find_ring_take(frugal_poll_ring *ring)
{
    const struct io_uring_cqe *completions = ring->completions;
    unsigned arrived, at = *ring->taken;
    bool polls = true, events;

    if (ring->thread != this_thread()) return 1; /* the caller must read the descriptor to find out */
    if (!enter(ring, 0)) return -1;
    arrived = load(ring->arrived);
    for (events = at != arrived; at != arrived; at++) {
        const struct io_uring_cqe *completion = &completions[at & ring->completions_mask];

        if (completion->res < 0) return -1;
        polls = (completion->flags & IORING_CQE_F_MORE) != 0;
    }
    __atomic_store_n(ring->taken, at, __ATOMIC_RELEASE);
    return polls || poll_on(ring) ? events : -1;
}

#else /* the system's headers are older than Linux 6.1 */

bool
frugal_find_ring_open(frugal_poll_ring *ring, int polled)
{
    (void)ring, (void)polled;
    return false;
}

void
frugal_find_ring_close(frugal_poll_ring *ring, bool ours)
{
    (void)ring, (void)ours;
}

bool
frugal_find_ring_is_quiet(const frugal_poll_ring *ring)
{
    (void)ring;
    return false;
}

int
frugal_find_ring_take(frugal_poll_ring *ring)
{
    (void)ring;
    return -1;
}

#endif

#else

typedef int frugal_poll_ring_is_linux_only; /* ISO C forbids an empty file */

#endif
