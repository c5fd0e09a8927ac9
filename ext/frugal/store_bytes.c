/* Frugal::Native::C::StoreFile: the bytes of a file that is locked, read and written without the VM lock. */
#include "store_file.h"

#include <errno.h>
#include <ruby/thread.h>
#include <unistd.h>

#include "core/store_write.h"
#include "probe.h"

typedef struct {
    int fd, error;
    char *bytes;
    size_t used, room;
} read_call;

static void *
read_unlocked(void *arg)
{
    read_call *call = arg;

    call->error = 0;
    while (call->used < call->room) {
        ssize_t got = frugal_store_read_at(call->fd, call->bytes + call->used, call->room - call->used, call->used);

        if (got > 0) call->used += (size_t)got;
        else if (got == 0) break;
        else if (errno != EINTR) {
            call->error = errno;
            break;
        }
    }
    return NULL;
}

/* read(path) -> the bytes of what acquire locked, frozen. One pread, none for an empty file. */
static VALUE
store_file_read(VALUE self, VALUE path)
{
    store_file *file = frugal_store_file_get(self);
    VALUE bytes = rb_str_buf_new((long)file->identity.size);
    read_call call = { .fd = file->fd, .bytes = RSTRING_PTR(bytes), .room = (size_t)file->identity.size };

    if (call.room > 0) rb_nogvl(read_unlocked, &call, NULL, NULL, 0);
    if (call.error) frugal_probe_raise(call.error, "io_fread", path);
    rb_str_set_len(bytes, (long)call.used);
    file->known = true;
    return rb_obj_freeze(bytes);
}

static void *
write_unlocked(void *arg)
{
    frugal_store_write_run(arg);
    return NULL;
}

/*
 * write(path, base, old, fresh, size, final_size) -> true; false in a child of
 * the process that has the lock. From base on, the file of that size holds `old`
 * (nil: not known) and is to hold `fresh`; both are frozen.
 */
static VALUE
store_file_write(VALUE self, VALUE path, VALUE base, VALUE old, VALUE fresh, VALUE size, VALUE final_size)
{
    store_file *file = frugal_store_file_get(self);
    frugal_store_write call = {
        .fd = file->fd, .old = NIL_P(old) ? NULL : RSTRING_PTR(old), .old_size = NIL_P(old) ? 0 : (size_t)RSTRING_LEN(old),
        .fresh = RSTRING_PTR(fresh), .fresh_size = (size_t)RSTRING_LEN(fresh), .base = NUM2SIZET(base),
        .file_size = NUM2SIZET(size), .final_size = NUM2SIZET(final_size), .allocated = file->allocated
    };

    frugal_store_pool_wake();
    if (!file->locked) return Qfalse;
    file->known = false;
    rb_nogvl(write_unlocked, &call, NULL, NULL, 0);
    RB_GC_GUARD(old);
    RB_GC_GUARD(fresh);
    if (call.error) frugal_probe_raise(call.error, "io_write", path);
    if (call.after.st_nlink == 0) return Qtrue;
    file->identity = frugal_identity_of(&call.after);
    file->trusted = frugal_sight_trust(&file->sight, file->times, &file->identity);
    file->known = true;
    return Qtrue;
}

void
frugal_store_bytes_init(VALUE klass)
{
    rb_define_method(klass, "read", store_file_read, 1);
    rb_define_method(klass, "write", store_file_write, 6);
}
