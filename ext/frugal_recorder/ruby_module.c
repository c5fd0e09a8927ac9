/*
 * Frugal::Recorder, for a process that loads this library with `require`: one that is profiled and says what it works
 * on, or one that measures a block of its own. In the second case the library is not preloaded, so the other libraries
 * call libc directly; attach.c makes them call the recorder.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include "attach.h"
#include <dlfcn.h>
#include <string.h>

typedef unsigned long VALUE; /* of Ruby */
#define MEASURED (256ul * 1024 * 1024)

static struct {
    VALUE (*define_module)(const char *);
    VALUE (*define_module_under)(VALUE, const char *);
    void (*define_module_function)(VALUE, const char *, VALUE (*)(), int);
    char *(*string_value_cstr)(volatile VALUE *);
    VALUE (*str_new)(const char *, long);
    VALUE *runtime_error;
    void (*raise)(VALUE, const char *, ...);
} ruby;

#define FIND(field, name) (*(void **)&ruby.field = dlsym(RTLD_DEFAULT, name))

static VALUE
nil(void)
{
    const char *version = dlsym(RTLD_DEFAULT, "ruby_version");

    return version && strcmp(version, "3.2") < 0 ? 8 : 4; /* Qnil changed with Ruby 3.2 */
}

/* Names what the calling thread works on from now on, such as a route; an empty name ends it. */
static VALUE
set_group(VALUE self, VALUE name)
{
    const char *text = ruby.string_value_cstr(&name);

    frugal_lock();
    frugal_thread.group = frugal_recording && *text ? frugal_log_string(text, strlen(text)) : 0;
    frugal_unlock();
    return nil();
}

/* Begins to record the calling thread, in memory. */
static VALUE
start(VALUE self)
{
    if (frugal_recording && !frugal_by_thread) ruby.raise(*ruby.runtime_error, "this process is being profiled");
    if (!frugal_log_open_anonymous(MEASURED)) ruby.raise(*ruby.runtime_error, "no memory for the recording");
    frugal_attach();
    frugal_paths_reset();
    frugal_ruby_forked();
    frugal_thread = (struct thread){ .measuring = true };
    frugal_by_thread = frugal_recording = true;
    frugal_ruby_ready();
    return nil();
}

/* Ends it. Returns the log, as it would lie in a file. */
static VALUE
stop(VALUE self)
{
    size_t size;

    frugal_thread.measuring = false;
    frugal_recording = false;
    const char *bytes = frugal_log_bytes(&size);
    return ruby.str_new(bytes, (long)size);
}

static bool
find_ruby(void)
{
    return FIND(define_module, "rb_define_module") && FIND(define_module_under, "rb_define_module_under") &&
           FIND(define_module_function, "rb_define_module_function") &&
           FIND(string_value_cstr, "rb_string_value_cstr") && FIND(str_new, "rb_str_new") &&
           FIND(runtime_error, "rb_eRuntimeError") && FIND(raise, "rb_raise");
}

EXPORT void
Init_recorder(void)
{
    if (!find_ruby()) return;
    frugal_recorder_init();
    VALUE module = ruby.define_module_under(ruby.define_module("Frugal"), "Recorder");
    ruby.define_module_function(module, "group=", set_group, 1);
    ruby.define_module_function(module, "start", start, 0);
    ruby.define_module_function(module, "stop", stop, 0);
}
