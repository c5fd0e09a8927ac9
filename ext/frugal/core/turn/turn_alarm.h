/* Ends a system call of this thread at a deadline, by sending it a signal. */
#ifndef FRUGAL_CORE_TURN_ALARM_H
#define FRUGAL_CORE_TURN_ALARM_H

#include <stdbool.h>
#include <time.h>

typedef struct {
    int timer; /* of the kernel */
} frugal_turn_alarm;

/*
 * From the deadline (of CLOCK_MONOTONIC) on, sends SIGVTALRM to this thread every 10 ms, until frugal_turn_alarm_end.
 * Repeating it is necessary because a signal that comes before the system call has no effect. Returns false if the
 * system has no such timer.
 */
bool frugal_turn_alarm_set(frugal_turn_alarm *alarm, const struct timespec *deadline);

void frugal_turn_alarm_end(const frugal_turn_alarm *alarm);

#endif
