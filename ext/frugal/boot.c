/*
 * The bytecode that `frugal run` keeps of a program's files: Frugal::Native::C.kept_code, .keep_code, .note_program and
 * .sweep_code, for lib/frugal/autorun/boot.rb. core/boot/ reads and writes the files.
 *
 * These functions keep the VM lock: they are called when Ruby is about to load a file, and take less time than
 * compiling it. They raise only NoMemoryError and errors of arguments, and call no code of the program.
 */
#include "frugal.h"

#include <ruby/encoding.h>
#include <ruby/ractor.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/boot/boot.h"
#include "core/system/system.h"

static VALUE warnings; /* the module Warning */
static VALUE listener; /* replaces $stderr, and notices warnings */
static ID id_aref, id_aset, id_categories, id_compile, id_to_binary;
static bool warned;

/* Keeping bytecode may take at most 1/SHARE of a program's processor time. */
#define SHARE 10

/* After so many files whose bytecode cannot be kept, the search ends, unless it has found any bytecode. */
#define FRUITLESS 16

/* What this process has learned, to avoid useless attempts. */
static int64_t spent;            /* ns of processor time */
static bool unwritable;          /* the cache cannot be written */
static uint64_t unproven_device; /* the times of files on this device prove nothing */
static unsigned fruitless;       /* number of files on that device */
static bool found_any;

static int64_t
processor_time(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return frugal_system_nanoseconds(time);
}

static bool
may_keep(const frugal_boot_source *source)
{
    if (source->identity.device == unproven_device) {
        fruitless++;
        return false;
    }
    return !unwritable && spent * SHARE <= processor_time();
}

/*
 * The witness, which proves that bytecode belongs to a source: the identity of the file, its path in Ruby, its path
 * without links, and the other conditions on which the compiler depends.
 */
static VALUE
witness_of(const frugal_boot_source *source, VALUE path, VALUE conditions)
{
    VALUE witness = rb_str_buf_new(256);
    const frugal_identity *one = &source->identity;
    const int64_t numbers[] = { (int64_t)one->device, (int64_t)one->inode, one->size, one->mtime, one->ctime };

    rb_str_cat(witness, (const char *)numbers, sizeof(numbers));
    rb_str_cat(witness, RSTRING_PTR(path), RSTRING_LEN(path) + 1);
    rb_str_cat_cstr(witness, rb_enc_name(rb_enc_get(path)));
    rb_str_cat(witness, "", 1);
    rb_str_cat(witness, source->place, (long)strlen(source->place) + 1);
    rb_str_cat(witness, RSTRING_PTR(conditions), RSTRING_LEN(conditions));
    return witness;
}

/* FNV-1a. Two files with the same number replace each other in the cache. */
static uint64_t
mix_bytes(uint64_t sum, VALUE text)
{
    for (long i = 0; i < RSTRING_LEN(text); i++)
        sum = (sum ^ (unsigned char)RSTRING_PTR(text)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static VALUE
entry_path(VALUE folder, VALUE path, VALUE conditions)
{
    uint64_t sum = mix_bytes(mix_bytes(UINT64_C(0xcbf29ce484222325), path), conditions);

    return rb_sprintf("%" PRIsVALUE "/%02x/%014" PRIx64, folder, (unsigned)(sum >> 56),
                      sum & UINT64_C(0xffffffffffffff));
}

/*
 * kept_code(folder, path, conditions) -> the bytecode of a Ruby file (String); [the witness] if there is none, but the
 * file may be compiled and kept; otherwise nil.
 *
 * *Cost*: nine system calls; without kept bytecode 10 to 17, or five if nothing can be kept now.
 */
static VALUE
boot_kept(VALUE self, VALUE folder, VALUE path, VALUE conditions)
{
    frugal_boot_source source;
    frugal_boot_entry entry;
    VALUE file, witness, code;

    StringValueCStr(folder);
    StringValueCStr(conditions);
    if (fruitless >= FRUITLESS && !found_any) return Qnil;
    if (!frugal_boot_look(StringValueCStr(path), false, &source)) return Qnil;
    file = entry_path(folder, path, conditions);
    witness = witness_of(&source, path, conditions);
    if (frugal_boot_read(StringValueCStr(file), RSTRING_PTR(witness), (size_t)RSTRING_LEN(witness), &entry)) {
        code = entry.size ? rb_str_new((const char *)entry.code, (long)entry.size) : Qnil;
        free(entry.bytes);
        found_any = true;
        return code;
    }
    if (!may_keep(&source) || !frugal_boot_look(StringValueCStr(path), true, &source)) return Qnil;
    if (source.times == FRUGAL_TIMES_UNKNOWN) unproven_device = source.identity.device;
    if (!source.settled) return Qnil;
    return rb_ary_new_from_args(1, witness_of(&source, path, conditions));
}

/* -- the compiler's warnings -- */

static VALUE
listener_write(int argc, VALUE *argv, VALUE self)
{
    warned = true;
    return INT2FIX(0);
}

typedef struct {
    VALUE folder, path, conditions, witness, source, script;
    VALUE stderr_before, verbose_before, categories, enabled; /* Arrays: of Symbols, and whether each was on */
    bool kept;
} boot_call;

static VALUE
listen(VALUE arg)
{
    boot_call *call = (boot_call *)arg;
    VALUE arguments[] = { call->source, call->path, call->path };

    for (long i = 0; i < RARRAY_LEN(call->categories); i++) {
        VALUE setting[] = { RARRAY_AREF(call->categories, i), Qtrue };

        rb_ary_push(call->enabled, rb_funcallv(warnings, id_aref, 1, setting));
        rb_funcallv(warnings, id_aset, 2, setting);
    }
    *rb_ruby_verbose_ptr() = Qtrue;
    rb_ractor_stderr_set(listener);
    return rb_funcallv(rb_obj_class(call->script), id_compile, 3, arguments);
}

static VALUE
stop_listening(VALUE arg)
{
    boot_call *call = (boot_call *)arg;

    rb_ractor_stderr_set(call->stderr_before);
    *rb_ruby_verbose_ptr() = call->verbose_before;
    for (long i = 0; i < RARRAY_LEN(call->enabled); i++) {
        VALUE setting[] = { RARRAY_AREF(call->categories, i), RARRAY_AREF(call->enabled, i) };

        rb_funcallv(warnings, id_aset, 2, setting);
    }
    return Qnil;
}

/*
 * Whether the compiler prints no warning about a source, with all warnings on: only then loading bytecode prints the
 * same as loading the source. No other thread runs meanwhile, as nothing here checks for interrupts.
 */
static bool
compiles_silently(boot_call *call)
{
    warned = false;
    call->stderr_before = rb_ractor_stderr();
    call->verbose_before = *rb_ruby_verbose_ptr();
    call->enabled = rb_ary_new();
    call->categories = rb_respond_to(warnings, id_categories) ? rb_funcallv(warnings, id_categories, 0, NULL)
                                                              : rb_ary_new_from_args(2, ID2SYM(rb_intern("deprecated")),
                                                                                     ID2SYM(rb_intern("experimental")));
    rb_ensure(listen, (VALUE)call, stop_listening, (VALUE)call);
    return !warned;
}

/* -- keeping -- */

/* For a file with compiler warnings, an empty bytecode is kept: such a file is not compiled here again. */
static VALUE
keep_body(VALUE arg)
{
    boot_call *call = (boot_call *)arg;
    frugal_boot_source source;
    VALUE file = entry_path(call->folder, call->path, call->conditions), code;

    if (!frugal_boot_look(StringValueCStr(call->path), false, &source)) return Qnil;
    if (!RTEST(rb_str_equal(witness_of(&source, call->path, call->conditions), call->witness))) return Qnil;
    code = compiles_silently(call) ? rb_funcallv(call->script, id_to_binary, 0, NULL) : rb_str_new(NULL, 0);
    StringValue(code);
    call->kept = frugal_boot_write(StringValueCStr(file), RSTRING_PTR(call->witness),
                                   (size_t)RSTRING_LEN(call->witness), RSTRING_PTR(code),
                                   (size_t)RSTRING_LEN(code)) == 0;
    unwritable = !call->kept;
    return Qnil;
}

/*
 * keep_code(folder, path, conditions, witness, source, script) -> whether something was kept: the bytecode of a file,
 * or the fact that Ruby warns about it. Nothing is kept if the file has changed since the witness was made, or if the
 * cache cannot be written. Exceptions of the compiler are dropped. The methods of Warning, `compile` and `to_binary`
 * must be Ruby's own.
 *
 * *Cost*: eight system calls, and those that make folders.
 */
static VALUE
boot_keep(VALUE self, VALUE folder, VALUE path, VALUE conditions, VALUE witness, VALUE source, VALUE script)
{
    boot_call call = { folder, path, conditions, StringValue(witness), StringValue(source), script };
    VALUE error_before = rb_errinfo();
    int64_t start = processor_time();
    int state = 0;

    StringValueCStr(folder);
    StringValueCStr(conditions);
    rb_protect(keep_body, (VALUE)&call, &state);
    rb_set_errinfo(error_before);
    spent += processor_time() - start;
    return call.kept ? Qtrue : Qfalse;
}

/*
 * note_program(folder, name) -> whether this program was noted before. *Cost*: one system call, and those that make
 * folders.
 */
static VALUE
boot_note(VALUE self, VALUE folder, VALUE name)
{
    VALUE file = entry_path(folder, StringValue(name), rb_str_new_cstr("program"));

    return frugal_boot_note(StringValueCStr(file)) ? Qtrue : Qfalse;
}

/* sweep_code(folder, days) -> nil. Removes the files that were not read for so many days. */
static VALUE
boot_sweep(VALUE self, VALUE folder, VALUE days)
{
    frugal_boot_sweep(StringValueCStr(folder), NUM2LL(days) * 86400);
    return Qnil;
}

void
frugal_boot_init(VALUE module)
{
    id_aref = rb_intern("[]");
    id_aset = rb_intern("[]=");
    id_categories = rb_intern("categories");
    id_compile = rb_intern("compile");
    id_to_binary = rb_intern("to_binary");
    rb_gc_register_mark_object(warnings = rb_path2class("Warning"));
    rb_gc_register_mark_object(listener = rb_obj_alloc(rb_cObject));
    rb_define_singleton_method(listener, "write", listener_write, -1);
    rb_define_singleton_method(module, "kept_code", boot_kept, 3);
    rb_define_singleton_method(module, "keep_code", boot_keep, 6);
    rb_define_singleton_method(module, "note_program", boot_note, 2);
    rb_define_singleton_method(module, "sweep_code", boot_sweep, 2);
}
