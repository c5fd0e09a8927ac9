/*
 * One question, one system call: Frugal::Probe's methods on the C side, and what
 * those of probe_contents.c share with them.
 *
 * A miss is nil. A fault is raised in the words of the namesake in File or Dir,
 * which name the C function of Ruby's that noticed it. What may block runs
 * without the VM lock, on memory that no other thread can move or free, and
 * inside rb_ensure, since an interrupt may leave at any return from there.
 */
#include "probe.h"

#include <errno.h>
#include <ruby/thread.h>

#include "core/stat_batch.h"

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
frugal_probe_raise(int error, const char *namesake, VALUE path)
{
    VALUE args[3] = { rb_get_path(path), INT2NUM(error), rb_str_new_cstr(namesake) };

    rb_exc_raise(rb_class_new_instance(3, args, rb_eSystemCallError));
}

VALUE
frugal_probe_miss(int error, const char *namesake, VALUE path)
{
    if (!is_miss(error)) frugal_probe_raise(error, namesake, path);
    return Qnil;
}

/* As core, which retries once after a collection. */
int
frugal_probe_retry(int error, int *collected)
{
    if (error == EINTR) {
        rb_thread_check_ints();
        return 1;
    }
    if ((error == EMFILE || error == ENFILE || error == ENOMEM) && !*collected) {
        *collected = 1;
        rb_gc();
        return 1;
    }
    return 0;
}

bool
frugal_probe_interrupted(void *thread)
{
    return rb_thread_interrupted((VALUE)thread);
}

void
frugal_probe_run_unlocked(void *(*run)(void *), void (*cancel)(void *), void *call)
{
    rb_nogvl(run, call, cancel, call, RB_NOGVL_UBF_ASYNC_SAFE);
}

/* -- mtime, type: a stat is over before the lock could change hands -- */

static VALUE
time_of(struct timespec mtime)
{
    return rb_time_nano_new(mtime.tv_sec, mtime.tv_nsec);
}

static VALUE
probe_mtime(VALUE self, VALUE path)
{
    VALUE name = frugal_probe_path(path);
    struct stat st;

    if (stat(RSTRING_PTR(name), &st) != 0) return frugal_probe_miss(errno, "rb_file_s_mtime", path);
    RB_GC_GUARD(name);
    return time_of(frugal_stat_mtime(&st));
}

static const char *
type_name(mode_t mode)
{
    switch (mode & S_IFMT) {
      case S_IFREG: return "file";
      case S_IFDIR: return "directory";
      case S_IFCHR: return "characterSpecial";
      case S_IFBLK: return "blockSpecial";
      case S_IFIFO: return "fifo";
      case S_IFLNK: return "link";
      case S_IFSOCK: return "socket";
      default: return "unknown";
    }
}

static VALUE
probe_type(VALUE self, VALUE path)
{
    VALUE name = frugal_probe_path(path);
    struct stat st;

    if (lstat(RSTRING_PTR(name), &st) != 0) return frugal_probe_miss(errno, "rb_file_s_ftype", path);
    RB_GC_GUARD(name);
    return rb_usascii_str_new_cstr(type_name(st.st_mode));
}

/* -- mtimes -- */

typedef struct {
    VALUE paths;
    char *arena; /* the paths' bytes: a String may change while others run */
    size_t arena_used;
    size_t arena_room;
    frugal_stat_item *items;
    frugal_stat_batch batch;
    int threads;
    bool done;
} mtimes_call;

static void
keep_path(mtimes_call *call, long index)
{
    VALUE name = frugal_probe_path(rb_ary_entry(call->paths, index));
    size_t size = (size_t)RSTRING_LEN(name) + 1;

    if (call->arena_room - call->arena_used < size) {
        call->arena_room = call->arena_room * 2 + size;
        call->arena = ruby_xrealloc(call->arena, call->arena_room);
    }
    memcpy(call->arena + call->arena_used, RSTRING_PTR(name), size);
    call->arena_used += size;
    RB_GC_GUARD(name);
}

static void *
mtimes_run(void *arg)
{
    mtimes_call *call = arg;

    call->done = frugal_stat_batch_run(&call->batch, call->threads);
    return NULL;
}

static void
mtimes_cancel(void *arg)
{
    frugal_stat_batch_cancel(&((mtimes_call *)arg)->batch);
}

static VALUE
mtimes_body(VALUE arg)
{
    mtimes_call *call = (mtimes_call *)arg;
    long count = RARRAY_LEN(call->paths);
    const char *next;
    VALUE times;

    for (long i = 0; i < count; i++) keep_path(call, i);
    call->items = ruby_xmalloc2(count, sizeof(frugal_stat_item));
    next = call->arena;
    for (long i = 0; i < count; i++) {
        call->items[i].path = next;
        next += strlen(next) + 1;
    }

    frugal_stat_batch_init(&call->batch, call->items, count);
    call->batch.interrupted = frugal_probe_interrupted;
    call->batch.host = (void *)rb_thread_current();
    call->threads = frugal_stat_batch_threads((size_t)count);
    while (!call->done) {
        frugal_stat_batch_resume(&call->batch);
        frugal_probe_run_unlocked(mtimes_run, mtimes_cancel, call);
    }

    times = rb_ary_new_capa(count);
    for (long i = 0; i < count; i++) {
        const frugal_stat_item *item = &call->items[i];
        VALUE time = item->error == 0 ? time_of(item->mtime)
                   : frugal_probe_miss(item->error, "rb_file_s_mtime", rb_ary_entry(call->paths, i));

        rb_ary_push(times, time);
    }
    return times;
}

static VALUE
mtimes_free(VALUE arg)
{
    mtimes_call *call = (mtimes_call *)arg;

    ruby_xfree(call->arena);
    ruby_xfree(call->items);
    return Qnil;
}

static VALUE
probe_mtimes(VALUE self, VALUE paths)
{
    /* A copy: to_path is anyone's code and may change the array under us. */
    mtimes_call call = { .paths = rb_ary_dup(rb_convert_type(paths, T_ARRAY, "Array", "to_ary")) };

    if (RARRAY_LEN(call.paths) == 0) return rb_ary_new();
    return rb_ensure(mtimes_body, (VALUE)&call, mtimes_free, (VALUE)&call);
}

void
frugal_probe_init(void)
{
    rb_ext_ractor_safe(true); /* no state here: every call keeps its own on its stack */
    rb_define_singleton_method(frugal_mC, "mtime", probe_mtime, 1);
    rb_define_singleton_method(frugal_mC, "mtimes", probe_mtimes, 1);
    rb_define_singleton_method(frugal_mC, "type", probe_type, 1);
    frugal_probe_contents_init();
    rb_ext_ractor_safe(false);
}
