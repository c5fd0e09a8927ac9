/*
 * Reads the file of an entry into a record, for entry_file.c; and Frugal::Native::C::EntryRecord, which decodes and
 * checks bytes. Reading, and the checksums of the bytes that were read, need no VM lock.
 */
#include "frugal.h"

#include <errno.h>
#include <ruby/encoding.h>

#include "entry_record.h"
#include "probe/probe.h"

enum { DIGEST = 64 };

static VALUE
record_new(VALUE klass, const frugal_entry_record *record)
{
    VALUE bytes = rb_str_new((const char *)record->bytes, (long)record->size);

    return rb_struct_new(klass, bytes, INT2FIX(record->serializer), ULL2NUM(record->expires_at), UINT2NUM(record->idle),
                         ULL2NUM(record->sequence), INT2FIX(record->slot), record->settled ? Qtrue : Qfalse);
}

static unsigned
hex_value(char digit)
{
    return ((unsigned)digit & 0xF) + (digit > '9' ? 9 : 0);
}

/* Converts the first bytes of a valid digest from hexadecimal. */
static void
get_id(VALUE digest, unsigned char id[FRUGAL_ENTRY_ID])
{
    const char *hex = StringValuePtr(digest);

    if (RSTRING_LEN(digest) != DIGEST) rb_raise(rb_eArgError, "not a hexadecimal SHA-256");
    for (int n = 0; n < FRUGAL_ENTRY_ID; n++) {
        id[n] = (unsigned char)(hex_value(hex[2 * n]) << 4 | hex_value(hex[2 * n + 1]));
    }
}

static bool
is_digest(const char *hex, long size)
{
    bool valid = size == DIGEST;

    for (int n = 0; valid && n < DIGEST; n++) {
        valid = (unsigned)(hex[n] - '0') < 10 || (unsigned)((hex[n] | ('a' - 'A')) - 'a') < 6;
    }
    return valid;
}

VALUE
frugal_entry_record_path(VALUE dir, VALUE digest)
{
    const char *hex = StringValuePtr(digest);
    size_t size = (size_t)RSTRING_LEN(dir);
    VALUE path;
    char *at;

    if (!is_digest(hex, RSTRING_LEN(digest))) rb_raise(rb_eArgError, "not a hexadecimal SHA-256");
    path = rb_enc_str_new(NULL, (long)(size + DIGEST + 2), rb_enc_get(dir));
    at = RSTRING_PTR(path);
    memcpy(at, RSTRING_PTR(dir), size);
    at += size;
    *at++ = '/';
    memcpy(at, hex, 2);
    at += 2;
    *at++ = '/';
    memcpy(at, hex + 2, DIGEST - 2);
    return path;
}

typedef struct {
    frugal_open_file *open;
    frugal_entry_record_seen *seen; /* NULL for `read` */
    void *(*run)(void *image);
    frugal_entry_image *image;
    size_t size; /* the size that `reload` expects */
    bool found;
    VALUE digest, klass;
} read_call;

static void *
load_unlocked(void *arg)
{
    read_call *call = arg;

    frugal_entry_read(call->image);
    return call;
}

static void *
reload_unlocked(void *arg)
{
    read_call *call = arg;

    call->found = frugal_entry_reread(call->image, call->size);
    return call;
}

static void
read_image(read_call *call)
{
    int collected = 0;

    do {
        frugal_open_file_use(call->open, call->run, call);
    } while (call->image->error != 0 && frugal_probe_retry(call->image->error, &collected));
    if (call->image->error != 0) frugal_probe_raise(call->image->error, "io_fread", call->open->path);
}

static void
prepare(read_call *call, frugal_entry_image *image, VALUE digest)
{
    get_id(digest, image->id);
    image->fd = call->open->fd;
    image->bytes = image->first;
    call->image = image;
}

static VALUE
free_image(VALUE image)
{
    frugal_entry_free((frugal_entry_image *)image);
    return Qnil;
}

static void
remember(frugal_entry_record_seen *seen, const frugal_entry_image *image)
{
    seen->state = image->state;
    seen->used = image->used;
    if (image->used >= FRUGAL_ENTRY_HEAD) memcpy(seen->head, image->bytes, FRUGAL_ENTRY_HEAD);
}

static VALUE
load_body(VALUE arg)
{
    read_call *call = (read_call *)arg;
    const frugal_entry_image *image = call->image;

    read_image(call);
    call->seen->st = image->st;
    remember(call->seen, image);
    return image->state == FRUGAL_ENTRY_FOUND ? record_new(call->klass, &image->record) : Qnil;
}

VALUE
frugal_entry_record_load(frugal_open_file *open, frugal_entry_record_seen *seen, VALUE digest, size_t largest,
                         int reads, VALUE klass)
{
    read_call call = { .open = open, .seen = seen, .run = load_unlocked, .klass = klass };
    frugal_entry_image image;

    image.examines = true;
    image.largest = largest;
    image.reads = reads;
    prepare(&call, &image, digest);
    return rb_ensure(load_body, (VALUE)&call, free_image, (VALUE)&image);
}

static VALUE
reload_body(VALUE arg)
{
    read_call *call = (read_call *)arg;

    read_image(call);
    if (!call->found) return Qnil;
    remember(call->seen, call->image);
    return record_new(call->klass, &call->image->record);
}

VALUE
frugal_entry_record_reload(frugal_open_file *open, frugal_entry_record_seen *seen, VALUE digest, VALUE klass)
{
    read_call call = { .open = open, .seen = seen, .run = reload_unlocked, .size = seen->used, .klass = klass };
    frugal_entry_image image;

    prepare(&call, &image, digest);
    return rb_ensure(reload_body, (VALUE)&call, free_image, (VALUE)&image);
}

static VALUE
read_body(VALUE arg)
{
    read_call *call = (read_call *)arg;

    prepare(call, call->image, call->digest);
    read_image(call);
    if (call->image->state == FRUGAL_ENTRY_CHANGING) return Qfalse;
    if (call->image->state != FRUGAL_ENTRY_FOUND) return Qnil;
    return record_new(call->klass, &call->image->record);
}

static VALUE
read_ensure(VALUE arg)
{
    read_call *call = (read_call *)arg;

    frugal_open_file_close(call->open);
    frugal_entry_free(call->image);
    return Qnil;
}

VALUE
frugal_entry_record_read(frugal_open_file *open, VALUE digest, size_t largest, int reads, VALUE klass)
{
    frugal_entry_image image;
    read_call call = { .open = open, .image = &image, .digest = digest, .run = load_unlocked, .klass = klass };

    image.examines = false;
    image.bytes = image.first;
    image.largest = largest;
    image.reads = reads;
    return rb_ensure(read_body, (VALUE)&call, read_ensure, (VALUE)&call);
}

VALUE
frugal_entry_record_problem(const frugal_entry_record_seen *seen)
{
    static const char *const names[] = {
        [FRUGAL_ENTRY_EMPTY] = "empty", [FRUGAL_ENTRY_FOREIGN] = "foreign",   [FRUGAL_ENTRY_DAMAGED] = "damaged",
        [FRUGAL_ENTRY_HUGE] = "huge",   [FRUGAL_ENTRY_SPECIAL] = "special",   [FRUGAL_ENTRY_UNLINKED] = "unlinked",
        [FRUGAL_ENTRY_FOUND] = NULL,    [FRUGAL_ENTRY_CHANGING] = "changing",
    };

    return names[seen->state] ? ID2SYM(rb_intern(names[seen->state])) : Qnil;
}

/* decode(content, klass) -> the newest valid record, an object of `klass`; or nil */
static VALUE
record_s_decode(VALUE module, VALUE content, VALUE klass)
{
    frugal_entry_record record;
    VALUE found = Qnil;

    StringValue(content);
    if (frugal_entry_decode((unsigned char *)RSTRING_PTR(content), (size_t)RSTRING_LEN(content), &record)) {
        found = record_new(klass, &record);
    }
    RB_GC_GUARD(content);
    return found;
}

/* checksum(bytes, crc) -> the CRC-32 of preceding bytes, whose CRC-32 is `crc`, and these bytes */
static VALUE
record_s_checksum(VALUE module, VALUE bytes, VALUE crc)
{
    uint32_t before = (uint32_t)NUM2UINT(crc), sum;

    StringValue(bytes);
    sum = frugal_entry_checksum(before, (unsigned char *)RSTRING_PTR(bytes), (size_t)RSTRING_LEN(bytes));
    RB_GC_GUARD(bytes);
    return UINT2NUM(sum);
}

void
frugal_entry_record_init(VALUE engine)
{
    VALUE module = rb_define_module_under(engine, "EntryRecord");

    frugal_entry_init();
    rb_define_singleton_method(module, "checksum", record_s_checksum, 2);
    rb_define_singleton_method(module, "decode", record_s_decode, 2);
}
