/*
 * Creates, removes and copies trees for the drop-in of FileUtils: make_directories, unlink, remove_tree and TreeCopy of
 * Frugal::Native::C. None of them raises an error of the file system. If one fails, FileUtils itself continues and
 * raises the error.
 */
#include "frugal.h"

#include <ruby/thread.h>
#include <string.h>
#include <unistd.h>

#include "core/fileutils/fileutils.h"
#include "native_memory.h"
#include "probe/probe.h"

/* -- make_directories, unlink: too short to be cancelled -- */

typedef struct {
    char *path;
    size_t length;
    mode_t mode;
    bool exact;
} chain_call;

static void *
chain_run(void *arg)
{
    chain_call *call = arg;

    return (void *)(intptr_t)frugal_fileutils_chain_make(call->path, call->length, call->mode, call->exact);
}

/* make_directories(path, mode or nil) -> whether the directory and all above it now exist. The path did not exist. */
static VALUE
make_directories(VALUE self, VALUE path, VALUE mode)
{
    VALUE name = frugal_probe_path(path);
    chain_call call = { .mode = NIL_P(mode) ? 0777 : (mode_t)NUM2UINT(mode), .exact = !NIL_P(mode) };
    bool made;

    call.length = (size_t)RSTRING_LEN(name);
    call.path = xmalloc(call.length + 1); /* a copy, as the call changes it */
    memcpy(call.path, RSTRING_PTR(name), call.length + 1);
    made = rb_nogvl(chain_run, &call, NULL, NULL, RB_NOGVL_INTR_FAIL) != NULL;
    xfree(call.path);
    RB_GC_GUARD(name);
    frugal_probe_check_interrupts();
    return made ? Qtrue : Qfalse;
}

static void *
unlink_run(void *path)
{
    return (void *)(intptr_t)(unlink(path) == 0);
}

/* unlink(path) -> 1, like File.unlink, or nil if it fails */
static VALUE
fileutils_unlink(VALUE self, VALUE path)
{
    VALUE name = rb_str_new_frozen(frugal_probe_path(path));
    bool removed = frugal_probe_wait_unlocked(unlink_run, FRUGAL_BYTES_OUTSIDE(name), NULL, NULL, 0) != NULL;

    RB_GC_GUARD(name);
    return removed ? INT2FIX(1) : Qnil;
}

/* -- remove_tree, TreeCopy: an interrupt cancels them; they continue unless its handler raises -- */

static void
stop_on_interrupts(frugal_dir_stop *stop, frugal_probe_thread *thread)
{
    stop->interrupted = frugal_probe_interrupted;
    stop->host = frugal_probe_copy_thread(thread);
}

static void
cancel(void *stop)
{
    atomic_store(&((frugal_dir_stop *)stop)->cancelled, true);
}

typedef struct {
    frugal_tree_remove remove;
    frugal_probe_thread thread;
    frugal_remove_result end;
    VALUE names;
} remove_call;

static void *
remove_run(void *arg)
{
    remove_call *call = arg;

    call->end = frugal_fileutils_remove_run(&call->remove);
    return NULL;
}

static void
remove_cancel(void *arg)
{
    cancel(&((remove_call *)arg)->remove.stop);
}

static void
add_names(VALUE names, frugal_dir_level *level)
{
    frugal_dir_entry entry;

    level->at = 0;
    while (frugal_fileutils_level_next(level, &entry)) rb_ary_push(names, rb_str_new_cstr(entry.name));
}

/* The result of the File.unlink or Dir.rmdir that FileUtils would call for the root, or nil if it would fail. */
static VALUE
remove_result(remove_call *call)
{
    bool is_listed = call->remove.levels[0].listed && !NIL_P(call->names);

    if (is_listed) add_names(call->names, &call->remove.levels[0]);
    if (call->end == FRUGAL_REMOVE_HANDED_OVER) return Qfalse;
    if (is_listed) return call->names;
    switch (call->remove.removed) {
    case FRUGAL_REMOVED_FILE: return INT2FIX(1);
    case FRUGAL_REMOVED_DIRECTORY: return INT2FIX(0);
    default: return Qnil;
    }
}

static VALUE
remove_body(VALUE arg)
{
    remove_call *call = (remove_call *)arg;

    for (;;) {
        atomic_store(&call->remove.stop.cancelled, false);
        frugal_probe_run_unlocked(remove_run, remove_cancel, call);
        if (call->end != FRUGAL_REMOVE_STOPPED) return remove_result(call);
        frugal_probe_check_interrupts();
    }
}

static VALUE
remove_free(VALUE arg)
{
    frugal_fileutils_remove_free(&((remove_call *)arg)->remove);
    return Qnil;
}

/*
 * remove_tree(path, force, skip, names) -> 1 for a file, 0 for a directory, nil if the root still exists; false if
 * FileUtils has to continue.
 *
 * `skip`: with `force`, a directory that cannot be read stays, and the rest is removed.
 * `names`: nil, or an Array to which the names in a directory are added, and which is
 * then the result.
 */
static VALUE
remove_tree(VALUE self, VALUE path, VALUE force, VALUE skip, VALUE names)
{
    VALUE name = frugal_probe_path(path);
    remove_call call = { .names = names };

    if (!frugal_fileutils_remove_init(&call.remove, RSTRING_PTR(name), (size_t)RSTRING_LEN(name))) {
        frugal_fileutils_remove_free(&call.remove);
        return Qfalse;
    }
    call.remove.force = RTEST(force);
    call.remove.skip = RTEST(skip);
    stop_on_interrupts(&call.remove.stop, &call.thread);
    RB_GC_GUARD(name);
    RB_GC_GUARD(names);
    return rb_ensure(remove_body, (VALUE)&call, remove_free, (VALUE)&call);
}

/* -- TreeCopy -- */

typedef struct {
    frugal_tree_copy copy;
    frugal_probe_thread thread;
    frugal_copy_result end;
    bool open;
    bool running;
    size_t reported; /* see native_memory.h */
} copy_call;

static void
copy_free(void *arg)
{
    copy_call *call = arg;

    if (call->open) frugal_fileutils_copy_free(&call->copy);
    frugal_native_memory_report(&call->reported, 0);
    ruby_xfree(call);
}

static size_t
copy_size(const void *arg)
{
    return sizeof(copy_call) + ((const copy_call *)arg)->reported;
}

static const rb_data_type_t copy_type = { .wrap_struct_name = "Frugal::Native::C::TreeCopy",
                                          .function = { .dfree = copy_free, .dsize = copy_size },
                                          .flags = RUBY_TYPED_FREE_IMMEDIATELY };

static copy_call *
copy_of(VALUE self)
{
    copy_call *call;

    TypedData_Get_Struct(self, copy_call, &copy_type, call);
    return call;
}

static VALUE
copy_alloc(VALUE klass)
{
    copy_call *call;

    return TypedData_Make_Struct(klass, copy_call, &copy_type, call);
}

static void
copy_report(copy_call *call)
{
    frugal_native_memory_report(&call->reported, frugal_fileutils_copy_memory(&call->copy));
}

/* TreeCopy.new(from, to) */
static VALUE
copy_initialize(VALUE self, VALUE from, VALUE to)
{
    copy_call *call = copy_of(self);
    VALUE source = frugal_probe_path(from), target = frugal_probe_path(to);

    if (call->open) rb_raise(rb_eRuntimeError, "already initialized");
    call->open = true;
    if (!frugal_fileutils_copy_init(&call->copy, RSTRING_PTR(source), RSTRING_PTR(target))) rb_memerror();
    copy_report(call);
    RB_GC_GUARD(source);
    RB_GC_GUARD(target);
    return self;
}

static void *
copy_run(void *arg)
{
    copy_call *call = arg;

    call->end = frugal_fileutils_copy_next(&call->copy);
    return NULL;
}

static void
copy_cancel(void *arg)
{
    cancel(&((copy_call *)arg)->copy.stop);
}

static VALUE
copy_body(VALUE arg)
{
    copy_call *call = (copy_call *)arg;

    stop_on_interrupts(&call->copy.stop, &call->thread);
    for (;;) {
        atomic_store(&call->copy.stop.cancelled, false);
        frugal_probe_run_unlocked(copy_run, copy_cancel, call);
        if (call->end == FRUGAL_COPY_DONE) return Qnil;
        if (call->end == FRUGAL_COPY_HANDED_OVER) return rb_str_new_cstr(call->copy.path);
        frugal_probe_check_interrupts();
    }
}

static VALUE
copy_ensure(VALUE arg)
{
    ((copy_call *)arg)->running = false;
    copy_report((copy_call *)arg);
    return Qnil;
}

/* next -> the next path that the caller has to copy itself, relative to both roots; nil at the end */
static VALUE
copy_next(VALUE self)
{
    copy_call *call = copy_of(self);
    VALUE path;

    if (!call->open || call->running) rb_raise(rb_eRuntimeError, "this copy is closed or already running");
    call->running = true;
    path = rb_ensure(copy_body, (VALUE)call, copy_ensure, (VALUE)call);
    RB_GC_GUARD(self);
    return path;
}

static VALUE
copy_close(VALUE self)
{
    copy_call *call = copy_of(self);

    if (call->open && !call->running) {
        call->open = false;
        frugal_fileutils_copy_free(&call->copy);
        frugal_native_memory_report(&call->reported, 0);
    }
    return Qnil;
}

void
frugal_fileutils_init(VALUE module)
{
    VALUE copy = rb_define_class_under(module, "TreeCopy", rb_cObject);

    rb_ext_ractor_safe(true); /* there is no global state, and a copy belongs to its caller */
    rb_define_singleton_method(module, "make_directories", make_directories, 2);
    rb_define_singleton_method(module, "unlink", fileutils_unlink, 1);
    rb_define_singleton_method(module, "remove_tree", remove_tree, 4);
    rb_define_alloc_func(copy, copy_alloc);
    rb_define_method(copy, "initialize", copy_initialize, 2);
    rb_define_method(copy, "next", copy_next, 0);
    rb_define_method(copy, "close", copy_close, 0);
    rb_ext_ractor_safe(false);
}
