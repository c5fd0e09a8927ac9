/* Paths, misses, faults and retries, for all bindings to the file system. */
#ifndef FRUGAL_PROBE_H
#define FRUGAL_PROBE_H

#include "binding.h"

#include <ruby/io.h>
#include <ruby/thread.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

/* The path of a String or an object with to_path, NUL-terminated. Raises Ruby's own TypeError or ArgumentError. */
VALUE frugal_probe_path(VALUE path);

/* Returns nil for a miss. Raises a fault; its message names `function`, Ruby's C function that would raise it. */
VALUE frugal_probe_miss(int error, const char *function, VALUE path);

NORETURN(void frugal_probe_raise(int error, const char *function, VALUE path));

/*
 * The structure from which Ruby makes a File::Stat. Ruby 4 uses statx(2) where the
 * system has it, since that also returns the birth time.
 */
#if defined(RUBY_USE_STATX) && RUBY_USE_STATX
#define FRUGAL_PROBE_STATX
typedef rb_io_stat_data frugal_probe_stat;
#else
typedef struct stat frugal_probe_stat;
#endif

/* Fills in a frugal_probe_stat by one system call. Returns 0 or an errno. May be called without the VM lock. */
int frugal_probe_ask_stat(const char *path, void *st);

VALUE frugal_probe_stat_new(const frugal_probe_stat *st);

VALUE frugal_probe_time(struct timespec time);

/*
 * Whether to try again after an error that the path did not cause: a signal came (and its handler did not raise), or
 * descriptors or memory ran out, which a garbage collection may free. `collected` must be 0 before the first try; it
 * becomes 1 after the only collection.
 */
int frugal_probe_retry(int error, int *collected);

/*
 * The Thread that makes a call, for frugal_probe_interrupted: a copy of the object's header, outside the heap. While
 * another thread compacts the heap, the pages of the heap are protected. A thread without the VM lock that reads the
 * object then makes Ruby move objects back in the middle of the compaction.
 */
typedef struct {
    struct RTypedData header;
} frugal_probe_thread;

/* Copies the current thread. Returns the argument for frugal_probe_interrupted, valid until the call ends. */
void *frugal_probe_copy_thread(frugal_probe_thread *thread);

/*
 * Whether an interrupt is pending for a thread that runs without the VM lock. Ruby normally calls the thread's
 * unblocking function then. Ruby does not call it if the signal was delivered to another thread that has ended, so long
 * calls also check this.
 */
bool frugal_probe_interrupted(void *thread);

/*
 * Handles interrupts as rb_thread_check_ints does: signal handlers run, and exceptions from other threads are raised.
 * Such an exception is noted as the program's: see probe_interrupts.c.
 */
void frugal_probe_check_interrupts(void);

/*
 * Calls `run` once without the VM lock, as rb_nogvl does. Before and after the call of `run`, an interrupt may raise.
 * `cancel` makes `run` return early; the flags are those of rb_nogvl.
 */
void *frugal_probe_wait_unlocked(void *(*run)(void *), void *call, rb_unblock_function_t *cancel, void *cancelled,
                                 int flags);

/*
 * Does the same as frugal_probe_wait_unlocked. `cancel` must be async-signal-safe, like the cancel functions of core/
 * (one atomic store). So Ruby need not start a thread to call `cancel`.
 */
void frugal_probe_run_unlocked(void *(*run)(void *), void (*cancel)(void *), void *call);

void frugal_probe_init(VALUE engine);
void frugal_probe_interrupts_init(VALUE engine);
void frugal_probe_batch_init(VALUE module);
void frugal_probe_contents_init(VALUE engine, VALUE module);

#endif
