/*
 * Frugal::Native::C::StoreFile: determines which of the objects that share a file uses it in a transaction, and has the
 * fast path of a transaction whose cache is valid.
 */
#include "store/store_file.h"

#include <string.h>
#include <unistd.h>

#include "marshal/marshal.h"
#include "methods.h"

/* remember(index, kind): from now on, `enter` may return tables of this index and class. nil, nil ends that. */
static VALUE
session_remember(VALUE self, VALUE index, VALUE kind)
{
    store_file *file = frugal_store_file_get(self);

    file->index = index;
    file->kind = kind;
    return Qnil;
}

/* keep: prevents garbage collection of this object until drop, even if no object refers to it */
static VALUE
session_keep(VALUE self)
{
    frugal_store_keep(frugal_store_file_get(self));
    return Qnil;
}

static VALUE
session_drop(VALUE self)
{
    frugal_store_drop(frugal_store_file_get(self));
    return Qnil;
}

/* kept -> [StoreFile, ...], the kept files that are not in a transaction, the newest first */
static VALUE
session_kept(VALUE klass)
{
    frugal_store_pool_check_fork();
    return frugal_store_kept();
}

/* The table for `enter`, if no other transaction uses the file; or nil. */
static VALUE
table_of(VALUE self, store_file *file, VALUE path, bool read_only, VALUE follow, VALUE table)
{
    VALUE answer;

    if (NIL_P(file->index) || file->cache != STORE_CACHE_VALID || !RB_TYPE_P(path, T_STRING)) return Qnil;
    if (memchr(RSTRING_PTR(path), 0, (size_t)RSTRING_LEN(path)) != NULL) return Qnil;
    if (read_only) {
        answer = frugal_store_file_is_fresh(file, path, follow);
        if (answer == Qfalse) frugal_store_file_invalidate(file);
        if (NIL_P(answer)) return rb_hash_new(); /* no such file */
    }
    else {
        answer = frugal_store_file_acquire(self, path, follow, Qtrue);
        if (answer == Qfalse) file->lock = STORE_LOCKED_UNREPORTED;
    }
    if (answer != Qtrue) return Qnil;
    return frugal_marshal_table_renew(table, file->kind, file->index);
}

/* Ruby's own methods that stock's transaction calls: see dropin/pstore.rb. */
static frugal_core_method called[] = {
    { &rb_cFile, "new", true, 0 },     { &rb_cFile, "flock", false, 0 }, { &rb_cFile, "read", false, 0 },
    { &rb_cFile, "rewind", false, 0 }, { &rb_cFile, "write", false, 0 }, { &rb_cFile, "truncate", false, 0 },
    { &rb_cFile, "close", false, 0 },  { NULL, NULL, false, 0 },
};

static bool
seize(store_file *file, VALUE owner)
{
    frugal_store_pool_check_fork();
    if (file->held != STORE_FREE) return false;
    frugal_store_hold(file, STORE_ENTERED);
    file->owner = owner;
    if (file->lock == STORE_LOCKED_UNREPORTED) file->lock = STORE_LOCKED;
    return true;
}

/* seize(owner) -> true: the file belongs to the owner until leave(owner); false: another transaction uses it */
static VALUE
session_seize(VALUE self, VALUE owner)
{
    return seize(frugal_store_file_get(self), owner) ? Qtrue : Qfalse;
}

/*
 * enter(owner, File, path, read_only, no_follow, table) begins a transaction, until
 * leave(owner). Returns
 * - a table (`table`, reset, or a new one) if the file is open as needed, and its bytes are unchanged;
 * - nil: call fresh? or acquire next;
 * - false: another transaction uses the file, and this one has not begun.
 */
static VALUE
session_enter(VALUE self, VALUE owner, VALUE file_class, VALUE path, VALUE read_only, VALUE no_follow, VALUE table)
{
    store_file *file = frugal_store_file_get(self);
    VALUE follow;

    if (!seize(file, owner)) return Qfalse;
    /* FakeFS replaces File and has its own files; a test may replace a method. */
    if (file_class != rb_cFile || !frugal_methods_core_p(called)) return Qnil;
    follow = RTEST(no_follow) && no_follow != INT2FIX(0) ? Qfalse : Qtrue;
    return table_of(self, file, path, RTEST(read_only), follow, table);
}

/*
 * free? -> whether another object may enter: the file is not in a transaction, and was opened by the current user and
 * group
 */
static VALUE
session_free_p(VALUE self)
{
    const store_file *file = frugal_store_file_get(self);

    frugal_store_pool_check_fork();
    return file->held == STORE_FREE && file->user == geteuid() && file->group == getegid() ? Qtrue : Qfalse;
}

/* unchanged?(table) -> true: there is nothing to save; false: perhaps there is */
static VALUE
session_unchanged_p(VALUE self, VALUE table)
{
    return frugal_marshal_table_unchanged(table) ? Qtrue : Qfalse;
}

static void
release(store_file *file)
{
    file->owner = Qnil;
    frugal_store_let_go(file);
    frugal_store_file_unlock(file);
    if (frugal_store_pool_full()) frugal_store_pool_close(file); /* more files may have been in transactions at once */
}

/* release: ends the transaction, whether it succeeded or not. */
static VALUE
session_release(VALUE self)
{
    release(frugal_store_file_get(self));
    return Qnil;
}

/* leave(owner): the same, if the transaction belongs to the owner. */
static VALUE
session_leave(VALUE self, VALUE owner)
{
    store_file *file = frugal_store_file_get(self);

    if (file->owner == owner) release(file);
    return Qnil;
}

void
frugal_store_session_init(VALUE klass)
{
    rb_define_method(klass, "release", session_release, 0);
    rb_define_method(klass, "remember", session_remember, 2);
    rb_define_method(klass, "keep", session_keep, 0);
    rb_define_method(klass, "drop", session_drop, 0);
    rb_define_singleton_method(klass, "kept", session_kept, 0);
    rb_define_method(klass, "seize", session_seize, 1);
    rb_define_method(klass, "enter", session_enter, 6);
    rb_define_method(klass, "free?", session_free_p, 0);
    rb_define_method(klass, "leave", session_leave, 1);
    rb_define_method(klass, "unchanged?", session_unchanged_p, 1);
}
