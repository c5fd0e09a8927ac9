/*
 * Frugal::Native::C::StoreFile: one file that processes share under flock(2). The caller keeps its bytes as long as a
 * stat of the path proves that they are valid. The Ruby code decides what the answers mean for a transaction.
 *
 * A stat or a flock that does not wait runs under the VM lock, since it takes less
 * time than releasing that lock. A call that may wait runs without the VM lock.
 */
#include "store/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <ruby/io.h>
#include <ruby/thread.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "probe/probe.h"

static ID id_itself;

static void
store_file_mark(void *ptr)
{
    const store_file *file = ptr;

    rb_gc_mark(file->holder);
    rb_gc_mark(file->owner);
    rb_gc_mark(file->index);
    rb_gc_mark(file->kind);
}

/* Updates the references, since compaction may have moved the objects. */
static void
store_file_compact(void *ptr)
{
    store_file *file = ptr;

    file->self = rb_gc_location(file->self);
}

static void
store_file_free(void *ptr)
{
    store_file *file = ptr;

    frugal_store_let_go(file);
    frugal_store_drop(file);
    frugal_store_pool_close(file);
    xfree(file);
}

static size_t
store_file_size(const void *ptr)
{
    return sizeof(store_file);
}

static const rb_data_type_t store_file_type = { .wrap_struct_name = "Frugal::Native::C::StoreFile",
                                                .function = { .dmark = store_file_mark,
                                                              .dfree = store_file_free,
                                                              .dsize = store_file_size,
                                                              .dcompact = store_file_compact },
                                                .flags = RUBY_TYPED_FREE_IMMEDIATELY };

static VALUE
store_file_alloc(VALUE klass)
{
    store_file *file;
    VALUE self = TypedData_Make_Struct(klass, store_file, &store_file_type, file);

    file->fd = -1;
    file->holder = file->owner = file->index = file->kind = Qnil;
    file->self = self;
    return self;
}

store_file *
frugal_store_file_get(VALUE self)
{
    return rb_check_typeddata(self, &store_file_type);
}

static int
stat_path(VALUE path, VALUE follow, struct stat *st)
{
    const char *name = StringValueCStr(path);

    return (RTEST(follow) ? stat(name, st) : lstat(name, st)) == 0 ? 0 : errno;
}

void
frugal_store_file_identify(store_file *file, const frugal_identity *identity)
{
    bool proves;

    file->identity = *identity;
    proves = frugal_store_identity_proves(&file->sighting, file->times, identity);
    file->cache = proves ? STORE_CACHE_INVALID : STORE_CACHE_UNPROVABLE;
}

VALUE
frugal_store_file_is_fresh(store_file *file, VALUE path, VALUE follow)
{
    frugal_identity now;
    struct stat st;
    int error;

    if (file->cache != STORE_CACHE_VALID) return Qfalse;
    error = stat_path(path, follow, &st);
    if (error) return error == ENOENT ? Qnil : Qfalse;
    now = frugal_store_identity_of(&st);
    if (!frugal_store_identity_same(&now, &file->identity)) return Qfalse;
    if (frugal_store_would_wait_for_itself(file, &now, STORE_SHARED)) return ID2SYM(id_itself);
    frugal_store_hold(file, STORE_SHARED);
    return Qtrue;
}

/*
 * fresh?(path, follow) -> true: the cache is valid; nil: no such file; false: call
 * acquire; :itself: another transaction of this thread has the file locked
 */
static VALUE
store_file_fresh_p(VALUE self, VALUE path, VALUE follow)
{
    frugal_store_pool_check_fork();
    return frugal_store_file_is_fresh(frugal_store_file_get(self), path, follow);
}

/* -- open -- */

typedef struct {
    const char *name;
    int flags, fd, error;
} open_call;

static void *
open_unlocked(void *arg)
{
    open_call *call = arg;

    call->fd = open(call->name, call->flags | O_CLOEXEC, 0666);
    call->error = call->fd < 0 ? errno : 0;
    return NULL;
}

/* Puts an opened descriptor in place of the file's old one. */
static void
set_descriptor(store_file *file, int fd, bool writable, const struct stat *st)
{
    frugal_identity opened = frugal_store_identity_of(st);

    /* While the old descriptor is open, an equal device number means the same file system. */
    if (!frugal_store_pool_open(file) || file->opened.device != opened.device) file->times = frugal_system_times(fd);
    frugal_store_pool_add(file, fd, writable);
    file->opened = opened;
    file->user = geteuid();
    file->group = getegid();
}

/*
 * open(path, follow, writable) -> true; nil: no such file to read; false: it is not a regular file, and is not opened
 */
static VALUE
store_file_open(VALUE self, VALUE path, VALUE follow, VALUE writable)
{
    store_file *file = frugal_store_file_get(self);
    VALUE name = rb_str_new_frozen(path);
    open_call call = { .name = StringValueCStr(name) };
    int collected = 0;
    struct stat st;

    /*
     * O_NONBLOCK: otherwise open waits for a writer of a pipe. If open fails because the file is leased, it is tried
     * again without.
     */
    call.flags = (RTEST(writable) ? O_RDWR | O_CREAT : O_RDONLY) | (RTEST(follow) ? 0 : O_NOFOLLOW) | O_NONBLOCK;
    for (;;) {
        call.fd = -1;
        call.error = EINTR;
        /* INTR_FAIL: an interrupt is not raised here, which would leak the descriptor. */
        rb_nogvl(open_unlocked, &call, RUBY_UBF_IO, NULL, RB_NOGVL_INTR_FAIL);
        if (call.fd >= 0) break;
        if (call.error == ENOENT && !RTEST(writable)) return Qnil;
        if (call.error == EWOULDBLOCK && (call.flags & O_NONBLOCK)) {
            call.flags &= ~O_NONBLOCK;
            continue;
        }
        if ((call.error == EMFILE || call.error == ENFILE) && frugal_store_pool_close_oldest()) continue;
        if (!frugal_probe_retry(call.error, &collected)) frugal_probe_raise(call.error, "rb_sysopen", path);
    }
    rb_update_max_fd(call.fd);
    RB_GC_GUARD(name);
    if (fstat(call.fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(call.fd);
        return Qfalse;
    }
    set_descriptor(file, call.fd, RTEST(writable), &st);
    frugal_probe_check_interrupts();
    return Qtrue;
}

/* adopt(io): replaces the open file by the file of `io`, which is open for writing and locked. */
static VALUE
store_file_adopt(VALUE self, VALUE io)
{
    store_file *file = frugal_store_file_get(self);
    int fd = NUM2INT(rb_funcall(io, rb_intern("fileno"), 0));
    struct stat st;

    if (fstat(fd, &st) != 0) rb_sys_fail("fstat");
    rb_funcall(io, rb_intern("autoclose="), 1, Qfalse);
    set_descriptor(file, fd, true, &st);
    file->lock = STORE_LOCKED;
    frugal_store_file_identify(file, &file->opened);
    frugal_store_file_validate(file);
    return Qnil;
}

/* -- acquire -- */

typedef struct {
    store_file *file;
    int operation, error;
} lock_call;

static void *
lock_unlocked(void *arg)
{
    lock_call *call = arg;

    call->error = flock(call->file->fd, call->operation) == 0 ? 0 : errno;
    if (call->error == 0) call->file->lock = STORE_LOCKED;
    return NULL;
}

/* Reports whether the open file is still the one at the path. */
static bool
is_at_path(const store_file *file, VALUE path, VALUE follow)
{
    frugal_identity now;
    struct stat st;

    if (stat_path(path, follow, &st) != 0) return false;
    now = frugal_store_identity_of(&st);
    return frugal_store_identity_same_file(&now, &file->opened);
}

/*
 * Locks the file, and waits if it must. Returns false if another file is at the path by now, so waiting is pointless.
 */
static bool
lock(store_file *file, int how, VALUE path, VALUE follow)
{
    lock_call call = { .file = file, .operation = (how == STORE_EXCLUSIVE ? LOCK_EX : LOCK_SH) | LOCK_NB };
    int collected = 0;

    /*
     * An unknown file system may be on a network, where even LOCK_NB takes long. So it is not tried under the VM lock.
     */
    if (file->times != FRUGAL_TIMES_UNKNOWN) lock_unlocked(&call);
    if (call.error != EWOULDBLOCK && call.error != EINTR && call.error != 0) {
        frugal_probe_raise(call.error, "rb_file_flock", path);
    }
    if (file->lock == STORE_UNLOCKED && !is_at_path(file, path, follow)) return false;
    call.operation &= ~LOCK_NB;
    while (file->lock == STORE_UNLOCKED) {
        frugal_probe_wait_unlocked(lock_unlocked, &call, RUBY_UBF_IO, NULL, 0);
        if (call.error && !frugal_probe_retry(call.error, &collected)) {
            frugal_probe_raise(call.error, "rb_file_flock", path);
        }
    }
    return true;
}

/* The bytes that fit into the file's blocks: the content's size, rounded up to a whole block. */
static int64_t
allocated_size(const struct stat *st)
{
    int64_t blocks = (int64_t)st->st_blocks * 512, last;

    if (st->st_blksize <= 0 || blocks <= 0) return blocks;
    last = ((int64_t)st->st_size + st->st_blksize - 1) / st->st_blksize * st->st_blksize;
    return last < blocks ? last : blocks; /* the blocks may also hold other data than the content */
}

/* Reports whether this is the file that was opened, with the same rights as then. */
static bool
is_opened_file(const store_file *file, const frugal_identity *now)
{
    const frugal_identity *opened = &file->opened;

    return frugal_store_identity_same_file(now, opened) && now->mode == opened->mode && now->owner == opened->owner &&
           now->group == opened->group;
}

/*
 * acquire(path, follow, exclusive) -> true: locked, and the cache is valid; false:
 * locked, read the file; nil: call open, then acquire again; :itself: it would wait
 * for another transaction of this thread
 */
VALUE
frugal_store_file_acquire(VALUE self, VALUE path, VALUE follow, VALUE exclusive)
{
    store_file *file = frugal_store_file_get(self);
    int how = RTEST(exclusive) ? STORE_EXCLUSIVE : STORE_SHARED;
    frugal_identity now;
    struct stat st;

    if (file->lock == STORE_LOCKED_UNREPORTED) {
        file->lock = STORE_LOCKED;
        return Qfalse;
    }
    if (!frugal_store_pool_open(file) || (how == STORE_EXCLUSIVE && !file->writable)) return Qnil;
    if (frugal_store_would_wait_for_itself(file, &file->opened, how)) {
        if (is_at_path(file, path, follow)) return ID2SYM(id_itself);
        frugal_store_pool_close(file);
        return Qnil;
    }
    frugal_store_hold(file, how);
    frugal_store_pool_touch(file);
    if (!lock(file, how, path, follow) || stat_path(path, follow, &st) != 0) {
        frugal_store_pool_close(file);
        return Qnil;
    }
    now = frugal_store_identity_of(&st);
    file->allocated = allocated_size(&st);
    if (file->cache == STORE_CACHE_VALID && frugal_store_identity_same(&now, &file->identity)) return Qtrue;
    frugal_store_file_invalidate(file);
    if (!is_opened_file(file, &now)) {
        frugal_store_pool_close(file);
        return Qnil;
    }
    frugal_store_file_identify(file, &now);
    return Qfalse;
}

/* same?(other) -> whether the cache of another object has the identity of the file that was acquired */
static VALUE
store_file_same_p(VALUE self, VALUE other)
{
    const store_file *file = frugal_store_file_get(self), *source = frugal_store_file_get(other);

    if (source->cache != STORE_CACHE_VALID) return Qfalse;
    return frugal_store_identity_same(&source->identity, &file->identity) ? Qtrue : Qfalse;
}

void
frugal_store_file_unlock(store_file *file)
{
    frugal_store_pool_check_fork();
    if (file->lock == STORE_UNLOCKED) return;
    file->lock = STORE_UNLOCKED;
    if (flock(file->fd, LOCK_UN) != 0) frugal_store_pool_close(file);
}

/* unlock: does nothing in a child of the process that has the lock. */
static VALUE
store_file_unlock(VALUE self)
{
    frugal_store_file_unlock(frugal_store_file_get(self));
    return Qnil;
}

/* locked? -> whether this process, not its parent, has the lock */
static VALUE
store_file_locked_p(VALUE self)
{
    frugal_store_pool_check_fork();
    return frugal_store_file_get(self)->lock != STORE_UNLOCKED ? Qtrue : Qfalse;
}

/* rights -> [mode, owner, group] of the file that was acquired */
static VALUE
store_file_rights(VALUE self)
{
    const frugal_identity *identity = &frugal_store_file_get(self)->identity;

    return rb_ary_new_from_args(3, UINT2NUM(identity->mode & 07777), UINT2NUM(identity->owner),
                                UINT2NUM(identity->group));
}

/* revalidate: undoes invalidate. The bytes still belong to the cache's identity. */
static VALUE
store_file_revalidate(VALUE self)
{
    frugal_store_file_validate(frugal_store_file_get(self));
    return Qnil;
}

/* stamp -> [inode, mtime in ns] of the file when it was acquired or last written */
static VALUE
store_file_stamp(VALUE self)
{
    const frugal_identity *identity = &frugal_store_file_get(self)->identity;

    return rb_assoc_new(ULL2NUM(identity->inode), LL2NUM(identity->mtime));
}

/* invalidate: the caller's bytes are not valid any more, until read, write or revalidate. */
static VALUE
store_file_invalidate(VALUE self)
{
    frugal_store_file_invalidate(frugal_store_file_get(self));
    return Qnil;
}

void
frugal_store_file_init(VALUE klass)
{
    id_itself = rb_intern("itself");
    rb_define_alloc_func(klass, store_file_alloc);
    rb_define_method(klass, "fresh?", store_file_fresh_p, 2);
    rb_define_method(klass, "open", store_file_open, 3);
    rb_define_method(klass, "adopt", store_file_adopt, 1);
    rb_define_method(klass, "acquire", frugal_store_file_acquire, 3);
    rb_define_method(klass, "unlock", store_file_unlock, 0);
    rb_define_method(klass, "locked?", store_file_locked_p, 0);
    rb_define_method(klass, "same?", store_file_same_p, 1);
    rb_define_method(klass, "revalidate", store_file_revalidate, 0);
    rb_define_method(klass, "invalidate", store_file_invalidate, 0);
    rb_define_method(klass, "rights", store_file_rights, 0);
    rb_define_method(klass, "stamp", store_file_stamp, 0);
}
