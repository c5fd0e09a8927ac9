/* Frugal::Native::C::StoreFile: reads and writes a locked file without the VM lock. */
#include "store/store_file.h"

#include <errno.h>
#include <unistd.h>

#include "core/store/store.h"
#include "probe/probe.h"

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

/* read(path) -> the bytes of the locked file, frozen. Takes one pread; none for an empty file. */
static VALUE
store_file_read(VALUE self, VALUE path)
{
    store_file *file = frugal_store_file_get(self);
    VALUE bytes = rb_str_buf_new((long)file->identity.size);
    read_call call = { .fd = file->fd, .bytes = RSTRING_PTR(bytes), .room = (size_t)file->identity.size };
    int collected = 0;

    if (call.room > 0) {
        do {
            frugal_probe_wait_unlocked(read_unlocked, &call, NULL, NULL, 0);
        } while (call.error && frugal_probe_retry(call.error, &collected));
    }
    if (call.error) frugal_probe_raise(call.error, "io_fread", path);
    rb_str_set_len(bytes, (long)call.used);
    frugal_store_file_validate(file);
    return rb_obj_freeze(bytes);
}

static void *
write_unlocked(void *arg)
{
    frugal_store_write_run(arg);
    return NULL;
}

/*
 * write(path, base, old, fresh, size, final_size) -> true; false in a child of the process that has the lock. The file
 * has `size` bytes; from `base` on, it has the bytes `old` (nil: unknown) and gets `fresh`. Both Strings are frozen.
 */
static VALUE
store_file_write(VALUE self, VALUE path, VALUE base, VALUE old, VALUE fresh, VALUE size, VALUE final_size)
{
    store_file *file = frugal_store_file_get(self);
    frugal_store_write call = { .fd = file->fd,
                                .old = NIL_P(old) ? NULL : FRUGAL_BYTES_OUTSIDE(old),
                                .old_size = NIL_P(old) ? 0 : (size_t)RSTRING_LEN(old),
                                .fresh = FRUGAL_BYTES_OUTSIDE(fresh),
                                .fresh_size = (size_t)RSTRING_LEN(fresh),
                                .base = NUM2SIZET(base),
                                .file_size = NUM2SIZET(size),
                                .final_size = NUM2SIZET(final_size),
                                .allocated = file->allocated };
    frugal_identity identity;

    frugal_store_pool_check_fork();
    if (file->lock == STORE_UNLOCKED) return Qfalse;
    frugal_store_file_invalidate(file);
    frugal_probe_wait_unlocked(write_unlocked, &call, NULL, NULL, 0);
    RB_GC_GUARD(old);
    RB_GC_GUARD(fresh);
    if (call.error) frugal_probe_raise(call.error, "io_write", path);
    if (call.after.st_nlink == 0) return Qtrue; /* fstat failed, or the file was removed: the cache stays invalid */
    identity = frugal_store_identity_of(&call.after);
    frugal_store_file_identify(file, &identity);
    frugal_store_file_validate(file);
    return Qtrue;
}

void
frugal_store_bytes_init(VALUE klass)
{
    rb_define_method(klass, "read", store_file_read, 1);
    rb_define_method(klass, "write", store_file_write, 6);
}
