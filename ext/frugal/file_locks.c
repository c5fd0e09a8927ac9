/* The two locks of an open file: its turn and flock(2). */
#include "file_locks.h"

#include <errno.h>
#include <sys/file.h>

#include "core/turn/turn.h"
#include "probe/probe.h"

typedef struct {
    frugal_open_file *file;
    void *(*run)(void *); /* one attempt; sets `error` */
    frugal_turn turn;
    int64_t first; /* the head of the queue, when the time began to run */
    int most;      /* how often the time may begin again */
    double seconds;
    struct timespec limit;
    const struct timespec *deadline; /* `limit`, or NULL */
    int error;
} wait_call;

static VALUE
answer(frugal_open_file *file, int error)
{
    if (error == 0) file->may_be_locked = true;
    return error == 0 ? Qtrue : error == EAGAIN || error == ETIMEDOUT ? Qfalse : Qnil;
}

/* Whether the head of the queue has changed. Then the wait goes on. */
static bool
moves(wait_call *call)
{
    int64_t before = call->first;

    if (call->most-- <= 0) return false;
    call->first = frugal_turn_first(&call->turn);
    call->limit = frugal_turn_deadline(call->seconds);
    return call->first != before;
}

static VALUE
wait_uninterrupted(VALUE arg)
{
    wait_call *call = (wait_call *)arg;

    do frugal_open_file_use(call->file, call->run, call); /* raises if an interrupt raises */
    while (call->error == EINTR || (call->error == ETIMEDOUT && moves(call)));
    return Qnil;
}

static wait_call
wait_call_of(frugal_open_file *file, void *(*run)(void *), VALUE seconds)
{
    wait_call call = { .file = file, .run = run, .error = EINTR };

    frugal_open_file_check(file);
    call.turn.fd = file->fd;
    call.turn.slot = file->slot;
    if (NIL_P(seconds)) return call;
    call.seconds = NUM2DBL(seconds);
    call.limit = frugal_turn_deadline(call.seconds);
    return call;
}

/* -- the turn -- */

VALUE
frugal_file_locks_try_turn(frugal_open_file *file)
{
    frugal_turn turn = { .fd = file->fd, .slot = file->slot };

    frugal_open_file_check(file);
    return answer(file, frugal_turn_try(&turn));
}

static void *
wait_turn_unlocked(void *arg)
{
    wait_call *call = arg;

    call->error = frugal_turn_wait(&call->turn, call->deadline);
    return call;
}

static VALUE
leave_queue(VALUE arg)
{
    wait_call *call = (wait_call *)arg;

    if (call->error != 0 && call->turn.place != 0 && call->file->fd == call->turn.fd) frugal_turn_end(&call->turn);
    return Qnil;
}

VALUE
frugal_file_locks_wait_turn(frugal_open_file *file, VALUE seconds, VALUE most)
{
    wait_call call = wait_call_of(file, wait_turn_unlocked, seconds);

    if (!NIL_P(seconds)) {
        call.deadline = &call.limit;
        call.most = NUM2INT(most) - 1;
        call.first = frugal_turn_first(&call.turn);
    }
    rb_ensure(wait_uninterrupted, (VALUE)&call, leave_queue, (VALUE)&call);
    return answer(file, call.error);
}

void
frugal_file_locks_end_turn(frugal_open_file *file)
{
    frugal_turn turn = { .fd = file->fd, .slot = file->slot };

    if (!file->is_closed && !frugal_open_file_is_inherited(file)) frugal_turn_end(&turn);
}

/* -- the lock -- */

static VALUE
lock_answer(frugal_open_file *file, int error)
{
    VALUE locked = answer(file, error);

    if (NIL_P(locked)) frugal_probe_raise(error, "rb_file_flock", file->path);
    return locked;
}

VALUE
frugal_file_locks_try_lock(frugal_open_file *file)
{
    frugal_open_file_check(file);
    while (flock(file->fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EINTR) return lock_answer(file, errno);
        frugal_probe_check_interrupts();
    }
    return lock_answer(file, 0);
}

static void *
wait_lock_unlocked(void *arg)
{
    wait_call *call = arg;

    call->error = frugal_turn_wait_flock(call->turn.fd, call->deadline);
    return call;
}

VALUE
frugal_file_locks_wait_lock(frugal_open_file *file, VALUE seconds)
{
    wait_call call = wait_call_of(file, wait_lock_unlocked, seconds);

    call.deadline = NIL_P(seconds) ? NULL : &call.limit;
    wait_uninterrupted((VALUE)&call);
    return lock_answer(file, call.error);
}

void
frugal_file_locks_unlock(frugal_open_file *file)
{
    frugal_open_file_check(file);
    if (frugal_open_file_is_inherited(file)) return;
    if (flock(file->fd, LOCK_UN) != 0) frugal_probe_raise(errno, "rb_file_flock", file->path);
}

/* The locks belong to the open file, which a copy of the descriptor keeps open. So they are released explicitly. */
void
frugal_file_locks_close(frugal_open_file *file)
{
    if (!file->is_closed && file->may_be_locked && frugal_open_file_is_copied(file)) {
        frugal_turn_end(&(frugal_turn){ .fd = file->fd, .slot = file->slot });
        flock(file->fd, LOCK_UN);
    }
    frugal_open_file_close(file);
}
