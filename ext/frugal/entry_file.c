/*
 * Frugal::Native::C::EntryFile: an open file with one entry. lib/frugal/entries decides when to lock, writes, recovers,
 * and describes the format.
 *
 * Calls that never wait (opening, trying a lock) keep the VM lock, as a probe does. Reading and writing release it.
 */
#include "frugal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system/system.h"
#include "entry_record.h"
#include "file_locks.h"
#include "probe/probe.h"

static VALUE file_class;

typedef struct {
    frugal_open_file open;
    bool writable;
    frugal_entry_record_seen seen;
} entry_file;

static size_t
file_memsize(const void *ptr)
{
    return sizeof(entry_file);
}

static const rb_data_type_t file_type = {
    .wrap_struct_name = "Frugal::Native::C::EntryFile",
    .function = { .dmark = frugal_open_file_mark, .dfree = frugal_open_file_free, .dsize = file_memsize },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY
};

static entry_file *
get_file(VALUE self)
{
    return rb_check_typeddata(self, &file_type);
}

static entry_file *
get_open_file(VALUE self)
{
    entry_file *file = get_file(self);

    frugal_open_file_check(&file->open);
    return file;
}

/* -- open -- */

static VALUE
open_file(VALUE path, int flags, mode_t permissions)
{
    frugal_open_file opened;
    entry_file *file;
    VALUE self;

    if (!frugal_open_file_open(&opened, path, flags, permissions)) return Qnil;
    self = TypedData_Make_Struct(file_class, entry_file, &file_type, file);
    file->open = opened;
    file->writable = (flags & O_ACCMODE) == O_RDWR;
    return self;
}

/* open(dir, digest) -> an EntryFile for reading and writing; nil for a miss */
static VALUE
file_s_open(VALUE klass, VALUE dir, VALUE digest)
{
    return open_file(frugal_entry_record_path(dir, digest), O_RDWR, 0);
}

/* open_read(dir, digest) -> an EntryFile for reading; nil for a miss */
static VALUE
file_s_open_read(VALUE klass, VALUE dir, VALUE digest)
{
    return open_file(frugal_entry_record_path(dir, digest), O_RDONLY, 0);
}

/* create(dir, digest, permissions) -> an EntryFile; creates the file if it is missing; nil if there is no directory */
static VALUE
file_s_create(VALUE klass, VALUE dir, VALUE digest, VALUE permissions)
{
    return open_file(frugal_entry_record_path(dir, digest), O_RDWR | O_CREAT, (mode_t)NUM2UINT(permissions));
}

/* create_new(path, permissions) -> an EntryFile of a new file; raises Errno::EEXIST; nil if there is no directory */
static VALUE
file_s_create_new(VALUE klass, VALUE path, VALUE permissions)
{
    return open_file(rb_get_path(path), O_RDWR | O_CREAT | O_EXCL, (mode_t)NUM2UINT(permissions));
}

/* -- locks -- */

/* try_lock -> whether the exclusive flock(2) was free */
static VALUE
file_try_lock(VALUE self)
{
    return frugal_file_locks_try_lock(&get_open_file(self)->open);
}

/* wait_lock(seconds) -> whether this object has the lock now */
static VALUE
file_wait_lock(VALUE self, VALUE seconds)
{
    return frugal_file_locks_wait_lock(&get_open_file(self)->open, seconds);
}

static VALUE
file_unlock(VALUE self)
{
    frugal_file_locks_unlock(&get_open_file(self)->open);
    return Qnil;
}

/*
 * try_turn -> true: it has the turn now; false: another thread has it or waits for it; nil: the system has no such lock
 */
static VALUE
file_try_turn(VALUE self)
{
    return frugal_file_locks_try_turn(&get_open_file(self)->open);
}

/* wait_turn(seconds, most) -> whether this object has the turn now; nil if the system has no such lock */
static VALUE
file_wait_turn(VALUE self, VALUE seconds, VALUE most)
{
    return frugal_file_locks_wait_turn(&get_open_file(self)->open, seconds, most);
}

/* -- attributes -- */

/* mtime -> Float, seconds since the epoch, of the last `load` */
static VALUE
file_mtime(VALUE self)
{
    struct timespec time = frugal_system_mtime(&get_file(self)->seen.st);

    return DBL2NUM((double)time.tv_sec + (double)time.tv_nsec / 1e9);
}

/* head -> the first 16 bytes, as they were read last */
static VALUE
file_head(VALUE self)
{
    return rb_str_new((const char *)get_file(self)->seen.head, FRUGAL_ENTRY_HEAD);
}

static VALUE
file_writable_p(VALUE self)
{
    return get_file(self)->writable ? Qtrue : Qfalse;
}

/* -- read -- */

/* load(digest, largest, reads, klass) -> the newest valid record, an object of `klass`; nil if there is none */
static VALUE
file_load(VALUE self, VALUE digest, VALUE largest, VALUE reads, VALUE klass)
{
    entry_file *file = get_open_file(self);
    VALUE found = frugal_entry_record_load(&file->open, &file->seen, digest, NUM2SIZET(largest), NUM2INT(reads), klass);

    RB_GC_GUARD(self);
    return found;
}

/*
 * problem -> why the last `load` has found no record: :empty, :foreign, :damaged, :huge (more than `largest` bytes),
 * :special; :unlinked if the file was deleted or replaced; :changing if another process was writing it at each of
 * `reads` reads
 */
static VALUE
file_problem(VALUE self)
{
    return frugal_entry_record_problem(&get_file(self)->seen);
}

/* reload(digest, klass) -> the same as load, under the lock and by one call; nil if the caller has to call `load` */
static VALUE
file_reload(VALUE self, VALUE digest, VALUE klass)
{
    entry_file *file = get_open_file(self);
    VALUE found = frugal_entry_record_reload(&file->open, &file->seen, digest, klass);

    RB_GC_GUARD(self);
    return found;
}

/*
 * read(dir, digest, largest, reads, klass) -> the same as load; nil if there is no record; false if another process was
 * writing it
 */
static VALUE
file_s_read(VALUE self, VALUE dir, VALUE digest, VALUE largest, VALUE reads, VALUE klass)
{
    size_t bytes = NUM2SIZET(largest);
    int times = NUM2INT(reads);
    frugal_open_file file;

    if (!frugal_open_file_open(&file, frugal_entry_record_path(dir, digest), O_RDONLY, 0)) return Qnil;
    return frugal_entry_record_read(&file, digest, bytes, times, klass);
}

/* -- write -- */

typedef struct {
    entry_file *file;
    const char *bytes;
    off_t offset;
    size_t size;
    int error;
} write_call;

static void *
write_unlocked(void *arg)
{
    write_call *call = arg;
    ssize_t done = pwrite(call->file->open.fd, call->bytes, call->size, call->offset);

    call->error = done < 0 ? errno : (done == 0 ? ENOSPC : 0);
    if (done <= 0) return call;
    call->bytes += done;
    call->offset += done;
    call->size -= (size_t)done;
    return call;
}

/* write(bytes, offset): takes one call, and more only if the system wrote only a part */
static VALUE
file_write(VALUE self, VALUE bytes, VALUE offset)
{
    VALUE copy = rb_str_new_frozen(StringValue(bytes));
    write_call call = { .file = get_open_file(self), .offset = NUM2OFFT(offset), .size = (size_t)RSTRING_LEN(copy) };
    int collected = 0;

    call.bytes = FRUGAL_BYTES_OUTSIDE(copy);
    while (call.size > 0) {
        frugal_open_file_use(&call.file->open, write_unlocked, &call);
        if (call.error == 0 || frugal_probe_retry(call.error, &collected)) continue;
        frugal_probe_raise(call.error, "rb_io_syswrite", call.file->open.path);
    }
    RB_GC_GUARD(copy);
    RB_GC_GUARD(self);
    return Qnil;
}

/* touch: sets the mtime to the current time */
static VALUE
file_touch(VALUE self)
{
    entry_file *file = get_open_file(self);

    if (futimens(file->open.fd, NULL) != 0) frugal_probe_raise(errno, "apply2files", file->open.path);
    return Qnil;
}

/* close: releases the locks, too. May be called again. */
static VALUE
file_close(VALUE self)
{
    frugal_file_locks_close(&get_file(self)->open);
    return Qnil;
}

static VALUE
file_closed_p(VALUE self)
{
    return get_file(self)->open.is_closed ? Qtrue : Qfalse;
}

void
frugal_entry_file_init(VALUE module)
{
    file_class = rb_define_class_under(module, "EntryFile", rb_cObject);
    rb_gc_register_mark_object(file_class);
    rb_undef_alloc_func(file_class);
    rb_define_singleton_method(file_class, "open", file_s_open, 2);
    rb_define_singleton_method(file_class, "open_read", file_s_open_read, 2);
    rb_define_singleton_method(file_class, "create", file_s_create, 3);
    rb_define_singleton_method(file_class, "create_new", file_s_create_new, 2);
    rb_define_singleton_method(file_class, "read", file_s_read, 5);
    rb_define_method(file_class, "try_lock", file_try_lock, 0);
    rb_define_method(file_class, "wait_lock", file_wait_lock, 1);
    rb_define_method(file_class, "unlock", file_unlock, 0);
    rb_define_method(file_class, "try_turn", file_try_turn, 0);
    rb_define_method(file_class, "wait_turn", file_wait_turn, 2);
    rb_define_method(file_class, "load", file_load, 4);
    rb_define_method(file_class, "problem", file_problem, 0);
    rb_define_method(file_class, "reload", file_reload, 2);
    rb_define_method(file_class, "mtime", file_mtime, 0);
    rb_define_method(file_class, "head", file_head, 0);
    rb_define_method(file_class, "writable?", file_writable_p, 0);
    rb_define_method(file_class, "write", file_write, 2);
    rb_define_method(file_class, "touch", file_touch, 0);
    rb_define_method(file_class, "close", file_close, 0);
    rb_define_method(file_class, "closed?", file_closed_p, 0);
}
