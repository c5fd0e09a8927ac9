/*
 * Frugal::Native::C::StoreFile: one file that processes share under flock(2),
 * whose bytes the caller keeps as long as a stat by path says that they hold.
 * What these answers mean for a transaction is decided above.
 *
 * Stats and locks that are free are asked for with the VM lock, which is over
 * before that could change hands; what may wait runs without.
 */
#include "store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <ruby/io.h>
#include <ruby/thread.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "marshal.h"
#include "probe.h"

static ID id_itself;

static void
store_file_mark(void *ptr)
{
    const store_file *file = ptr;

    rb_gc_mark(file->holder);
    rb_gc_mark(file->name);
    rb_gc_mark(file->index);
    rb_gc_mark(file->table);
}

static void
store_file_free(void *ptr)
{
    store_file *file = ptr;

    frugal_store_let_go(file);
    frugal_store_pool_close(file);
    xfree(file);
}

static size_t
store_file_size(const void *ptr)
{
    return sizeof(store_file);
}

static const rb_data_type_t store_file_type = {
    .wrap_struct_name = "Frugal::Native::C::StoreFile",
    .function = { .dmark = store_file_mark, .dfree = store_file_free, .dsize = store_file_size },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY
};

static VALUE
store_file_alloc(VALUE klass)
{
    store_file *file;
    VALUE self = TypedData_Make_Struct(klass, store_file, &store_file_type, file);

    file->fd = -1;
    file->holder = file->name = file->index = file->table = Qnil;
    return self;
}

store_file *
frugal_store_file_get(VALUE self)
{
    return rb_check_typeddata(self, &store_file_type);
}

static int
ask(VALUE path, VALUE follow, struct stat *st)
{
    const char *name = StringValueCStr(path);

    return (RTEST(follow) ? stat(name, st) : lstat(name, st)) == 0 ? 0 : errno;
}

/* fresh?(path, follow) -> true: the bytes hold; nil: no such file; false: lock, and look; :itself */
static VALUE
store_file_fresh_p(VALUE self, VALUE path, VALUE follow)
{
    store_file *file = frugal_store_file_get(self);
    frugal_identity now;
    struct stat st;
    int error;

    if (!file->known || !file->trusted) return Qfalse;
    error = ask(path, follow, &st);
    if (error) return error == ENOENT ? Qnil : Qfalse;
    now = frugal_identity_of(&st);
    if (!frugal_identity_same(&now, &file->identity)) return Qfalse;
    if (frugal_store_would_wait_for_itself(file, &now, STORE_SHARED)) return ID2SYM(id_itself);
    frugal_store_hold(file, STORE_SHARED);
    return Qtrue;
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

/* As long as a file is open, no other file system has the number of its device. */
static void
keep(store_file *file, int fd, bool writable, const struct stat *st)
{
    frugal_identity opened = frugal_identity_of(st);

    if (!frugal_store_pool_open(file) || file->opened.device != opened.device) file->times = frugal_times_of(fd);
    frugal_store_pool_add(file, fd, writable);
    file->opened = opened;
}

/* open(path, follow, writable) -> true; nil: no such file to read; false: not a regular file, not opened */
static VALUE
store_file_open(VALUE self, VALUE path, VALUE follow, VALUE writable)
{
    store_file *file = frugal_store_file_get(self);
    VALUE name = rb_str_new_frozen(path);
    open_call call = { .name = StringValueCStr(name) };
    int collected = 0;
    struct stat st;

    /* Not waiting, which only a pipe would that nobody writes to, or a file that is leased. */
    call.flags = (RTEST(writable) ? O_RDWR | O_CREAT : O_RDONLY) | (RTEST(follow) ? 0 : O_NOFOLLOW) | O_NONBLOCK;
    for (;;) {
        call.fd = -1;
        call.error = EINTR;
        rb_nogvl(open_unlocked, &call, RUBY_UBF_IO, NULL, RB_NOGVL_INTR_FAIL); /* raises nothing, or what is open would be lost */
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
    keep(file, call.fd, RTEST(writable), &st);
    return Qtrue;
}

/* adopt(io): a file that is open for writing and locked takes the place of the one that was. */
static VALUE
store_file_adopt(VALUE self, VALUE io)
{
    store_file *file = frugal_store_file_get(self);
    int fd = NUM2INT(rb_funcall(io, rb_intern("fileno"), 0));
    struct stat st;

    if (fstat(fd, &st) != 0) rb_sys_fail("fstat");
    rb_funcall(io, rb_intern("autoclose="), 1, Qfalse);
    keep(file, fd, true, &st);
    file->locked = true;
    file->identity = frugal_identity_of(&st);
    file->trusted = frugal_sight_trust(&file->sight, file->times, &file->identity);
    file->known = true;
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
    if (call->error == 0) call->file->locked = true;
    return NULL;
}

/* Whether the path still leads to what is open. */
static bool
leads_there(const store_file *file, VALUE path, VALUE follow)
{
    frugal_identity now;
    struct stat st;

    if (ask(path, follow, &st) != 0) return false;
    now = frugal_identity_of(&st);
    return frugal_identity_same_file(&now, &file->opened);
}

/* False where that would be waiting for a file that the path does not lead to any more. */
static bool
lock(store_file *file, int how, VALUE path, VALUE follow)
{
    lock_call call = { .file = file, .operation = (how == STORE_EXCLUSIVE ? LOCK_EX : LOCK_SH) | LOCK_NB };
    int collected = 0;

    /* Of another machine, even the answer that it is locked may take its time. */
    if (file->times != FRUGAL_TIMES_UNKNOWN) lock_unlocked(&call);
    if (call.error != EWOULDBLOCK && call.error != EINTR && call.error != 0) frugal_probe_raise(call.error, "rb_file_flock", path);
    if (!file->locked && !leads_there(file, path, follow)) return false;
    call.operation &= ~LOCK_NB;
    while (!file->locked) {
        rb_thread_call_without_gvl(lock_unlocked, &call, RUBY_UBF_IO, NULL);
        if (call.error && !frugal_probe_retry(call.error, &collected)) frugal_probe_raise(call.error, "rb_file_flock", path);
    }
    return true;
}

/*
 * acquire(path, follow, exclusive) -> true: locked, the bytes hold; false:
 * locked, read them; nil: open it first (again); :itself: it would wait for
 * another transaction of this thread
 */
static VALUE
store_file_acquire(VALUE self, VALUE path, VALUE follow, VALUE exclusive)
{
    store_file *file = frugal_store_file_get(self);
    int how = RTEST(exclusive) ? STORE_EXCLUSIVE : STORE_SHARED;
    frugal_identity now;
    struct stat st;

    if (file->looked && file->locked) {
        file->looked = false;
        return Qfalse;
    }
    if (!frugal_store_pool_open(file) || (how == STORE_EXCLUSIVE && !file->writable)) return Qnil;
    if (frugal_store_would_wait_for_itself(file, &file->opened, how)) {
        if (leads_there(file, path, follow)) return ID2SYM(id_itself);
        frugal_store_pool_close(file);
        return Qnil;
    }
    frugal_store_hold(file, how);
    frugal_store_pool_touch(file);
    if (!lock(file, how, path, follow) || ask(path, follow, &st) != 0) {
        frugal_store_pool_close(file);
        return Qnil;
    }
    now = frugal_identity_of(&st);
    file->allocated = (int64_t)st.st_blocks * 512;
    if (st.st_blksize > 0 && file->allocated > 0) {
        int64_t last = ((int64_t)st.st_size + st.st_blksize - 1) / st.st_blksize * st.st_blksize;

        if (last < file->allocated) file->allocated = last; /* a file's blocks may hold more than its content */
    }
    if (file->known && file->trusted && frugal_identity_same(&now, &file->identity)) return Qtrue;
    file->known = false;
    /* Another file by now, or one that may not be opened so any more. */
    if (!frugal_identity_same_file(&now, &file->opened) || now.mode != file->opened.mode ||
        now.owner != file->opened.owner || now.group != file->opened.group) {
        frugal_store_pool_close(file);
        return Qnil;
    }
    file->identity = now;
    file->trusted = frugal_sight_trust(&file->sight, file->times, &now);
    return Qfalse;
}

/* -- the way of a transaction that finds all as it left it -- */

/* remember(name, index, table): from now on `table` may answer, with this one; or nil, nil, nil */
static VALUE
store_file_remember(VALUE self, VALUE name, VALUE index, VALUE table)
{
    store_file *file = frugal_store_file_get(self);

    file->name = name;
    file->index = index;
    file->table = table;
    return Qnil;
}

/*
 * table(name, read_only, no_follow) -> the remembered table, as new, where the
 * file is open as it has to be and still what it was; nil: fresh? or acquire
 * will tell
 */
static VALUE
store_file_table(VALUE self, VALUE name, VALUE read_only, VALUE no_follow)
{
    store_file *file = frugal_store_file_get(self);
    VALUE follow = RTEST(no_follow) && no_follow != INT2FIX(0) ? Qfalse : Qtrue, answer;

    file->looked = false;
    if (NIL_P(file->index) || name != file->name || !file->known || !file->trusted) return Qnil;
    if (RTEST(read_only)) {
        answer = store_file_fresh_p(self, name, follow);
        if (answer != Qtrue && !NIL_P(answer)) file->known = answer != Qfalse;
        if (NIL_P(answer)) return rb_hash_new(); /* no such file */
    }
    else {
        answer = store_file_acquire(self, name, follow, Qtrue);
        file->looked = answer == Qfalse;
    }
    if (answer != Qtrue) return Qnil;
    frugal_marshal_table_renew(file->table, file->index);
    return file->table;
}

/* unchanged?(table) -> true: there is nothing to save; false: perhaps there is */
static VALUE
store_file_unchanged_p(VALUE self, VALUE table)
{
    return frugal_marshal_table_unchanged(table) ? Qtrue : Qfalse;
}

/* unlock: but not what a parent process has locked. */
static VALUE
store_file_unlock(VALUE self)
{
    store_file *file = frugal_store_file_get(self);

    frugal_store_pool_wake();
    if (!file->locked) return Qnil;
    file->locked = false;
    if (flock(file->fd, LOCK_UN) != 0) frugal_store_pool_close(file);
    return Qnil;
}

/* release: ends the transaction, whatever became of it. */
static VALUE
store_file_release(VALUE self)
{
    store_file *file = frugal_store_file_get(self);

    frugal_store_let_go(file);
    store_file_unlock(self);
    if (frugal_store_pool_full()) frugal_store_pool_close(file); /* as many may have been in transactions at once */
    return Qnil;
}

/* locked? -> whether this very process has the lock */
static VALUE
store_file_locked_p(VALUE self)
{
    frugal_store_pool_wake();
    return frugal_store_file_get(self)->locked ? Qtrue : Qfalse;
}

/* rights -> [mode, owner, group] of the file that was acquired */
static VALUE
store_file_rights(VALUE self)
{
    const frugal_identity *identity = &frugal_store_file_get(self)->identity;

    return rb_ary_new_from_args(3, UINT2NUM(identity->mode & 07777), UINT2NUM(identity->owner), UINT2NUM(identity->group));
}

/* believe: the bytes are what they were when the caller said forget. */
static VALUE
store_file_believe(VALUE self)
{
    frugal_store_file_get(self)->known = true;
    return Qnil;
}

/* stamp -> [inode, mtime in ns] of the file as it was acquired or, after that, written */
static VALUE
store_file_stamp(VALUE self)
{
    const frugal_identity *identity = &frugal_store_file_get(self)->identity;

    return rb_assoc_new(ULL2NUM(identity->inode), LL2NUM(identity->mtime));
}

/* forget: what the caller has of the bytes is not to be believed any more. */
static VALUE
store_file_forget(VALUE self)
{
    frugal_store_file_get(self)->known = false;
    return Qnil;
}

void
frugal_store_file_init(void)
{
    VALUE klass = rb_define_class_under(frugal_mC, "StoreFile", rb_cObject);

    id_itself = rb_intern("itself");
    frugal_store_pool_init();
    rb_define_alloc_func(klass, store_file_alloc);
    rb_define_method(klass, "fresh?", store_file_fresh_p, 2);
    rb_define_method(klass, "open", store_file_open, 3);
    rb_define_method(klass, "adopt", store_file_adopt, 1);
    rb_define_method(klass, "acquire", store_file_acquire, 3);
    rb_define_method(klass, "unlock", store_file_unlock, 0);
    rb_define_method(klass, "release", store_file_release, 0);
    rb_define_method(klass, "locked?", store_file_locked_p, 0);
    rb_define_method(klass, "remember", store_file_remember, 3);
    rb_define_method(klass, "table", store_file_table, 3);
    rb_define_method(klass, "unchanged?", store_file_unchanged_p, 1);
    rb_define_method(klass, "believe", store_file_believe, 0);
    rb_define_method(klass, "forget", store_file_forget, 0);
    rb_define_method(klass, "rights", store_file_rights, 0);
    rb_define_method(klass, "stamp", store_file_stamp, 0);
    frugal_store_bytes_init(klass);
}
