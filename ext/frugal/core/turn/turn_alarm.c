/* Ends a system call of this thread at a deadline. A Linux timer sends the signal to this thread only. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "core/turn/turn_alarm.h"

#ifdef __linux__

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AGAIN = 10000000 }; /* ns */

/*
 * Makes the system calls directly: older C libraries have these functions in a separate library, and name the field
 * differently.
 */
static bool
start(const frugal_turn_alarm *alarm, const struct timespec *deadline)
{
    struct itimerspec times = { .it_value = *deadline, .it_interval = { .tv_nsec = AGAIN } };

#ifdef SYS_timer_settime64
    if (sizeof(deadline->tv_sec) > sizeof(long)) {
        return syscall(SYS_timer_settime64, alarm->timer, TIMER_ABSTIME, &times, NULL) == 0;
    }
#endif
    return syscall(SYS_timer_settime, alarm->timer, TIMER_ABSTIME, &times, NULL) == 0;
}

bool
frugal_turn_alarm_set(frugal_turn_alarm *alarm, const struct timespec *deadline)
{
    struct sigevent event;
    int thread = (int)syscall(SYS_gettid);

    memset(&event, 0, sizeof(event));
    event.sigev_notify = 4; /* SIGEV_THREAD_ID */
    event.sigev_signo = SIGVTALRM;
    /* The thread's number is the first field of a union after the other three fields. */
    memcpy((char *)&event + sizeof(event.sigev_value) + 2 * sizeof(int), &thread, sizeof(thread));
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &alarm->timer) != 0) return false;
    if (start(alarm, deadline)) return true;
    frugal_turn_alarm_end(alarm);
    return false;
}

void
frugal_turn_alarm_end(const frugal_turn_alarm *alarm)
{
    syscall(SYS_timer_delete, alarm->timer);
}

#else

bool
frugal_turn_alarm_set(frugal_turn_alarm *alarm, const struct timespec *deadline)
{
    (void)alarm, (void)deadline;
    return false;
}

void
frugal_turn_alarm_end(const frugal_turn_alarm *alarm)
{
    (void)alarm;
}

#endif
