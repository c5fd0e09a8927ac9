/*
 * Frugal::Native::C::Beneath, which opens files beneath a directory, and BeneathFile, an open file. The Ruby caller
 * decides how a web server responds.
 *
 * Opening a file takes about as long as a stat(2) and never waits for a fifo, so it
 * keeps the VM lock, as a probe does. Reading releases the lock.
 */
#include "frugal.h"

#include <errno.h>
#include <ruby/encoding.h>
#include <ruby/io.h>
#include <string.h>
#include <unistd.h>

#include "core/beneath/beneath.h"
#include "core/probe/probe.h"
#include "native_memory.h"
#include "open_file.h"
#include "probe/probe.h"

/* Shorter paths are copied to the stack. Linux does not accept longer paths. */
#define STACK_PATH_SIZE 4096

/* How long to wait for a lease. Linux revokes one after 45 seconds. */
#define LEASE_SECONDS 60

#ifdef RUBY_TYPED_FROZEN_SHAREABLE
#define SHAREABLE RUBY_TYPED_FROZEN_SHAREABLE
#else
#define SHAREABLE 0
#endif

static VALUE file_class;

/* -- an open file -- */

typedef struct {
    frugal_open_file open; /* its path is relative to the root, without "." and ".." */
    off_t size;
    struct timespec mtime;
} beneath_file;

static size_t
file_memsize(const void *ptr)
{
    return sizeof(beneath_file);
}

static const rb_data_type_t file_type = {
    .wrap_struct_name = "Frugal::Native::C::BeneathFile",
    .function = { .dmark = frugal_open_file_mark, .dfree = frugal_open_file_free, .dsize = file_memsize },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY
};

static beneath_file *
get_file(VALUE self)
{
    return rb_check_typeddata(self, &file_type);
}

static beneath_file *
get_open_file(VALUE self)
{
    beneath_file *file = get_file(self);

    frugal_open_file_check(&file->open);
    return file;
}

static VALUE
file_path(VALUE self)
{
    return get_file(self)->open.path;
}

/* size -> Integer, in bytes, when the file was opened */
static VALUE
file_size(VALUE self)
{
    return OFFT2NUM(get_file(self)->size);
}

static VALUE
file_mtime(VALUE self)
{
    return frugal_probe_time(get_file(self)->mtime);
}

/* fileno -> the descriptor, which this object closes */
static VALUE
file_fileno(VALUE self)
{
    return INT2NUM(get_open_file(self)->open.fd);
}

/* same_size? -> whether the file still has the size that it had when it was opened */
static VALUE
file_same_size_p(VALUE self)
{
    beneath_file *file = get_open_file(self);
    struct stat st;

    return fstat(file->open.fd, &st) == 0 && st.st_size == file->size ? Qtrue : Qfalse;
}

typedef struct {
    int fd;
    VALUE bytes;
    off_t offset;
    size_t room, used;
    int error;
} read_call;

static void *
read_unlocked(void *arg)
{
    read_call *call = arg;
    char *bytes = RSTRING_PTR(call->bytes);

    call->error = 0;
    while (call->used < call->room) {
        ssize_t got = pread(call->fd, bytes + call->used, call->room - call->used, call->offset + (off_t)call->used);

        if (got < 0) call->error = errno;
        if (got <= 0) break;
        call->used += (size_t)got;
    }
    return call;
}

/* read(offset, length) -> String of `length` bytes from the offset, shorter at the end of the file */
static VALUE
file_read(VALUE self, VALUE offset, VALUE length)
{
    frugal_open_file *open = &get_open_file(self)->open;
    read_call call = { .fd = open->fd, .offset = NUM2OFFT(offset), .room = NUM2SIZET(length) };
    int collected = 0;

    call.bytes = rb_str_buf_new((long)call.room);
    do {
        frugal_open_file_use(open, read_unlocked, &call);
    } while (call.error != 0 && frugal_probe_retry(call.error, &collected));
    if (call.error != 0) frugal_probe_raise(call.error, "io_fread", open->path);
    rb_str_set_len(call.bytes, (long)call.used);
    RB_GC_GUARD(self);
    return call.bytes;
}

static VALUE
file_close(VALUE self)
{
    frugal_open_file_close(&get_file(self)->open);
    return Qnil;
}

/* -- the directory -- */

typedef struct {
    frugal_beneath beneath;
    size_t reported; /* see native_memory.h */
} beneath_root;

static void
beneath_free(void *ptr)
{
    beneath_root *root = ptr;

    frugal_beneath_free(&root->beneath);
    frugal_native_memory_report(&root->reported, 0);
    xfree(root);
}

static size_t
beneath_memsize(const void *ptr)
{
    return sizeof(beneath_root) + ((const beneath_root *)ptr)->reported;
}

static const rb_data_type_t beneath_type = { .wrap_struct_name = "Frugal::Native::C::Beneath",
                                             .function = { .dfree = beneath_free, .dsize = beneath_memsize },
                                             .flags = RUBY_TYPED_FREE_IMMEDIATELY | SHAREABLE };

static VALUE
beneath_alloc(VALUE klass)
{
    beneath_root *root;
    VALUE self = TypedData_Make_Struct(klass, beneath_root, &beneath_type, root);

    atomic_init(&root->beneath.fd, -1);
    return self;
}

static frugal_beneath *
get_beneath(VALUE self)
{
    frugal_beneath *beneath = &((beneath_root *)rb_check_typeddata(self, &beneath_type))->beneath;

    if (beneath->path == NULL) rb_raise(rb_eArgError, "uninitialized Beneath");
    return beneath;
}

static frugal_beneath_links
links_to_follow(VALUE follow)
{
    if (follow == Qtrue) return FRUGAL_LINKS_ALL;
    return RTEST(follow) ? FRUGAL_LINKS_INSIDE : FRUGAL_LINKS_NONE;
}

/*
 * new(root, follow, root_valid_ms): `follow` is false for no links, true for all links, or :inside for links that stay
 * beneath the root. An opened root is used for `root_valid_ms` milliseconds before its path is checked again.
 */
static VALUE
beneath_initialize(VALUE self, VALUE root, VALUE follow, VALUE root_valid_ms)
{
    beneath_root *data = rb_check_typeddata(self, &beneath_type);
    frugal_beneath *beneath = &data->beneath;
    VALUE name = frugal_probe_path(root);
    const char *path = StringValueCStr(name);

    if (beneath->path != NULL) rb_raise(rb_eArgError, "already initialized");
    if (!frugal_beneath_prepare(beneath, path, links_to_follow(follow), NUM2LL(root_valid_ms))) rb_memerror();
    frugal_native_memory_report(&data->reported, strlen(beneath->path) + 1);
    RB_GC_GUARD(name);
    return rb_obj_freeze(self);
}

/* Whether an error raises: a lack of descriptors or memory, which may end soon. Otherwise `open` returns nil. */
static bool
is_fault(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM;
}

static VALUE
file_new(int fd, const struct stat *st, VALUE path)
{
    beneath_file *file;
    VALUE self = TypedData_Make_Struct(file_class, beneath_file, &file_type, file);

    rb_update_max_fd(fd);
    file->open.path = path;
    file->open.fd = fd;
    file->size = st->st_size;
    file->mtime = frugal_system_mtime(st);
    return self;
}

/*
 * Another process (an NFS or SMB server) has a lease on the file. The kernel has asked that process to release the
 * lease, so wait a little and try again, up to LEASE_SECONDS.
 */
static bool
wait_for_lease(int error, int *waits)
{
    if (error != EAGAIN || ++*waits > LEASE_SECONDS * 100) return false;
    rb_thread_wait_for((struct timeval){ .tv_usec = 10000 });
    return true;
}

static VALUE
open_clean(frugal_beneath *beneath, const char *clean, size_t length, VALUE path)
{
    struct stat st;
    int fd, collected = 0, waits = 0;

    while ((fd = frugal_beneath_open(beneath, clean, &st)) < 0) {
        int error = errno;

        if (frugal_probe_retry(error, &collected) || wait_for_lease(error, &waits)) continue;
        if (is_fault(error)) frugal_probe_raise(error, "rb_sysopen", path);
        return Qnil;
    }
    return file_new(fd, &st, rb_obj_freeze(rb_enc_str_new(clean, (long)length, rb_enc_get(path))));
}

/*
 * open(path) -> a BeneathFile; nil if there is no readable file; false if the path has a NUL or invalid bytes, so no
 * file can have it. `path` is the unescaped path of a URL.
 */
static VALUE
beneath_open(VALUE self, VALUE path)
{
    frugal_beneath *beneath = get_beneath(self);
    char on_stack[STACK_PATH_SIZE];
    long size = RSTRING_LEN(StringValue(path));
    VALUE on_heap = 0, opened = Qnil;
    char *clean = on_stack;
    size_t length;

    if (memchr(RSTRING_PTR(path), '\0', (size_t)size) != NULL) return Qfalse;
    if (rb_enc_str_coderange(path) == ENC_CODERANGE_BROKEN) return Qfalse;
    if (size >= STACK_PATH_SIZE) clean = rb_alloc_tmp_buffer(&on_heap, size + 1);
    length = frugal_beneath_url_clean(RSTRING_PTR(path), (size_t)size, clean);
    if (length > 0) opened = open_clean(beneath, clean, length, path);
    RB_GC_GUARD(self);
    if (on_heap) rb_free_tmp_buffer(&on_heap);
    return opened;
}

/* unescape(path) -> the path with each %XX decoded, in the same encoding, or in UTF-8 for a US-ASCII path */
static VALUE
beneath_s_unescape(VALUE self, VALUE path)
{
    VALUE unescaped = rb_str_buf_new(RSTRING_LEN(StringValue(path)));
    rb_encoding *encoding = rb_enc_get(path);
    char *bytes = RSTRING_PTR(unescaped);

    rb_str_set_len(unescaped, (long)frugal_beneath_url_unescape(RSTRING_PTR(path), (size_t)RSTRING_LEN(path), bytes));
    rb_enc_associate(unescaped, encoding == rb_usascii_encoding() ? rb_utf8_encoding() : encoding);
    return unescaped;
}

void
frugal_files_init(VALUE module)
{
    VALUE beneath = rb_define_class_under(module, "Beneath", rb_cObject);

    file_class = rb_define_class_under(module, "BeneathFile", rb_cObject);
    rb_gc_register_mark_object(file_class);
    rb_undef_alloc_func(file_class);
    rb_define_alloc_func(beneath, beneath_alloc);
    rb_ext_ractor_safe(true); /* the state of a Beneath is atomic; a BeneathFile belongs to the Ractor that opened it */
    rb_define_method(beneath, "initialize", beneath_initialize, 3);
    rb_define_method(beneath, "open", beneath_open, 1);
    rb_define_singleton_method(beneath, "unescape", beneath_s_unescape, 1);
    rb_define_method(file_class, "path", file_path, 0);
    rb_define_method(file_class, "size", file_size, 0);
    rb_define_method(file_class, "mtime", file_mtime, 0);
    rb_define_method(file_class, "fileno", file_fileno, 0);
    rb_define_method(file_class, "same_size?", file_same_size_p, 0);
    rb_define_method(file_class, "read", file_read, 2);
    rb_define_method(file_class, "close", file_close, 0);
    rb_ext_ractor_safe(false);
}
