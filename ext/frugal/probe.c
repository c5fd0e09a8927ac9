/*
 * One question, one system call: Frugal::Probe's methods on the C side.
 *
 * A miss is nil. A fault is raised in the words of the namesake in File or Dir,
 * which name the C function of Ruby's that noticed it. What may block runs
 * without the VM lock, on memory that no other thread can move or free, and
 * inside rb_ensure, since an interrupt may leave at any return from there.
 */
#include "frugal.h"

#include <errno.h>
#include <ruby/encoding.h>
#include <ruby/thread.h>

#include "core/dir_names.h"
#include "core/file_bytes.h"
#include "core/stat_batch.h"

/*
 * Below so many paths a thread costs more than it saves. How many processors
 * there are is not asked: libc opens and reads a file for that, and on a slow
 * disk threads help on a single one too.
 */
#define PATHS_PER_THREAD 512
#define MAX_THREADS 4

/* Pipes, /proc and whatever else does not know its size. */
#define UNSIZED_ROOM 16384

static VALUE
os_path(VALUE path)
{
    return rb_str_encode_ospath(rb_get_path(path));
}

static int
is_miss(int error)
{
    return error == ENOENT || error == ENOTDIR;
}

NORETURN(static void raise_fault(int error, const char *namesake, VALUE path));

static void
raise_fault(int error, const char *namesake, VALUE path)
{
    VALUE args[3] = { rb_get_path(path), INT2NUM(error), rb_str_new_cstr(namesake) };

    rb_exc_raise(rb_class_new_instance(3, args, rb_eSystemCallError));
}

/* nil, or no return. */
static VALUE
miss_or_fault(int error, const char *namesake, VALUE path)
{
    if (!is_miss(error)) raise_fault(error, namesake, path);
    return Qnil;
}

/*
 * Whether to go on after a failure that says nothing about the path: a signal
 * came (and its handler did not raise), or descriptors ran out, some of which
 * may hang on garbage. As core, the latter once.
 */
static int
worth_retrying(int error, int *collected)
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

/*
 * Whether something waits for a thread that runs without the lock. Ruby cancels
 * such a thread by calling its unblocking function; but a signal that came to
 * another thread, which then ended, finds nobody to call it.
 */
static bool
interrupted(void *thread)
{
    return rb_thread_interrupted((VALUE)thread);
}

/*
 * Runs without the VM lock what ends by a cancel of the core's, which is one
 * store to an atomic. Said so, Ruby starts no thread only to call it.
 */
static void
run_unlocked(void *(*run)(void *), void (*cancel)(void *), void *call)
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
    VALUE name = os_path(path);
    struct stat st;

    if (stat(RSTRING_PTR(name), &st) != 0) return miss_or_fault(errno, "rb_file_s_mtime", path);
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
    VALUE name = os_path(path);
    struct stat st;

    if (lstat(RSTRING_PTR(name), &st) != 0) return miss_or_fault(errno, "rb_file_s_ftype", path);
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
    VALUE name = os_path(rb_ary_entry(call->paths, index));
    size_t size = (size_t)RSTRING_LEN(name) + 1;

    if (call->arena_room - call->arena_used < size) {
        call->arena_room = call->arena_room * 2 + size;
        call->arena = ruby_xrealloc(call->arena, call->arena_room);
    }
    memcpy(call->arena + call->arena_used, RSTRING_PTR(name), size);
    call->arena_used += size;
    RB_GC_GUARD(name);
}

static int
threads_for(long count)
{
    long useful = count / PATHS_PER_THREAD + 1;

    return (int)(useful < MAX_THREADS ? useful : MAX_THREADS);
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
    call->batch.interrupted = interrupted;
    call->batch.host = (void *)rb_thread_current();
    call->threads = threads_for(count);
    while (!call->done) {
        frugal_stat_batch_resume(&call->batch);
        run_unlocked(mtimes_run, mtimes_cancel, call);
    }

    times = rb_ary_new_capa(count);
    for (long i = 0; i < count; i++) {
        const frugal_stat_item *item = &call->items[i];
        VALUE time = item->error == 0 ? time_of(item->mtime)
                   : miss_or_fault(item->error, "rb_file_s_mtime", rb_ary_entry(call->paths, i));

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

/* -- entries -- */

typedef struct {
    VALUE path;
    VALUE name;
    frugal_dir_names dir;
    bool done;
} entries_call;

static void *
entries_run(void *arg)
{
    entries_call *call = arg;

    call->done = frugal_dir_names_read(&call->dir, RSTRING_PTR(call->name));
    return NULL;
}

static void
entries_cancel(void *arg)
{
    frugal_dir_names_cancel(&((entries_call *)arg)->dir);
}

static VALUE
entries_body(VALUE arg)
{
    entries_call *call = (entries_call *)arg;
    rb_encoding *encoding = rb_filesystem_encoding();
    VALUE entries;
    int collected = 0;

    for (;;) {
        frugal_dir_names_resume(&call->dir);
        run_unlocked(entries_run, entries_cancel, call);
        if (call->done) break;
        if (call->dir.error == 0 || worth_retrying(call->dir.error, &collected)) continue;
        return miss_or_fault(call->dir.error, "dir_initialize", call->path);
    }
    entries = rb_ary_new();
    for (size_t at = 0; at < call->dir.used;) {
        const char *entry = call->dir.names + at;
        size_t length = strlen(entry);

        rb_ary_push(entries, rb_external_str_new_with_enc(entry, (long)length, encoding));
        at += length + 1;
    }
    return entries;
}

static VALUE
entries_free(VALUE arg)
{
    frugal_dir_names_free(&((entries_call *)arg)->dir);
    return Qnil;
}

static VALUE
probe_entries(VALUE self, VALUE path)
{
    entries_call call = { .path = path, .name = rb_str_new_frozen(os_path(path)) };

    frugal_dir_names_init(&call.dir);
    call.dir.interrupted = interrupted;
    call.dir.host = (void *)rb_thread_current();
    return rb_ensure(entries_body, (VALUE)&call, entries_free, (VALUE)&call);
}

/* -- read -- */

typedef struct {
    VALUE path;
    VALUE name;
    VALUE content;
    frugal_file_bytes file;
    bool done;
} read_call;

static void *
read_open(void *arg)
{
    read_call *call = arg;

    call->done = frugal_file_bytes_open(&call->file, RSTRING_PTR(call->name));
    return NULL;
}

static void *
read_on(void *arg)
{
    read_call *call = arg;

    call->done = frugal_file_bytes_read(&call->file);
    return NULL;
}

/* The encodings that File.read gives to the bytes of a text file. */
static VALUE
in_default_encodings(VALUE content)
{
    rb_encoding *external = rb_default_external_encoding();
    rb_encoding *internal = rb_default_internal_encoding();

    rb_enc_associate(content, external);
    if (internal == NULL || internal == external || external == rb_ascii8bit_encoding()) return content;
    return rb_str_encode(content, rb_enc_from_encoding(internal), 0, Qnil);
}

static VALUE
read_body(VALUE arg)
{
    read_call *call = (read_call *)arg;
    frugal_file_bytes *file = &call->file;
    int collected = 0;

    for (;;) {
        rb_thread_call_without_gvl(read_open, call, RUBY_UBF_IO, NULL);
        if (call->done) break;
        if (worth_retrying(file->error, &collected)) continue;
        return miss_or_fault(file->error, "rb_sysopen", call->path);
    }

    file->room = file->size > 0 ? file->size + 1 : UNSIZED_ROOM;
    call->content = rb_str_buf_new((long)file->room);
    for (call->done = false;;) {
        file->bytes = RSTRING_PTR(call->content);
        rb_thread_call_without_gvl(read_on, call, RUBY_UBF_IO, NULL);
        rb_str_set_len(call->content, (long)file->used);
        if (call->done) break;
        if (file->error == 0) {
            rb_str_modify_expand(call->content, (long)file->room);
            file->room *= 2;
        }
        else if (file->error == EINTR) {
            rb_thread_check_ints();
        }
        else {
            raise_fault(file->error, "io_fread", call->path);
        }
    }
    rb_str_resize(call->content, (long)file->used); /* gives back what it did not need */
    return in_default_encodings(call->content);
}

static VALUE
read_close(VALUE arg)
{
    frugal_file_bytes_close(&((read_call *)arg)->file);
    return Qnil;
}

static VALUE
probe_read(VALUE self, VALUE path)
{
    read_call call = { .path = path, .name = rb_str_new_frozen(os_path(path)) };

    frugal_file_bytes_init(&call.file);
    return rb_ensure(read_body, (VALUE)&call, read_close, (VALUE)&call);
}

void
frugal_probe_init(void)
{
    rb_ext_ractor_safe(true); /* no state here: every call keeps its own on its stack */
    rb_define_singleton_method(frugal_mC, "mtime", probe_mtime, 1);
    rb_define_singleton_method(frugal_mC, "mtimes", probe_mtimes, 1);
    rb_define_singleton_method(frugal_mC, "type", probe_type, 1);
    rb_define_singleton_method(frugal_mC, "entries", probe_entries, 1);
    rb_define_singleton_method(frugal_mC, "read", probe_read, 1);
    rb_ext_ractor_safe(false);
}
