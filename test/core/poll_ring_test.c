/* Run in an empty directory. Where the system has no ring, or allows none, nothing can be tested. */
#include "core/find/poll_ring.h"

#include "check.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int inotify;
static frugal_poll_ring ring;

static void
open_both(void)
{
    inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    CHECK(inotify >= 0 && inotify_add_watch(inotify, ".", IN_CREATE | IN_DELETE) >= 0);
    CHECK(frugal_find_ring_open(&ring, inotify));
    CHECK(frugal_find_ring_is_open(&ring) && frugal_find_ring_is_quiet(&ring));
}

static void
close_both(void)
{
    frugal_find_ring_close(&ring, true);
    CHECK(!frugal_find_ring_is_open(&ring) && !frugal_find_ring_is_quiet(&ring));
    close(inotify);
}

/* Each call makes one event. */
static void
change(int number)
{
    int fd;

    if (number % 2) {
        CHECK(unlink("x") == 0);
        return;
    }
    fd = open("x", O_CREAT | O_WRONLY, 0666);
    CHECK(fd >= 0);
    close(fd);
}

static bool
drain(void)
{
    char events[4096];
    bool any = false;

    while (read(inotify, events, sizeof(events)) > 0) any = true;
    CHECK(errno == EAGAIN);
    return any;
}

/* Takes what there is, and proves that it was told. */
static void
take_events(void)
{
    CHECK(!frugal_find_ring_is_quiet(&ring));
    CHECK(frugal_find_ring_take(&ring) == 1 && drain());
    if (!frugal_find_ring_is_quiet(&ring)) CHECK(frugal_find_ring_take(&ring) == 0); /* an event during the read */
    CHECK(frugal_find_ring_is_quiet(&ring) && !drain());
}

static void
test_own_changes(void)
{
    open_both();
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < i % 3; k++) { /* several events before they are taken */
            change(0);
            change(1);
        }
        change(0);
        take_events();
        change(1);
        take_events();
        CHECK(frugal_find_ring_take(&ring) == 0);
    }
    close_both();
}

/* -- a change that this thread learns of in memory alone -- */

enum { ROUNDS = 200 };

static void
wait_for(atomic_int *turns, int turn)
{
    while (atomic_load(turns) != turn) sched_yield();
}

/* Makes the changes 0, 2, 4 … of the turns 0, 2, 4 … */
static void *
other_side(void *turns)
{
    for (int i = 0; i < ROUNDS; i++) {
        wait_for(turns, 2 * i);
        change(i);
        atomic_store((atomic_int *)turns, 2 * i + 1);
    }
    return NULL;
}

static void
check_turns(atomic_int *turns)
{
    for (int i = 0; i < ROUNDS; i++) {
        CHECK(frugal_find_ring_is_quiet(&ring));
        atomic_store(turns, 2 * i);
        wait_for(turns, 2 * i + 1);
        take_events();
    }
}

static void
test_changes_of_another_process(void)
{
    atomic_int *turns = mmap(NULL, sizeof(*turns), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child;
    int status;

    CHECK(turns != MAP_FAILED);
    atomic_store(turns, -1);
    open_both();
    child = fork();
    if (child == 0) {
        frugal_find_ring_close(&ring, false); /* which must not end the poll of its parent */
        other_side(turns);
        close(inotify); /* or valgrind reports it */
        _exit(0);
    }
    check_turns(turns);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    close_both();
    munmap(turns, sizeof(*turns));
}

static void
test_changes_of_another_thread(void)
{
    atomic_int turns = -1;
    pthread_t thread;

    open_both();
    CHECK(pthread_create(&thread, NULL, other_side, &turns) == 0);
    check_turns(&turns);
    CHECK(pthread_join(thread, NULL) == 0);
    close_both();
}

/* -- threads -- */

static void *
open_in_thread(void *unused)
{
    open_both();
    return unused;
}

/* Only the thread that polls can trust the memory: the kernel ends its poll with it. */
static void
test_a_thread_that_has_ended(void)
{
    pthread_t thread;

    CHECK(pthread_create(&thread, NULL, open_in_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
    for (int i = 0; i < 2; i++) {
        CHECK(!frugal_find_ring_is_quiet(&ring));
        change(i);
        CHECK(frugal_find_ring_take(&ring) == 1 && drain());
    }
    close_both();
}

/* -- descriptors -- */

/* The descriptor is free at once: a user may have 128 inotify descriptors, and the kernel ends a ring later than its close. */
static void
test_the_descriptor_is_free_after_the_close(void)
{
    for (int i = 0; i < 150; i++) {
        open_both();
        close_both();
    }
}

static void
test_closed_descriptors(void)
{
    int fd;

    open_both();
    fd = ring.fd;
    close(fd);
    change(0);
    CHECK(!frugal_find_ring_is_quiet(&ring)); /* the mapped memory outlives the descriptor */
    CHECK(frugal_find_ring_take(&ring) == -1);
    CHECK(open("x", O_RDONLY) == fd); /* the program's own file has the number now */
    CHECK(frugal_find_ring_take(&ring) == -1);
    close_both(); /* closes it */
    change(1);
    CHECK(frugal_find_ring_open(&ring, 1 << 20) && frugal_find_ring_take(&ring) == -1); /* nothing to poll */
    frugal_find_ring_close(&ring, true);
}

int
main(void)
{
    frugal_find_ring_init(&ring);
    CHECK(!frugal_find_ring_is_open(&ring) && !frugal_find_ring_is_quiet(&ring));
    if (!frugal_find_ring_open(&ring, 0)) return 0;
    frugal_find_ring_close(&ring, true);
    test_own_changes();
    test_changes_of_another_process();
    test_changes_of_another_thread();
    test_a_thread_that_has_ended();
    test_the_descriptor_is_free_after_the_close();
    test_closed_descriptors();
    return 0;
}

#else

int
main(void)
{
    return 0;
}

#endif
