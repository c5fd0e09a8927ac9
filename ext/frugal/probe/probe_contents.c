/* Reads directories and files: `entries`, `children` and `read` of Frugal::Probe, and `binread`, which drop-ins use. */
#include "probe/probe.h"

#include <errno.h>
#include <ruby/encoding.h>

#include "core/probe/probe.h"

/* The initial room for a file that reports no size: a pipe, a file of /proc. */
#define UNSIZED_ROOM 16384

/* -- entries, children -- */

typedef struct {
    VALUE path;
    bool with_dots; /* including "." and ".." */
    frugal_dir_names dir;
    frugal_probe_thread thread;
    bool done;
} entries_call;

static void *
entries_run(void *arg)
{
    entries_call *call = arg;

    call->done = frugal_probe_names_read(&call->dir);
    return NULL;
}

static void
entries_cancel(void *arg)
{
    frugal_probe_names_cancel(&((entries_call *)arg)->dir);
}

static bool
is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static VALUE
entries_body(VALUE arg)
{
    entries_call *call = (entries_call *)arg;
    rb_encoding *encoding = rb_filesystem_encoding();
    VALUE entries;
    int collected = 0;

    do {
        frugal_probe_names_resume(&call->dir);
        frugal_probe_run_unlocked(entries_run, entries_cancel, call);
    } while (!call->done && (call->dir.error == 0 || frugal_probe_retry(call->dir.error, &collected)));
    if (!call->done) frugal_probe_raise(call->dir.error, "dir_initialize", call->path);
    entries = rb_ary_new();
    for (size_t at = 0; at < call->dir.used;) {
        const char *entry = call->dir.names + at;
        size_t length = strlen(entry);

        at += length + 1;
        if (!call->with_dots && is_dots(entry)) continue;
        rb_ary_push(entries, rb_external_str_new_with_enc(entry, (long)length, encoding));
    }
    return entries;
}

static VALUE
entries_free(VALUE arg)
{
    frugal_probe_names_free(&((entries_call *)arg)->dir);
    return Qnil;
}

/*
 * Opening a directory takes about as long as a stat, and with O_DIRECTORY it never waits for the other end of a fifo.
 * So this keeps the VM lock, as a stat does.
 */
static VALUE
read_entries(VALUE path, bool with_dots)
{
    entries_call call = { .path = path, .with_dots = with_dots };
    VALUE name = frugal_probe_path(path);
    int collected = 0;

    frugal_probe_names_init(&call.dir);
    while (!frugal_probe_names_open(&call.dir, RSTRING_PTR(name))) {
        int error = call.dir.error;

        if (!frugal_probe_retry(error, &collected)) return frugal_probe_miss(error, "dir_initialize", path);
    }
    RB_GC_GUARD(name);
    call.dir.interrupted = frugal_probe_interrupted;
    call.dir.host = frugal_probe_copy_thread(&call.thread);
    return rb_ensure(entries_body, (VALUE)&call, entries_free, (VALUE)&call);
}

static VALUE
probe_entries(VALUE self, VALUE path)
{
    return read_entries(path, true);
}

static VALUE
probe_children(VALUE self, VALUE path)
{
    return read_entries(path, false);
}

/* -- read -- */

typedef struct {
    VALUE path;
    VALUE name;
    VALUE content;
    bool binary;
    frugal_file_bytes file;
    bool done;
} read_call;

static void *
read_open(void *arg)
{
    read_call *call = arg;

    call->done = frugal_probe_bytes_open(&call->file, RSTRING_PTR(call->name));
    return NULL;
}

static void *
read_bytes(void *arg)
{
    read_call *call = arg;

    call->done = frugal_probe_bytes_read(&call->file);
    return NULL;
}

/* Gives the bytes of a file the default encodings, as File.read does. */
static VALUE
in_default_encodings(VALUE content)
{
    rb_encoding *external = rb_default_external_encoding();
    rb_encoding *internal = rb_default_internal_encoding();

    rb_enc_associate(content, external);
    if (internal == NULL || internal == external || external == rb_ascii8bit_encoding()) return content;
    return rb_str_encode(content, rb_enc_from_encoding(internal), 0, Qnil);
}

/* Reads the open file to its end, into a String that grows. */
static void
read_content(read_call *call, int *collected)
{
    frugal_file_bytes *file = &call->file;

    file->room = file->size > 0 ? file->size + 1 : UNSIZED_ROOM;
    call->content = rb_str_buf_new((long)file->room);
    for (call->done = false;;) {
        file->bytes = RSTRING_PTR(call->content);
        frugal_probe_wait_unlocked(read_bytes, call, RUBY_UBF_IO, NULL, 0);
        rb_str_set_len(call->content, (long)file->used);
        if (call->done) break;
        if (file->error == 0) {
            rb_str_modify_expand(call->content, (long)file->room);
            file->room *= 2;
        }
        else if (!frugal_probe_retry(file->error, collected)) {
            frugal_probe_raise(file->error, "io_fread", call->path);
        }
    }
    rb_str_resize(call->content, (long)file->used); /* frees the unused room */
}

static VALUE
read_body(VALUE arg)
{
    read_call *call = (read_call *)arg;
    int collected = 0;

    for (;;) {
        frugal_probe_wait_unlocked(read_open, call, RUBY_UBF_IO, NULL, 0);
        if (call->done) break;
        if (frugal_probe_retry(call->file.error, &collected)) continue;
        return frugal_probe_miss(call->file.error, "rb_sysopen", call->path);
    }
    read_content(call, &collected);
    return call->binary ? call->content : in_default_encodings(call->content); /* a new buffer is ASCII-8BIT */
}

static VALUE
read_close(VALUE arg)
{
    frugal_probe_bytes_close(&((read_call *)arg)->file);
    return Qnil;
}

static VALUE
read_file(VALUE path, bool binary)
{
    read_call call = { .path = path, .name = rb_str_new_frozen(frugal_probe_path(path)), .binary = binary };

    frugal_probe_bytes_init(&call.file);
    return rb_ensure(read_body, (VALUE)&call, read_close, (VALUE)&call);
}

static VALUE
probe_read(VALUE self, VALUE path)
{
    return read_file(path, false);
}

static VALUE
probe_binread(VALUE self, VALUE path)
{
    return read_file(path, true);
}

void
frugal_probe_contents_init(VALUE engine, VALUE module)
{
    rb_define_method(module, "entries", probe_entries, 1);
    rb_define_method(module, "children", probe_children, 1);
    rb_define_method(module, "read", probe_read, 1);
    rb_define_singleton_method(engine, "binread", probe_binread, 1); /* not part of the public API */
}
