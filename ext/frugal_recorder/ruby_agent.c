/*
 * The agent is a Ruby file, agent.rb, that frugal may put into the folder of the logs. Each Ruby that records itself
 * there loads the agent when its program starts. The program cannot see the agent: no environment variable names it, no
 * constant of Object refers to it, it is not in $LOADED_FEATURES, and its calls are not recorded. Rubies before 3.1,
 * which frugal does not support, do not load it.
 *
 * The agent finds the recorder in a thread variable, which exists only while the agent is being loaded.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef unsigned long VALUE; /* of Ruby */
#define VARIABLE "frugal_recorder"

static struct {
    VALUE (*module_new)(void);
    void (*define_singleton_method)(VALUE, const char *, VALUE (*)(), int);
    char *(*string_value_cstr)(volatile VALUE *);
    VALUE (*str_new_cstr)(const char *);
    VALUE (*intern)(const char *);
    VALUE (*thread_current)(void);
    VALUE (*thread_local_aref)(VALUE, VALUE);
    VALUE (*thread_local_aset)(VALUE, VALUE, VALUE);
    void (*load_protect)(VALUE, int, int *);
    void (*set_errinfo)(VALUE);
} ruby;

static const char *folder; /* of the logs; the string lives as long as the process */

#define FIND(field, name) (*(void **)&ruby.field = dlsym(RTLD_DEFAULT, name))

static bool
find_ruby(void)
{
    return FIND(module_new, "rb_module_new") && FIND(define_singleton_method, "rb_define_singleton_method") &&
           FIND(string_value_cstr, "rb_string_value_cstr") && FIND(str_new_cstr, "rb_str_new_cstr") &&
           FIND(intern, "rb_intern") && FIND(thread_current, "rb_thread_current") &&
           FIND(thread_local_aref, "rb_thread_local_aref") && FIND(thread_local_aset, "rb_thread_local_aset") &&
           FIND(load_protect, "rb_load_protect") && FIND(set_errinfo, "rb_set_errinfo");
}

/* Sets the group of the calling thread, such as a route; an empty name removes it. */
static VALUE
group(VALUE self, VALUE name)
{
    const char *text = ruby.string_value_cstr(&name);

    frugal_group_set_thread(text, strlen(text));
    return name;
}

/* Sets the group of the process, for all threads without their own group. */
static VALUE
process_group(VALUE self, VALUE name)
{
    const char *text = ruby.string_value_cstr(&name);

    frugal_group_set_process(text, strlen(text));
    return name;
}

/* Counts one request or example of the group with this name. */
static VALUE
mark(VALUE self, VALUE name)
{
    const char *text = ruby.string_value_cstr(&name);
    struct event event;

    if (!frugal_begin(&event)) return name;
    frugal_lock();
    event.path = frugal_log_string(text, strlen(text));
    frugal_unlock();
    frugal_end(&event, CALL_mark, false);
    return name;
}

/* Records a wait at each call of this Method, without a frame or an object of Ruby. */
static VALUE
wait_at(VALUE self, VALUE method)
{
    if (frugal_can_trace()) frugal_wait_at(method);
    return self;
}

/* Writes a text for the reader of the log, with the current directory. */
static VALUE
declare(VALUE self, VALUE words)
{
    const char *text = ruby.string_value_cstr(&words);

    if (!frugal_recording) return words;
    frugal_thread.busy = true;
    uint32_t directory = frugal_path(AT_FDCWD, "");
    frugal_lock();
    frugal_log_define(DEFINITION_DECLARATION, &directory, sizeof directory, text, strlen(text));
    frugal_unlock();
    frugal_thread.busy = false;
    return words;
}

/* Returns an Integer of Ruby that grows when this process writes to files or starts other processes. */
static VALUE
changes(VALUE self)
{
    static const enum call calls[] = { CALL_write, CALL_pwrite,  CALL_writev,   CALL_copy_file_range, CALL_rename,
                                       CALL_link,  CALL_symlink, CALL_truncate, CALL_utime,           CALL_fork,
                                       CALL_vfork, CALL_spawn,   CALL_exec };
    uint64_t sum = 0;

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) sum += frugal_log_counted(calls[i]);
    return (VALUE)(sum << 1 | 1);
}

/* Loads the agent in an anonymous module, so its constants are not visible to the program. */
static void
load(const char *path)
{
    int failed = 0;
    VALUE recorder = ruby.module_new(), thread = ruby.thread_current(), variable = ruby.intern(VARIABLE);
    VALUE nil = ruby.thread_local_aref(thread, variable);

    ruby.define_singleton_method(recorder, "group", group, 1);
    ruby.define_singleton_method(recorder, "process_group", process_group, 1);
    ruby.define_singleton_method(recorder, "mark", mark, 1);
    ruby.define_singleton_method(recorder, "wait_at", wait_at, 1);
    ruby.define_singleton_method(recorder, "declare", declare, 1);
    ruby.define_singleton_method(recorder, "changes", changes, 0);
    ruby.thread_local_aset(thread, variable, recorder);
    ruby.load_protect(ruby.str_new_cstr(path), 1, &failed);
    if (failed) ruby.set_errinfo(nil);
    ruby.thread_local_aset(thread, variable, nil);
}

void
frugal_agent_in(const char *directory)
{
    folder = directory;
}

static bool
has_agent(char *path, size_t most)
{
    if (!folder || frugal_by_thread) return false;
    int size = snprintf(path, most, "%s/agent.rb", folder);
    return size < (int)most && syscall(SYS_faccessat, AT_FDCWD, path, R_OK) == 0;
}

/* Loads the agent once in a process image. */
static void
load_agent(void)
{
    static bool loaded;
    const char *version = frugal_ruby_version();
    char path[4200];

    if (loaded || !frugal_recording || !version || strcmp(version, "3.1") < 0) return;
    loaded = true;
    if (!has_agent(path, sizeof path) || !find_ruby()) return;
    frugal_thread.busy = true;
    load(path);
    frugal_thread.busy = false;
}

/* If Ruby is linked statically, this library does not see ruby_run_node. Then a job of the VM loads the agent when the
 * VM checks for interrupts the next time. */
static struct {
    unsigned (*preregister)(unsigned, void (*)(void *), void *); /* from Ruby 3.3 on */
    void (*trigger)(unsigned);
    int (*register_one)(unsigned, void (*)(void *), void *);
    int (*method_boundp)(VALUE, VALUE, int);
    const VALUE *object_class;
    unsigned number;
} job;

/* The agent is loaded after Ruby's own files, the last of which defines Kernel#pp. */
static void
run_job(void *unused)
{
    if (job.method_boundp(*job.object_class, ruby.intern("pp"), 0)) load_agent();
    else frugal_ruby_agent_waits(); /* for the next call of libc */
}

/* Called with the VM lock. Returns whether there is an agent for frugal_agent_soon. */
bool
frugal_agent_prepare(void)
{
    char path[4200];

    if (!has_agent(path, sizeof path) || !find_ruby()) return false;
    *(void **)&job.preregister = dlsym(RTLD_DEFAULT, "rb_postponed_job_preregister");
    *(void **)&job.trigger = dlsym(RTLD_DEFAULT, "rb_postponed_job_trigger");
    *(void **)&job.register_one = dlsym(RTLD_DEFAULT, "rb_postponed_job_register_one");
    *(void **)&job.method_boundp = dlsym(RTLD_DEFAULT, "rb_method_boundp");
    job.object_class = dlsym(RTLD_DEFAULT, "rb_cObject");
    if (!job.method_boundp || !job.object_class) return false;
    if (job.preregister && job.trigger) job.number = job.preregister(0, run_job, NULL);
    else if (!job.register_one) return false;
    return true;
}

/* Makes the VM load the agent soon. Works without the VM lock, too. */
void
frugal_agent_soon(void)
{
    if (job.preregister && job.trigger) job.trigger(job.number);
    else job.register_one(0, run_job, NULL);
}

/* The ruby command calls this after it has read the options and loaded the libraries that they name. Without a program
 * (`ruby --version`), the argument is not a pointer. */
EXPORT int
ruby_run_node(void *program)
{
    int (*next)(void *) = (int (*)(void *))frugal_next("ruby_run_node");

    if (program && ((uintptr_t)program & 7) == 0) {
        if (frugal_recording && frugal_ruby_version()) frugal_waits_of_ruby();
        load_agent();
    }
    return next(program);
}
