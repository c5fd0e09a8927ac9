/*
 * Waits: calls that give the world outside of the process time to change something, or that bring news from it. What a
 * thread has learned about files before a wait may be out of date after it, see lib/frugal/profile/findings/actors.rb.
 *
 * A wait has no stack and no duration: only its place between the other events of the thread matters. So the log has at
 * most one wait between two of them.
 *
 * calls_wait.c records the waits of libc. Threads of Ruby wait for each other without libc, and for children in several
 * ways. So Ruby's methods are wrapped, too. They record the wait in advance, because an exception may end it. From Ruby
 * 3.2 on, some of them are written in Ruby: each gets a TracePoint of its own, which costs nothing elsewhere.
 */
#define _GNU_SOURCE
#include "methods.h"
#include "recorder.h"
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

void
frugal_end_wait(struct event *event)
{
    struct thread *thread = &frugal_thread;

    thread->waits++;
    if (frugal_answers || thread->waited || frugal_by_thread) return;
    event->fd = -1;
    frugal_end(event, CALL_wait, false);
    thread->waited = true;
}

/* The result is that of a call that reads or accepts. One that would have blocked brings no news. */
bool
frugal_is_news(long result)
{
    return result >= 0 || errno != EAGAIN;
}

/* Ruby calls it at the begin of a thread, which may have the kernel's thread of one that has ended. */
void
frugal_on_thread(unsigned long unused, void *event_of_ruby)
{
    frugal_note_wait();
}

void
frugal_note_wait(void)
{
    struct event event;

    if (frugal_begin(&event)) frugal_end_wait(&event);
}

/* Whether the arguments are those of a method that waits for a child. With WNOHANG, only a child that has ended is news,
 * which waitpid(2) records. A second argument of ConditionVariable#wait may look like WNOHANG, but this method calls
 * Mutex#sleep. */
static bool
is_wait(int argc, const VALUE *argv)
{
    return argc < 2 || !(argv[1] & 1) || !((long)argv[1] >> 1 & WNOHANG);
}

/* A method that takes any number of arguments, and waits under the condition; one that takes none. */
#define METHOD_IF(condition, name) \
    static VALUE (*stock_##name)(int, const VALUE *, VALUE); \
    static VALUE name(int argc, const VALUE *argv, VALUE self) \
    { \
        if (condition) frugal_note_wait(); \
        return stock_##name(argc, argv, self); \
    }
#define METHOD(name) METHOD_IF(true, name)
#define WAIT_METHOD(name) METHOD_IF(is_wait(argc, argv), name)
#define METHOD_0(name) \
    static VALUE (*stock_##name)(VALUE); \
    static VALUE name(VALUE self) \
    { \
        frugal_note_wait(); \
        return stock_##name(self); \
    }

METHOD(kernel_sleep)
METHOD(mutex_sleep)
WAIT_METHOD(wait_1)
WAIT_METHOD(wait_2)
WAIT_METHOD(wait_3)
WAIT_METHOD(wait_4)
WAIT_METHOD(process_waitpid)
WAIT_METHOD(process_wait2)
WAIT_METHOD(process_waitpid2)
METHOD_0(process_waitall)
METHOD(thread_join)
METHOD_0(thread_value)
METHOD_0(thread_stop)
METHOD(queue_pop)
METHOD(sized_queue_pop)
METHOD(sized_queue_push)

/* In the core, all methods `sleep` and `wait` wait, and all methods `pop` and `push` but those of Array. Several classes
 * have methods of one name: each takes the next row. */
#define ROW(owner, name, arity, function) \
    { \
        owner, name, arity, (method)function, (method *)&stock_##function \
    }
const struct frugal_method frugal_wait_methods[] = {
    ROW(CORE, "sleep", -1, kernel_sleep),
    ROW(CORE, "sleep", -1, mutex_sleep),
    ROW(CORE, "wait", -1, wait_1),
    ROW(CORE, "wait", -1, wait_2),
    ROW(CORE, "wait", -1, wait_3),
    ROW(CORE, "wait", -1, wait_4),
    ROW(CORE, "waitpid", -1, process_waitpid),
    ROW(CORE, "wait2", -1, process_wait2),
    ROW(CORE, "waitpid2", -1, process_waitpid2),
    ROW(CORE, "waitall", 0, process_waitall),
    ROW("rb_cThread", "join", -1, thread_join),
    ROW("rb_cThread", "value", 0, thread_value),
    ROW(CORE, "stop", 0, thread_stop),
    ROW(CORE_BUT_ARRAY, "pop", -1, queue_pop),
    ROW(CORE_BUT_ARRAY, "pop", -1, sized_queue_pop),
    ROW(CORE_BUT_ARRAY, "push", -1, sized_queue_push),
    { 0 },
};

#define EVENT_CALL 0x8u /* of a method that is written in Ruby */

static void
called(VALUE tracepoint, void *unused)
{
    frugal_note_wait();
}

static VALUE
nil(void)
{
    return strcmp(frugal_ruby_version(), "3.2") < 0 ? 8 : 4;
}

/* Records a wait at each call of a method that is written in Ruby. Raises an exception of Ruby if it cannot. */
void
frugal_wait_at(VALUE method)
{
    VALUE tracepoint = OF_RUBY(rb_tracepoint_new)(0, EVENT_CALL, called, NULL), options = OF_RUBY(rb_hash_new)();

    OF_RUBY(rb_hash_aset)(options, OF_RUBY(rb_str_intern)(OF_RUBY(rb_str_new_cstr)("target")), method);
    OF_RUBY(rb_gc_register_mark_object)(tracepoint);
    OF_RUBY(rb_funcallv_kw)(tracepoint, OF_RUBY(rb_intern)("enable"), 1, &options, 1);
    OF_RUBY(rb_obj_hide)(tracepoint); /* from ObjectSpace */
}

/* Traces a method, given as "Class#name", if it is written in Ruby. */
static VALUE
trace(VALUE text)
{
    const char *method_name = (const char *)text, *hash = strchr(method_name, '#');
    char class_name[64] = "";

    memcpy(class_name, method_name, (size_t)(hash - method_name));
    VALUE name = OF_RUBY(rb_str_new_cstr)(hash + 1);
    VALUE method = OF_RUBY(rb_funcall)(OF_RUBY(rb_path2class)(class_name), OF_RUBY(rb_intern)("instance_method"), 1,
                                       name);
    VALUE place = OF_RUBY(rb_funcall)(method, OF_RUBY(rb_intern)("source_location"), 0);
    if (place != nil()) frugal_wait_at(method);
    return place;
}

/* Called when the VM has started, and in each copy of the process, which has another log. */
void
frugal_waits_note(void)
{
    if (frugal_ruby_version() && !stock_kernel_sleep) frugal_log_count(CALL_unseen);
}

bool
frugal_can_trace(void)
{
    return OF_RUBY(rb_funcallv_kw) && OF_RUBY(rb_tracepoint_new) && OF_RUBY(rb_obj_hide);
}

/* Called before the program starts, when all methods of the core exist. */
void
frugal_waits_of_ruby(void)
{
    static const char *const methods[] = {
        "Thread::Queue#pop", "Thread::SizedQueue#pop", "Thread::SizedQueue#push",        "Thread::Mutex#sleep",
        "Thread#join",       "Thread#value",           "Thread::ConditionVariable#wait", "Kernel#sleep"
    };

    if (!frugal_can_trace()) return;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        int failed = 0;
        OF_RUBY(rb_protect)(trace, (VALUE)methods[i], &failed);
        if (failed) OF_RUBY(rb_set_errinfo)(nil());
    }
}
