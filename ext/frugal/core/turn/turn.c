/* A fair lock for processes and threads: places in a queue, as locks of bytes. turn.h has the rules. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* F_OFD_SETLK */
#endif
#include "core/turn/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/turn/turn_alarm.h"

/* The bytes of one slot. A place is a time modulo SPAN; when it wraps, every 76 hours, waiters may be overtaken. */
#define SPAN (INT64_C(1) << 38)

enum { LONGEST_PAUSE = 5000000 }; /* ns between two attempts, if no alarm can end a wait in the kernel */

/* Takes a lock; with `waits`, waits for it. Returns 0, EAGAIN, or another errno. */
typedef int attempt(const frugal_turn *turn, bool waits);

static bool
passed(const struct timespec *deadline)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > deadline->tv_sec || (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec);
}

static int
wait_by_attempts(attempt *take, const frugal_turn *turn, const struct timespec *deadline)
{
    struct timespec pause = { .tv_nsec = LONGEST_PAUSE / 16 };
    int error;

    while ((error = take(turn, false)) == EAGAIN) {
        if (passed(deadline)) return ETIMEDOUT;
        if (nanosleep(&pause, NULL) != 0) return EINTR;
        if (pause.tv_nsec < LONGEST_PAUSE) pause.tv_nsec *= 2;
    }
    return error;
}

static int
wait_for(attempt *take, const frugal_turn *turn, const struct timespec *deadline)
{
    frugal_turn_alarm alarm;
    int error;

    if (deadline == NULL) return take(turn, true);
    if (!frugal_turn_alarm_set(&alarm, deadline)) return wait_by_attempts(take, turn, deadline);
    error = take(turn, true);
    frugal_turn_alarm_end(&alarm);
    return error == EINTR && passed(deadline) ? ETIMEDOUT : error;
}

static int
take_flock(const frugal_turn *turn, bool waits)
{
    return flock(turn->fd, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
}

int
frugal_turn_wait_flock(int fd, const struct timespec *deadline)
{
    frugal_turn turn = { .fd = fd };

    return wait_for(take_flock, &turn, deadline);
}

struct timespec
frugal_turn_deadline(double seconds)
{
    struct timespec time;
    time_t whole = seconds > 1e9 ? (time_t)1000000000 : (time_t)seconds;

    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += whole;
    if (seconds <= 1e9) time.tv_nsec += (long)((seconds - (double)whole) * 1e9);
    if (time.tv_nsec < 1000000000) return time;
    time.tv_sec++;
    time.tv_nsec -= 1000000000;
    return time;
}

#ifdef F_OFD_SETLK

static int
lock(const frugal_turn *turn, int command, short type, int64_t from, int64_t size)
{
    struct flock range = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)(turn->slot * SPAN + from), .l_len = (off_t)size
    };

    if (fcntl(turn->fd, command, &range) == 0) return 0;
    return errno == EACCES ? EAGAIN : errno;
}

/* The place of a thread that begins to wait now. */
static int64_t
present(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1 + ((int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000) % (SPAN - 2);
}

/* The end of the oldest lock in a range, from the start of the slot; 0 if there is none. */
static int64_t
end_of_lock(const frugal_turn *turn, int64_t from, int64_t size)
{
    struct flock other = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)(turn->slot * SPAN + from), .l_len = (off_t)size
    };
    int64_t end;

    if (fcntl(turn->fd, F_OFD_GETLK, &other) != 0 || other.l_type == F_UNLCK) return 0;
    end = (int64_t)other.l_start + (int64_t)other.l_len - turn->slot * SPAN;
    return other.l_len == 0 || end > SPAN ? SPAN : end;
}

int64_t
frugal_turn_first(const frugal_turn *turn)
{
    return end_of_lock(turn, 0, turn->place == 0 ? present() : turn->place);
}

/* If no place is free, the waiter gets the last one, without locking it. */
static int
take_place(frugal_turn *turn)
{
    int64_t place = present();
    int error = 0;

    while (place < SPAN && (error = lock(turn, F_OFD_SETLK, F_WRLCK, place, 1)) == EAGAIN) {
        int64_t end = end_of_lock(turn, place, 1);

        if (end != 0) place = end; /* the place after that lock */
    }
    if (error != 0 && error != EAGAIN) return error;
    turn->place = place < SPAN ? place : SPAN - 1;
    return 0;
}

static int
take_turn(const frugal_turn *turn, bool waits)
{
    return lock(turn, waits ? F_OFD_SETLKW : F_OFD_SETLK, F_WRLCK, 0, turn->place + 1);
}

int
frugal_turn_try(const frugal_turn *turn)
{
    return lock(turn, F_OFD_SETLK, F_WRLCK, 0, present() + 1);
}

int
frugal_turn_wait(frugal_turn *turn, const struct timespec *deadline)
{
    int error = turn->place == 0 ? take_place(turn) : 0;

    return error == 0 ? wait_for(take_turn, turn, deadline) : error;
}

int
frugal_turn_end(frugal_turn *turn)
{
    turn->place = 0;
    return lock(turn, F_OFD_SETLK, F_UNLCK, 0, SPAN);
}

#else

int
frugal_turn_try(const frugal_turn *turn)
{
    (void)turn;
    return ENOSYS;
}

int
frugal_turn_wait(frugal_turn *turn, const struct timespec *deadline)
{
    (void)turn, (void)deadline;
    return ENOSYS;
}

int64_t
frugal_turn_first(const frugal_turn *turn)
{
    (void)turn;
    return 0;
}

int
frugal_turn_end(frugal_turn *turn)
{
    (void)turn;
    return ENOSYS;
}

#endif
