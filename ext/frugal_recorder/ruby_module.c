/*
 * Frugal::Recorder, for a process that loads this library with `require` to measure one of its blocks. If the process
 * is not profiled, this library is not preloaded, and the other libraries call libc directly; attach.c makes them call
 * the recorder.
 */
#define _GNU_SOURCE
#include "recorder.h"
#include "attach.h"
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

typedef unsigned long VALUE; /* of Ruby */
#define MEASURED (256ul * 1024 * 1024)

static struct {
    VALUE (*define_module)(const char *);
    VALUE (*define_module_under)(VALUE, const char *);
    void (*define_module_function)(VALUE, const char *, VALUE (*)(), int);
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

static void
start_without_log(void)
{
    frugal_definitions_reset();
    if (!frugal_log_open_anonymous(MEASURED)) ruby.raise(*ruby.runtime_error, "no memory for the recording");
    frugal_attach();
    frugal_paths_reset();
    frugal_ruby_forked();
    frugal_thread = (struct thread){ .group = 0 };
    frugal_by_thread = frugal_recording = true;
    frugal_ruby_ready();
}

/* Begins to measure the calling thread. A profiled process continues its own log; another process gets a log in
 * memory. */
static VALUE
start(VALUE self)
{
    if (frugal_recording && !frugal_by_thread) frugal_excerpt_begin();
    else start_without_log();
    frugal_thread.measuring = true;
    return nil();
}

/* Ends the measurement. Returns the log as a String, in the format of a log file. */
static VALUE
stop(VALUE self)
{
    bool own_log = frugal_by_thread || !frugal_recording, measuring = frugal_thread.measuring;
    size_t size = 0;

    frugal_thread.measuring = false;
    if (own_log) {
        frugal_recording = false;
        const char *bytes = frugal_log_bytes(&size);
        return ruby.str_new(bytes, (long)size);
    }
    if (!measuring) frugal_excerpt_begin(); /* a forked child leaves the block */
    char *bytes = frugal_excerpt_end(&size);
    if (!bytes) ruby.raise(*ruby.runtime_error, "no memory for the recording");
    VALUE log = ruby.str_new(bytes, (long)size);
    munmap(bytes, size);
    return log;
}

static bool
find_ruby(void)
{
    return FIND(define_module, "rb_define_module") && FIND(define_module_under, "rb_define_module_under") &&
           FIND(define_module_function, "rb_define_module_function") && FIND(str_new, "rb_str_new") &&
           FIND(runtime_error, "rb_eRuntimeError") && FIND(raise, "rb_raise");
}

/* If another copy of this library is preloaded, such as that of a frugal in another folder, the other copy records.
 * Returns whether there is one. */
static bool
defer_to_preloaded(void)
{
    void (*preloaded)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "Init_recorder");
    Dl_info theirs, ours;

    if (!preloaded || !dladdr((void *)preloaded, &theirs) || !dladdr((void *)find_ruby, &ours)) return false;
    if (theirs.dli_fbase == ours.dli_fbase) return false;
    preloaded();
    return true;
}

EXPORT void
Init_recorder(void)
{
    if (defer_to_preloaded() || !find_ruby()) return;
    frugal_recorder_init();
    VALUE module = ruby.define_module_under(ruby.define_module("Frugal"), "Recorder");
    ruby.define_module_function(module, "start", start, 0);
    ruby.define_module_function(module, "stop", stop, 0);
}
