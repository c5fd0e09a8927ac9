/*
 * Frugal::Native::C::EntryFile: an open file with one entry, as primitive operations of one system call each. The
 * format, the locks' meaning and the recovery are in Ruby (lib/frugal/entries).
 *
 * What returns at once (opening, a lock that does not wait, fstat) keeps the VM lock, as a probe does. Reading and
 * writing release it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* F_OFD_SETLK */
#endif
#include "frugal.h"

#include <errno.h>
#include <fcntl.h>
#include <ruby/io.h>
#include <ruby/thread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system/system.h"
#include "entry_file.h"
#include "probe/probe.h"

static VALUE file_class;

typedef struct {
    VALUE path;
    int fd;         /* -1: closed */
    int users;      /* threads that read or write without the VM lock; the descriptor stays open for them */
    bool is_closed; /* by `close`; the last user then closes the descriptor */
    bool writable;
    struct stat st; /* of the last call of `examine` */
} entry_file;

static void
file_mark(void *ptr)
{
    rb_gc_mark(((entry_file *)ptr)->path);
}

static void
close_file(entry_file *file)
{
    if (file->fd >= 0 && file->users == 0) {
        close(file->fd);
        file->fd = -1;
    }
}

static void
file_free(void *ptr)
{
    close_file(ptr);
    xfree(ptr);
}

static size_t
file_memsize(const void *ptr)
{
    return sizeof(entry_file);
}

static const rb_data_type_t file_type = { .wrap_struct_name = "Frugal::Native::C::EntryFile",
                                          .function = { .dmark = file_mark, .dfree = file_free, .dsize = file_memsize },
                                          .flags = RUBY_TYPED_FREE_IMMEDIATELY };

static entry_file *
get_open_file(VALUE self)
{
    entry_file *file = rb_check_typeddata(self, &file_type);

    if (file->is_closed) rb_raise(rb_eIOError, "closed file");
    return file;
}

/* -- open -- */

/* Neither follows a link in the last part of the path nor waits for the other end of a fifo. */
int
frugal_entry_file_open(VALUE path, int flags, mode_t permissions)
{
    VALUE name = frugal_probe_path(path);
    int fd, collected = 0;

    flags |= O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    while ((fd = open(RSTRING_PTR(name), flags, permissions)) < 0) {
        int error = errno;

        if (frugal_probe_retry(error, &collected)) continue;
        frugal_probe_miss(error, "rb_sysopen", path);
        return -1;
    }
    RB_GC_GUARD(name);
    rb_update_max_fd(fd);
    return fd;
}

static VALUE
open_file(VALUE path, int flags, mode_t permissions)
{
    int fd = frugal_entry_file_open(path, flags, permissions);
    entry_file *file;
    VALUE self;

    if (fd < 0) return Qnil;
    self = TypedData_Make_Struct(file_class, entry_file, &file_type, file);
    file->path = path;
    file->fd = fd;
    file->writable = (flags & O_ACCMODE) == O_RDWR;
    return self;
}

/* open(path) -> an EntryFile for reading and writing; nil for a miss */
static VALUE
file_s_open(VALUE klass, VALUE path)
{
    return open_file(path, O_RDWR, 0);
}

/* open_read(path) -> an EntryFile for reading; nil for a miss */
static VALUE
file_s_open_read(VALUE klass, VALUE path)
{
    return open_file(path, O_RDONLY, 0);
}

/* create(path, permissions) -> an EntryFile, of a new file if there is none; nil if there is no directory */
static VALUE
file_s_create(VALUE klass, VALUE path, VALUE permissions)
{
    return open_file(path, O_RDWR | O_CREAT, (mode_t)NUM2UINT(permissions));
}

/* create_new(path, permissions) -> an EntryFile of a new file; raises Errno::EEXIST; nil if there is no directory */
static VALUE
file_s_create_new(VALUE klass, VALUE path, VALUE permissions)
{
    return open_file(path, O_RDWR | O_CREAT | O_EXCL, (mode_t)NUM2UINT(permissions));
}

/* -- locks -- */

/* try_lock -> whether the exclusive flock(2) was free */
static VALUE
file_try_lock(VALUE self)
{
    entry_file *file = get_open_file(self);

    while (flock(file->fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return Qfalse;
        if (errno != EINTR) frugal_probe_raise(errno, "rb_file_flock", file->path);
        rb_thread_check_ints();
    }
    return Qtrue;
}

static VALUE
file_unlock(VALUE self)
{
    entry_file *file = get_open_file(self);

    if (flock(file->fd, LOCK_UN) != 0) frugal_probe_raise(errno, "rb_file_flock", file->path);
    return Qnil;
}

/* try_turn -> whether the lock of this open file (F_OFD_SETLK) was free; nil where the system has no such lock */
static VALUE
file_try_turn(VALUE self)
{
#ifdef F_OFD_SETLK
    entry_file *file = get_open_file(self);
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    if (fcntl(file->fd, F_OFD_SETLK, &lock) == 0) return Qtrue;
    return errno == EAGAIN || errno == EACCES ? Qfalse : Qnil;
#else
    return Qnil;
#endif
}

/* -- attributes: of the last call of `examine` -- */

static VALUE
file_examine(VALUE self)
{
    entry_file *file = get_open_file(self);

    if (fstat(file->fd, &file->st) != 0) frugal_probe_raise(errno, "rb_file_s_stat", file->path);
    return self;
}

static VALUE
file_size(VALUE self)
{
    return OFFT2NUM(get_open_file(self)->st.st_size);
}

/* mtime -> Float, seconds since the epoch */
static VALUE
file_mtime(VALUE self)
{
    struct timespec time = frugal_system_mtime(&get_open_file(self)->st);

    return DBL2NUM((double)time.tv_sec + (double)time.tv_nsec / 1e9);
}

static VALUE
file_linked_p(VALUE self)
{
    return get_open_file(self)->st.st_nlink > 0 ? Qtrue : Qfalse;
}

static VALUE
file_regular_p(VALUE self)
{
    return S_ISREG(get_open_file(self)->st.st_mode) ? Qtrue : Qfalse;
}

static VALUE
file_writable_p(VALUE self)
{
    return get_open_file(self)->writable ? Qtrue : Qfalse;
}

/* -- read, write -- */

typedef struct {
    entry_file *file;
    VALUE string;
    char *bytes;
    off_t offset;
    size_t room, used;
    int error;
    bool writes;
} transfer;

static void *
transfer_unlocked(void *arg)
{
    transfer *call = arg;
    char *bytes = call->bytes + call->used;
    off_t at = call->offset + (off_t)call->used;
    size_t left = call->room - call->used;
    ssize_t done = call->writes ? pwrite(call->file->fd, bytes, left, at) : pread(call->file->fd, bytes, left, at);

    call->error = done < 0 ? errno : 0;
    if (done > 0) call->used += (size_t)done;
    if (done == 0 && call->writes) call->error = ENOSPC;
    return NULL;
}

static VALUE
transfer_body(VALUE arg)
{
    transfer *call = (transfer *)arg;
    int collected = 0;

    do {
        rb_nogvl(transfer_unlocked, call, RUBY_UBF_IO, NULL, 0);
        if (call->error && !frugal_probe_retry(call->error, &collected)) {
            frugal_probe_raise(call->error, call->writes ? "rb_io_syswrite" : "io_fread", call->file->path);
        }
    } while (call->error || (call->writes && call->used < call->room));
    return Qnil;
}

static VALUE
transfer_ensure(VALUE arg)
{
    entry_file *file = ((transfer *)arg)->file;

    file->users--;
    if (file->is_closed) close_file(file);
    return Qnil;
}

/* read(offset, length) -> String of up to `length` bytes, by one call */
static VALUE
file_read(VALUE self, VALUE offset, VALUE length)
{
    transfer call = { .file = get_open_file(self), .offset = NUM2OFFT(offset), .room = NUM2SIZET(length) };
    VALUE string = rb_str_buf_new((long)call.room);

    call.bytes = RSTRING_PTR(string);
    call.file->users++;
    rb_ensure(transfer_body, (VALUE)&call, transfer_ensure, (VALUE)&call);
    rb_str_set_len(string, (long)call.used);
    RB_GC_GUARD(self);
    return string;
}

/* write(bytes, offset): one call, and more only if the system wrote a part of them */
static VALUE
file_write(VALUE self, VALUE bytes, VALUE offset)
{
    VALUE copy = rb_str_new_frozen(StringValue(bytes));
    transfer call = { .file = get_open_file(self), .offset = NUM2OFFT(offset), .writes = true };

    call.room = (size_t)RSTRING_LEN(copy);
    call.bytes = FRUGAL_BYTES_OUTSIDE(copy);
    call.file->users++;
    rb_ensure(transfer_body, (VALUE)&call, transfer_ensure, (VALUE)&call);
    RB_GC_GUARD(copy);
    RB_GC_GUARD(self);
    return Qnil;
}

/* touch: sets the mtime to the present */
static VALUE
file_touch(VALUE self)
{
    entry_file *file = get_open_file(self);

    if (futimens(file->fd, NULL) != 0) frugal_probe_raise(errno, "apply2files", file->path);
    return Qnil;
}

/* close: releases the locks, too. May be called again. */
static VALUE
file_close(VALUE self)
{
    entry_file *file = rb_check_typeddata(self, &file_type);

    file->is_closed = true;
    close_file(file);
    return Qnil;
}

static VALUE
file_closed_p(VALUE self)
{
    return ((entry_file *)rb_check_typeddata(self, &file_type))->is_closed ? Qtrue : Qfalse;
}

void
frugal_entry_file_init(VALUE module)
{
    file_class = rb_define_class_under(module, "EntryFile", rb_cObject);
    rb_gc_register_mark_object(file_class);
    rb_undef_alloc_func(file_class);
    rb_define_singleton_method(file_class, "open", file_s_open, 1);
    rb_define_singleton_method(file_class, "open_read", file_s_open_read, 1);
    rb_define_singleton_method(file_class, "create", file_s_create, 2);
    rb_define_singleton_method(file_class, "create_new", file_s_create_new, 2);
    rb_define_method(file_class, "try_lock", file_try_lock, 0);
    rb_define_method(file_class, "unlock", file_unlock, 0);
    rb_define_method(file_class, "try_turn", file_try_turn, 0);
    rb_define_method(file_class, "examine", file_examine, 0);
    rb_define_method(file_class, "size", file_size, 0);
    rb_define_method(file_class, "mtime", file_mtime, 0);
    rb_define_method(file_class, "linked?", file_linked_p, 0);
    rb_define_method(file_class, "regular?", file_regular_p, 0);
    rb_define_method(file_class, "writable?", file_writable_p, 0);
    rb_define_method(file_class, "read", file_read, 2);
    rb_define_method(file_class, "write", file_write, 2);
    rb_define_method(file_class, "touch", file_touch, 0);
    rb_define_method(file_class, "close", file_close, 0);
    rb_define_method(file_class, "closed?", file_closed_p, 0);
}
