/*
 * Frugal::Native::C::EntryRecord: reads an entry's file and finds its newest valid record. Opening keeps the VM lock,
 * as in entry_file.c; reading releases it.
 */
#include "frugal.h"

#include <fcntl.h>
#include <ruby/thread.h>
#include <unistd.h>

#include "core/entry/entry.h"
#include "entry_file.h"
#include "probe/probe.h"

static VALUE
record_array(const frugal_entry_record *record)
{
    VALUE bytes = rb_str_new((const char *)record->bytes, (long)record->size);

    return rb_ary_new_from_args(7, bytes, INT2FIX(record->serializer), ULL2NUM(record->expires_at),
                                UINT2NUM(record->idle), ULL2NUM(record->sequence), INT2FIX(record->slot),
                                record->settled ? Qtrue : Qfalse);
}

/* decode(content) -> [bytes, serializer, expires_at, idle, sequence, slot, settled] of the newest valid record; nil */
static VALUE
record_s_decode(VALUE klass, VALUE content)
{
    frugal_entry_record record;
    VALUE found = Qnil;

    StringValue(content);
    if (frugal_entry_decode((unsigned char *)RSTRING_PTR(content), (size_t)RSTRING_LEN(content), &record)) {
        found = record_array(&record);
    }
    RB_GC_GUARD(content);
    return found;
}

/* checksum(bytes, crc) -> CRC-32 of the bytes, after bytes whose CRC-32 is `crc` */
static VALUE
record_s_checksum(VALUE klass, VALUE bytes, VALUE crc)
{
    uint32_t before = (uint32_t)NUM2UINT(crc), sum;

    StringValue(bytes);
    sum = frugal_entry_checksum(before, (unsigned char *)RSTRING_PTR(bytes), (size_t)RSTRING_LEN(bytes));
    RB_GC_GUARD(bytes);
    return UINT2NUM(sum);
}

/* The name of the file, "dir/ab/cdef…", and the first bytes of the digest, which has hexadecimal digits only. */
static VALUE
entry_path(VALUE dir, VALUE digest, unsigned char id[FRUGAL_ENTRY_ID])
{
    const char *hex = StringValuePtr(digest);
    VALUE path;

    if (RSTRING_LEN(digest) != 64) rb_raise(rb_eArgError, "not a hexadecimal SHA-256");
    for (int n = 0; n < FRUGAL_ENTRY_ID; n++) {
        unsigned char digits[2] = { (unsigned char)hex[2 * n], (unsigned char)hex[2 * n + 1] };

        for (int at = 0; at < 2; at++) digits[at] = (unsigned char)(digits[at] - (digits[at] <= '9' ? '0' : 'a' - 10));
        id[n] = (unsigned char)(digits[0] << 4 | digits[1]);
    }
    path = rb_str_buf_new(RSTRING_LEN(dir) + 67);
    rb_str_buf_append(path, dir);
    rb_str_cat(path, "/", 1);
    rb_str_cat(path, hex, 2);
    rb_str_cat(path, "/", 1);
    rb_str_cat(path, hex + 2, 62);
    return path;
}

static void *
entry_read(void *arg)
{
    frugal_entry_read(arg);
    return NULL;
}

typedef struct {
    VALUE path;
    const unsigned char *id;
    frugal_entry_file *file;
} entry_call;

static VALUE
entry_body(VALUE arg)
{
    entry_call *call = (entry_call *)arg;
    frugal_entry_file *file = call->file;
    frugal_entry_record record;

    rb_nogvl(entry_read, file, RUBY_UBF_IO, NULL, 0);
    if (file->error != 0) frugal_probe_raise(file->error, "io_fread", call->path);
    if (!frugal_entry_belongs(file->bytes, file->used, call->id)) return Qnil;
    if (!frugal_entry_decode(file->bytes, file->used, &record) || !record.settled) return Qfalse;
    return record_array(&record);
}

static VALUE
entry_ensure(VALUE arg)
{
    frugal_entry_file *file = ((entry_call *)arg)->file;

    if (file->fd >= 0) close(file->fd);
    frugal_entry_free(file);
    return Qnil;
}

/*
 * read(dir, digest, largest) -> as decode, of a file of at most `largest` bytes; nil for a miss and for a file
 * that is not an entry of this key; false if it has no valid record, or was being written
 */
static VALUE
record_s_read(VALUE klass, VALUE dir, VALUE digest, VALUE largest)
{
    unsigned char id[FRUGAL_ENTRY_ID];
    VALUE path = entry_path(dir, digest, id);
    frugal_entry_file file;
    entry_call call = { .path = path, .id = id, .file = &file };

    file.largest = NUM2SIZET(largest);
    file.bytes = file.first;
    file.fd = frugal_entry_file_open(path, O_RDONLY, 0);
    return file.fd < 0 ? Qnil : rb_ensure(entry_body, (VALUE)&call, entry_ensure, (VALUE)&call);
}

void
frugal_entry_record_init(VALUE engine)
{
    VALUE module = rb_define_module_under(engine, "EntryRecord");

    frugal_entry_init();
    rb_define_singleton_method(module, "checksum", record_s_checksum, 2);
    rb_define_singleton_method(module, "decode", record_s_decode, 1);
    rb_define_singleton_method(module, "read", record_s_read, 3);
}
