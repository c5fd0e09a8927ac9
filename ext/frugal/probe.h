/* What the probes share. */
#ifndef FRUGAL_PROBE_H
#define FRUGAL_PROBE_H

#include "frugal.h"

#include <ruby/io.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

/* A path as the system wants it, NUL-terminated; raises as core for what is none. */
VALUE frugal_probe_path(VALUE path);

/* nil for a miss; raises a fault, in the words of core's function of that name. */
VALUE frugal_probe_miss(int error, const char *namesake, VALUE path);

NORETURN(void frugal_probe_raise(int error, const char *namesake, VALUE path));

/*
 * What Ruby makes a File::Stat of. Ruby 4 asks statx(2) where the system has it,
 * since that also knows when a file was born.
 */
#if defined(RUBY_USE_STATX) && RUBY_USE_STATX
# define FRUGAL_PROBE_STATX
typedef rb_io_stat_data frugal_probe_stat;
#else
typedef struct stat frugal_probe_stat;
#endif

/* Fills in a frugal_probe_stat, by one system call; 0, or errno. From any thread. */
int frugal_probe_ask_stat(const char *path, void *st);

VALUE frugal_probe_stat_new(const frugal_probe_stat *st);

VALUE frugal_probe_time(struct timespec time);

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

void frugal_probe_batch_init(VALUE module);
void frugal_probe_contents_init(VALUE module);

#endif
