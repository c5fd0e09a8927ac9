/* Turns: exclusion in a storm of threads and processes, order, limits of time, signals, kills, and places that are taken. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* F_OFD_SETLK */
#endif
#include "core/turn/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* valgrind does not know that a lock of an open file may wait: it then runs no other thread, and delivers no signal. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { WAITS = true };
#else
enum { WAITS = false };
#endif
enum { THREADS = 4, PROCESSES = 3, TURNS = 60 };

static const char *const name = "turns";

typedef struct {
    atomic_int holders; /* at most one */
    atomic_int turns;
} shared_state;

static shared_state *state; /* of all processes */

static void
do_nothing(int signal)
{
    (void)signal;
}

static frugal_turn
open_turn(int64_t slot)
{
    frugal_turn turn = { .fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600), .slot = slot };

    CHECK(turn.fd >= 0);
    return turn;
}

static void
take(frugal_turn *turn)
{
    int error = frugal_turn_try(turn);

    while (error == EAGAIN || error == EINTR) error = frugal_turn_wait(turn, NULL);
    CHECK(error == 0);
}

static void *
take_turns(void *arg)
{
    frugal_turn turn = open_turn(7);

    (void)arg;
    for (int n = 0; n < TURNS; n++) {
        take(&turn);
        CHECK(state->holders++ == 0);
        state->turns++;
        usleep(20);
        CHECK(state->holders-- == 1);
        CHECK(frugal_turn_end(&turn) == 0);
    }
    close(turn.fd);
    return NULL;
}

static void
run_threads(void)
{
    pthread_t threads[THREADS];

    for (int n = 0; n < THREADS; n++) CHECK(pthread_create(&threads[n], NULL, take_turns, NULL) == 0);
    for (int n = 0; n < THREADS; n++) pthread_join(threads[n], NULL);
}

static void
check_exclusion(void)
{
    int status;

    memset(state, 0, sizeof(*state));
    for (int n = 0; n < PROCESSES; n++) {
        if (fork() != 0) continue;
        run_threads();
        _exit(0);
    }
    for (int n = 0; n < PROCESSES; n++) CHECK(wait(&status) > 0 && status == 0);
    CHECK(state->turns == PROCESSES * THREADS * TURNS);
}

static void
check_slots(void)
{
    frugal_turn one = open_turn(0), same = open_turn(0), last = open_turn(FRUGAL_TURN_SLOTS - 1), other = open_turn(1);

    CHECK(frugal_turn_first(&one) == 0);
    CHECK(frugal_turn_try(&one) == 0);
    CHECK(frugal_turn_try(&same) == EAGAIN);
    CHECK(frugal_turn_first(&same) > 0);
    CHECK(frugal_turn_try(&other) == 0 && frugal_turn_try(&last) == 0);
    CHECK(frugal_turn_end(&one) == 0 && frugal_turn_try(&same) == 0);
    close(one.fd), close(same.fd), close(last.fd), close(other.fd);
}

static void
check_limits(void)
{
    frugal_turn holder = open_turn(0), waiter = open_turn(0), next = open_turn(0);
    struct timespec past = frugal_turn_deadline(0), soon = frugal_turn_deadline(0.02),
                    late = frugal_turn_deadline(1e12);
    int error;

    CHECK(late.tv_sec > soon.tv_sec + 100000);
    CHECK(frugal_turn_try(&holder) == 0);
    CHECK(frugal_turn_wait(&waiter, &past) == ETIMEDOUT);
    while ((error = frugal_turn_wait(&waiter, &soon)) == EINTR) continue;
    CHECK(error == ETIMEDOUT && waiter.place != 0);
    frugal_turn_end(&holder);
    CHECK(frugal_turn_try(&next) == EAGAIN); /* the waiter has its place still */
    frugal_turn_end(&waiter);
    CHECK(waiter.place == 0 && frugal_turn_try(&next) == 0);
    close(holder.fd), close(waiter.fd), close(next.fd);
}

/* A signal ends a wait, and the place stays. */
static void
check_signals(void)
{
    frugal_turn holder = open_turn(0), waiter = open_turn(0);
    struct timespec late = frugal_turn_deadline(60);
    int64_t place;

    CHECK(frugal_turn_try(&holder) == 0);
    alarm(1);
    CHECK(frugal_turn_wait(&waiter, &late) == EINTR);
    place = waiter.place;
    frugal_turn_end(&holder);
    CHECK(frugal_turn_wait(&waiter, &late) == 0 && waiter.place == place);
    close(holder.fd), close(waiter.fd);
}

/* The clock of another machine, or of a container, may be ahead: places behind its own are left. */
static void
check_places_that_are_taken(void)
{
    frugal_turn holder = open_turn(3), waiter = open_turn(3), third = open_turn(3);
    struct timespec past = frugal_turn_deadline(0);
    struct flock ahead = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)3 << 38, .l_len = (off_t)1 << 37
    };
    struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)3 << 38, .l_len = (off_t)1 << 38 };

    CHECK(fcntl(holder.fd, F_OFD_SETLK, &ahead) == 0);
    CHECK(frugal_turn_wait(&waiter, &past) == ETIMEDOUT && waiter.place == INT64_C(1) << 37);
    CHECK(frugal_turn_wait(&third, &past) == ETIMEDOUT && third.place == (INT64_C(1) << 37) + 1);
    frugal_turn_end(&waiter), frugal_turn_end(&third);
    CHECK(fcntl(holder.fd, F_OFD_SETLK, &all) == 0); /* a version that has no places */
    CHECK(frugal_turn_wait(&waiter, &past) == ETIMEDOUT);
    close(holder.fd);
    CHECK(frugal_turn_wait(&waiter, &past) == 0);
    close(waiter.fd), close(third.fd);
}

static void
check_what_has_no_locks(void)
{
    frugal_turn path = { .fd = open(name, O_PATH | O_CLOEXEC) }, readable = { .fd = open(name, O_RDONLY | O_CLOEXEC) };

    CHECK(frugal_turn_try(&path) == EBADF && frugal_turn_wait(&path, NULL) == EBADF && frugal_turn_first(&path) == 0);
    CHECK(frugal_turn_try(&readable) == EBADF);
    close(path.fd), close(readable.fd);
}

static void
check_flock(void)
{
    frugal_turn one = open_turn(0), other = open_turn(0);
    struct timespec past = frugal_turn_deadline(0);

    CHECK(frugal_turn_wait_flock(one.fd, &past) == 0);
    CHECK(frugal_turn_wait_flock(other.fd, &past) == ETIMEDOUT);
    close(one.fd);
    CHECK(frugal_turn_wait_flock(other.fd, NULL) == 0);
    close(other.fd);
}

int
main(void)
{
    struct sigaction action = { .sa_handler = do_nothing };

    CHECK(sigaction(SIGVTALRM, &action, NULL) == 0 && sigaction(SIGALRM, &action, NULL) == 0);
    state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(state != MAP_FAILED);
    check_slots();
    check_what_has_no_locks();
    if (WAITS) {
        check_limits();
        check_signals();
        check_places_that_are_taken();
        check_flock();
        check_exclusion();
    }
    munmap(state, sizeof(*state));
    return 0;
}
