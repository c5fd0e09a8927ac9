/*
 * Calls without the VM lock, and the exceptions that end them.
 *
 * An exception that Thread#raise, a Timeout or a signal handler raises while a call waits belongs to the program,
 * whatever its class. Its backtrace is the same as that of an error of the call. So such exceptions are noted here, and
 * interruption? finds them. Most noted exceptions are never looked up. (An ObjectSpace::WeakMap could hold them, but it
 * does not survive GC.compact before Ruby 3.3.)
 */
#include "probe/probe.h"

#include <ruby/ractor.h>
#include <ruby/thread.h>

#include "core/probe/probe.h"

#define NOTED 256 /* more than the threads that have an unhandled exception at the same time */

/* The identifiers of the last exceptions that were noted. Ruby never reuses an identifier. */
typedef struct {
    VALUE ids[NOTED];
    size_t count;
} noted_list;

static rb_ractor_local_key_t noted_key;

static void
note(VALUE error)
{
    noted_list *noted = rb_ractor_local_storage_ptr(noted_key);

    if (noted == NULL) rb_ractor_local_storage_ptr_set(noted_key, noted = ZALLOC(noted_list));
    noted->ids[noted->count++ % NOTED] = rb_obj_id(error);
}

/* A throw or the end of a thread also gets here. Then Ruby's current error is not an exception object. */
static bool
is_exception(VALUE error)
{
    if (SPECIAL_CONST_P(error) || BUILTIN_TYPE(error) == T_IMEMO) return false;
    return RTEST(rb_obj_is_kind_of(error, rb_eException));
}

static VALUE
check(VALUE unused)
{
    rb_thread_check_ints();
    return Qnil;
}

void
frugal_probe_check_interrupts(void)
{
    VALUE error;
    int state = 0;

    rb_protect(check, Qnil, &state);
    if (state == 0) return;
    error = rb_errinfo();
    if (is_exception(error)) {
        note(error);
        rb_set_errinfo(error);
    }
    rb_jump_tag(state);
}

typedef struct {
    void *(*run)(void *);
    void *call, *result;
    bool done;
} unlocked_call;

static void *
run_unlocked(void *arg)
{
    unlocked_call *unlocked = arg;

    unlocked->result = unlocked->run(unlocked->call);
    unlocked->done = true;
    return NULL;
}

void *
frugal_probe_wait_unlocked(void *(*run)(void *), void *call, rb_unblock_function_t *cancel, void *cancelled, int flags)
{
    unlocked_call unlocked = { .run = run, .call = call };

    while (!unlocked.done) {
        rb_nogvl(run_unlocked, &unlocked, cancel, cancelled, flags | RB_NOGVL_INTR_FAIL);
        /* `run` is also not called if Ruby itself has an interrupt to handle. */
        if (!unlocked.done || rb_thread_interrupted(rb_thread_current())) frugal_probe_check_interrupts();
    }
    return unlocked.result;
}

void
frugal_probe_run_unlocked(void *(*run)(void *), void (*cancel)(void *), void *call)
{
    frugal_probe_wait_unlocked(run, call, cancel, call, RB_NOGVL_UBF_ASYNC_SAFE);
}

/* interruption?(error) -> whether the exception came from outside the engine, while the engine waited */
static VALUE
probe_interruption_p(VALUE self, VALUE error)
{
    const noted_list *noted = rb_ractor_local_storage_ptr(noted_key);
    VALUE id;

    if (noted == NULL) return Qfalse;
    id = rb_obj_id(error);
    for (size_t i = 0; i < NOTED && i < noted->count; i++) {
        if (rb_equal(noted->ids[i], id)) return Qtrue;
    }
    return Qfalse;
}

void
frugal_probe_interrupts_init(VALUE engine)
{
    noted_key = rb_ractor_local_storage_ptr_newkey(&rb_ractor_local_storage_type_free);
    rb_define_singleton_method(engine, "interruption?", probe_interruption_p, 1);
}
