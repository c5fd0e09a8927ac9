/* What the probes share. */
#ifndef FRUGAL_PROBE_H
#define FRUGAL_PROBE_H

#include "frugal.h"

#include <stdbool.h>

/* A path as the system wants it, NUL-terminated; raises as core for what is none. */
VALUE frugal_probe_path(VALUE path);

/* nil for a miss; raises a fault, in the words of core's function of that name. */
VALUE frugal_probe_miss(int error, const char *namesake, VALUE path);

NORETURN(void frugal_probe_raise(int error, const char *namesake, VALUE path));

/*
 * Whether to go on after a failure that says nothing about the path: a signal
 * came (and its handler did not raise), or descriptors ran out, some of which
 * may hang on garbage. `collected` starts as 0.
 */
int frugal_probe_retry(int error, int *collected);

/*
 * Whether something waits for a thread that runs without the lock. Ruby cancels
 * such a thread by calling its unblocking function; but a signal that came to
 * another thread, which then ended, finds nobody to call it.
 */
bool frugal_probe_interrupted(void *thread);

/*
 * Runs without the VM lock what ends by a cancel of the core's, which is one
 * store to an atomic. Said so, Ruby starts no thread only to call it.
 */
void frugal_probe_run_unlocked(void *(*run)(void *), void (*cancel)(void *), void *call);

void frugal_probe_contents_init(void);

#endif
