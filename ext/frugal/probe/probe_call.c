/*
 * Paths, misses, faults, and calls without the VM lock, for all probes.
 *
 * A miss is nil. A fault is raised with the message of Ruby's own method, which names a C function of Ruby. A call that
 * may block runs without the VM lock. It uses memory that no other thread can move or free, and runs inside rb_ensure,
 * since an interrupt may raise whenever the call returns.
 */
#include "probe/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "core/probe/probe.h"

VALUE
frugal_probe_path(VALUE path)
{
    return rb_str_encode_ospath(rb_get_path(path));
}

static int
is_miss(int error)
{
    return error == ENOENT || error == ENOTDIR;
}

void
frugal_probe_raise(int error, const char *function, VALUE path)
{
    VALUE args[3] = { rb_get_path(path), INT2NUM(error), rb_str_new_cstr(function) };

    rb_exc_raise(rb_class_new_instance(3, args, rb_eSystemCallError));
}

VALUE
frugal_probe_miss(int error, const char *function, VALUE path)
{
    if (!is_miss(error)) frugal_probe_raise(error, function, path);
    return Qnil;
}

/* Ruby's own methods also try again once after a garbage collection. */
int
frugal_probe_retry(int error, int *collected)
{
    if (error == EINTR) {
        frugal_probe_check_interrupts();
        return 1;
    }
    if (error == EFAULT) return 1; /* another thread was compacting the heap: see FRUGAL_BYTES_OUTSIDE */
    if ((error == EMFILE || error == ENFILE || error == ENOMEM) && !*collected) {
        *collected = 1;
        rb_gc();
        return 1;
    }
    return 0;
}

void *
frugal_probe_copy_thread(frugal_probe_thread *thread)
{
    memcpy(&thread->header, RTYPEDDATA(rb_thread_current()), sizeof(thread->header));
    return &thread->header;
}

bool
frugal_probe_interrupted(void *thread)
{
    return rb_thread_interrupted((VALUE)thread);
}

VALUE
frugal_probe_time(struct timespec time)
{
    return rb_time_nano_new(time.tv_sec, time.tv_nsec);
}

#ifdef FRUGAL_PROBE_STATX

int
frugal_probe_ask_stat(const char *path, void *st)
{
    return statx(AT_FDCWD, path, 0, STATX_BASIC_STATS | STATX_BTIME, st) == 0 ? 0 : errno;
}

VALUE
frugal_probe_stat_new(const frugal_probe_stat *st)
{
    return rb_statx_new(st);
}

#else

int
frugal_probe_ask_stat(const char *path, void *st)
{
    return stat(path, st) == 0 ? 0 : errno;
}

VALUE
frugal_probe_stat_new(const frugal_probe_stat *st)
{
    return rb_stat_new(st);
}

#endif
