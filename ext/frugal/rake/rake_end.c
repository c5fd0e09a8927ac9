/*
 * RakePlan.silent_end?: whether the process can end without running code of the program
 * once the methods in progress have returned. That code would be a handler of at_exit or
 * END, a finalizer, a handler of a signal or of EXIT, another thread or Ractor, or a
 * TracePoint.
 *
 * Ruby has no method that lists these. But they are roots of its garbage collector, which reports each root with its
 * category by the function that the extension `objspace` uses. The answer is true only if that report is proven to
 * work: it has to contain a handler and a finalizer of our own, which do nothing.
 */
#include "rake/rake_end.h"

#include <ruby/debug.h>
#include <string.h>
#include <unistd.h>

/* Exported by Ruby 3.1, but not in a header. NULL in a Ruby that does not export them: then the answer is false. */
extern __attribute__((weak)) rb_event_flag_t ruby_vm_event_flags;
extern __attribute__((weak)) unsigned int ruby_vm_event_local_num;
extern __attribute__((weak)) void rb_objspace_reachable_objects_from_root(void (*report)(const char *, VALUE, void *),
                                                                          void *);

static ID id_call, id_count;
static VALUE control; /* the data of our own handler; nil until it is registered */

/* The relevant contents of the report. */
typedef struct {
    VALUE finalizer; /* our own */
    bool control, finalizer_found, observer;
} report;

/*
 * Events of compiled scripts do not count: `frugal run` waits for them, and they occur only when more code is loaded.
 */
bool
frugal_rake_end_traced(void)
{
    return !&ruby_vm_event_flags || !&ruby_vm_event_local_num ||
           (ruby_vm_event_flags & ~(rb_event_flag_t)RUBY_EVENT_SCRIPT_COMPILED) || ruby_vm_event_local_num;
}

static bool
value_of_constant_p(VALUE string)
{
    static const char *const names[] = { "RUBY_VERSION",        "RUBY_RELEASE_DATE", "RUBY_PLATFORM",
                                         "RUBY_REVISION",       "RUBY_COPYRIGHT",    "RUBY_ENGINE",
                                         "RUBY_ENGINE_VERSION", "RUBY_DESCRIPTION" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        ID id = rb_intern(names[i]);

        if (rb_const_defined(rb_cObject, id) && RTEST(rb_str_equal(rb_const_get(rb_cObject, id), string))) return true;
    }
    return false;
}

/* Whether a String may be code that was passed to `trap`. Some of Ruby's own Strings have to be excluded. */
static bool
command_p(VALUE string)
{
    static const char *const own[] = { "true", "false", "UTC", "/dev/null" };
    const char *bytes = RSTRING_PTR(string);
    long length = RSTRING_LEN(string);

    if (length >= 4 && memcmp(bytes, "GMP ", 4) == 0) bytes += 4, length -= 4;
    if (length == 0 || (long)strspn(bytes, "0123456789.") == length) return false;
    if (length == 1 && strchr("/:\n", bytes[0])) return false;
    for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
        if (length == (long)strlen(own[i]) && memcmp(bytes, own[i], length) == 0) return false;
    }
    if (bytes[0] == '/' && (long)strlen(bytes) == length && access(bytes, F_OK) == 0) return false; /* Ruby's own */
    return !value_of_constant_p(string) && !RTEST(rb_str_equal(rb_gv_get("$0"), string));
}

/*
 * Whether an object may be the handler of a signal: a String with code, or anything that has the method `call`. One of
 * Ruby's own objects has this method, too.
 */
static bool
handler_p(VALUE object)
{
    VALUE klass;

    switch (RB_BUILTIN_TYPE(object)) {
    case T_IMEMO:
    case T_ICLASS:
    case T_NODE: return false;
    case T_STRING: return command_p(object);
    default: break;
    }
    klass = CLASS_OF(object);
    if (!klass || !rb_method_boundp(klass, id_call, 0)) return false;
    return rb_obj_is_proc(object) || rb_obj_is_method(object) || !rb_method_basic_definition_p(klass, id_call);
}

static bool
contains(VALUE array, VALUE object)
{
    if (!RB_TYPE_P(array, T_ARRAY)) return false;
    for (long i = 0; i < RARRAY_LEN(array); i++) {
        if (RARRAY_AREF(array, i) == object) return true;
    }
    return false;
}

static void
look_at(const char *category, VALUE object, void *data)
{
    report *found = data;

    if (SPECIAL_CONST_P(object)) return;
    if (strcmp(category, "end_proc") == 0) {
        if (object == control) found->control = true;
        else found->observer = true;
    }
    else if (strcmp(category, "finalizers") == 0) {
        if (contains(object, found->finalizer)) found->finalizer_found = true;
        else found->observer = true;
    }
    else if (strcmp(category, "vm") == 0 && handler_p(object)) {
        found->observer = true;
    }
}

static void
do_nothing(VALUE data)
{
}

static VALUE
finalize_nothing(RB_BLOCK_CALL_FUNC_ARGLIST(id, data))
{
    return Qnil;
}

static bool
other_ractors_p(void)
{
    ID ractor = rb_intern("Ractor");
    VALUE klass = rb_const_defined(rb_cObject, ractor) ? rb_const_get(rb_cObject, ractor) : Qnil;

    return NIL_P(klass) || rb_funcall(klass, id_count, 0) != INT2FIX(1);
}

/* silent_end? -> true, or false if that is not proven */
static VALUE
plan_silent_end_p(VALUE klass)
{
    report found = { Qnil, false, false, false };
    VALUE object;

    if (frugal_rake_end_traced() || !&rb_objspace_reachable_objects_from_root || !rb_thread_alone() ||
        other_ractors_p()) {
        return Qfalse;
    }
    if (NIL_P(control)) {
        control = rb_obj_alloc(rb_cObject);
        rb_set_end_proc(do_nothing, control);
    }
    object = rb_obj_alloc(rb_cObject);
    found.finalizer = rb_proc_new(finalize_nothing, Qnil);
    rb_define_finalizer(object, found.finalizer);
    rb_objspace_reachable_objects_from_root(look_at, &found);
    rb_undefine_finalizer(object);
    RB_GC_GUARD(object);
    return found.control && found.finalizer_found && !found.observer ? Qtrue : Qfalse;
}

void
frugal_rake_end_init(VALUE plan)
{
    id_call = rb_intern("call");
    id_count = rb_intern("count");
    control = Qnil;
    rb_gc_register_address(&control);
    rb_define_singleton_method(plan, "silent_end?", plan_silent_end_p, 0);
}
