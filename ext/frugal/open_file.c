/* The descriptor of an object that threads read or write without the VM lock. */
#include "open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <ruby/io.h>
#include <ruby/thread.h>
#include <unistd.h>

#include "probe/probe.h"

static unsigned forks, ancestors; /* of this process */

static void
count_fork(void)
{
    forks++;
}

static void
count_ancestor(void)
{
    ancestors++;
}

void
frugal_open_file_init(void)
{
    pthread_atfork(NULL, count_fork, count_ancestor);
}

bool
frugal_open_file_open(frugal_open_file *file, VALUE path, int flags, mode_t permissions)
{
    VALUE name = rb_str_encode_ospath(path);
    int collected = 0;

    flags |= O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    *file = (frugal_open_file){ .path = path, .forks = forks, .ancestors = ancestors };
    while ((file->fd = open(RSTRING_PTR(name), flags, permissions)) < 0) {
        int error = errno;

        if (frugal_probe_retry(error, &collected)) continue;
        frugal_probe_miss(error, "rb_sysopen", path);
        return false;
    }
    RB_GC_GUARD(name);
    rb_update_max_fd(file->fd);
    return true;
}

bool
frugal_open_file_is_copied(const frugal_open_file *file)
{
    return file->forks != forks && !frugal_open_file_is_inherited(file);
}

bool
frugal_open_file_is_inherited(const frugal_open_file *file)
{
    return file->ancestors != ancestors;
}

void
frugal_open_file_mark(void *file)
{
    rb_gc_mark(((frugal_open_file *)file)->path);
}

static void
close_unused(frugal_open_file *file)
{
    if (file->fd >= 0 && file->users == 0) {
        close(file->fd);
        file->fd = -1;
    }
}

void
frugal_open_file_free(void *file)
{
    close_unused(file);
    xfree(file);
}

void
frugal_open_file_check(const frugal_open_file *file)
{
    if (file->is_closed) rb_raise(rb_eIOError, "closed file");
}

/* rb_thread_call_without_gvl2 runs no other code after `run`. So no rb_ensure is needed. */
void
frugal_open_file_use(frugal_open_file *file, void *(*run)(void *), void *call)
{
    while (true) {
        void *done;

        frugal_open_file_check(file);
        file->users++;
        done = rb_thread_call_without_gvl2(run, call, RUBY_UBF_IO, NULL);
        file->users--;
        if (file->is_closed) close_unused(file);
        if (done != NULL) return;
        frugal_probe_check_interrupts(); /* an interrupt is why it was not run */
    }
}

void
frugal_open_file_close(frugal_open_file *file)
{
    file->is_closed = true;
    close_unused(file);
}
