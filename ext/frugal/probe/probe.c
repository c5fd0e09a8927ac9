/* The probes: methods that get one answer from the file system by one system call. */
#include "probe/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <ruby/encoding.h>
#include <ruby/thread.h>
#include <unistd.h>

#include "core/probe/probe.h"

/* Longer links are rare. They take one more call each time the room doubles. */
#define INITIAL_LINK_ROOM 1024

/* -- mtime, size, stat, exist?, type: they keep the VM lock, as releasing it takes longer than a stat -- */

static VALUE
probe_mtime(VALUE self, VALUE path)
{
    VALUE name = frugal_probe_path(path);
    struct stat st;

    if (stat(RSTRING_PTR(name), &st) != 0) return frugal_probe_miss(errno, "rb_file_s_mtime", path);
    RB_GC_GUARD(name);
    return frugal_probe_time(frugal_system_mtime(&st));
}

static VALUE
probe_size(VALUE self, VALUE path)
{
    VALUE name = frugal_probe_path(path);
    struct stat st;

    if (stat(RSTRING_PTR(name), &st) != 0) return frugal_probe_miss(errno, "rb_file_s_size", path);
    RB_GC_GUARD(name);
    return OFFT2NUM(st.st_size);
}

static VALUE
probe_stat(VALUE self, VALUE path)
{
    VALUE name = frugal_probe_path(path);
    frugal_probe_stat st;
    int error = frugal_probe_ask_stat(RSTRING_PTR(name), &st);

    RB_GC_GUARD(name);
    return error == 0 ? frugal_probe_stat_new(&st) : frugal_probe_miss(error, "rb_file_s_stat", path);
}

static VALUE
probe_exist_p(VALUE self, VALUE path)
{
    VALUE name = frugal_probe_path(path);
    struct stat st;
    VALUE exists = stat(RSTRING_PTR(name), &st) == 0 ? Qtrue : Qfalse;

    RB_GC_GUARD(name);
    return exists;
}

static const char *
type_name(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG: return "file";
    case S_IFDIR: return "directory";
    case S_IFCHR: return "characterSpecial";
    case S_IFBLK: return "blockSpecial";
    case S_IFIFO: return "fifo";
    case S_IFLNK: return "link";
    case S_IFSOCK: return "socket";
    default: return "unknown";
    }
}

static VALUE
probe_type(VALUE self, VALUE path)
{
    VALUE name = frugal_probe_path(path);
    struct stat st;

    if (lstat(RSTRING_PTR(name), &st) != 0) return frugal_probe_miss(errno, "rb_file_s_ftype", path);
    RB_GC_GUARD(name);
    return rb_usascii_str_new_cstr(type_name(st.st_mode));
}

/* -- readlink -- */

static VALUE
probe_readlink(VALUE self, VALUE path)
{
    VALUE name = frugal_probe_path(path);
    char on_stack[INITIAL_LINK_ROOM];
    char *target = on_stack;
    size_t room = sizeof(on_stack);
    ssize_t length;
    VALUE on_heap = 0, text;

    while ((length = readlink(RSTRING_PTR(name), target, room)) == (ssize_t)room) { /* perhaps truncated */
        room *= 2;
        target = rb_alloc_tmp_buffer(&on_heap, (long)room);
    }
    if (length < 0) return frugal_probe_miss(errno, "rb_readlink", path);
    RB_GC_GUARD(name);
    text = rb_enc_str_new(target, length, rb_filesystem_encoding());
    rb_free_tmp_buffer(&on_heap);
    return text;
}

void
frugal_probe_init(VALUE engine)
{
    VALUE module = rb_define_module_under(engine, "Probe");

    rb_extend_object(engine, module);
    rb_ext_ractor_safe(true); /* there is no global state */
    rb_define_method(module, "mtime", probe_mtime, 1);
    rb_define_method(module, "size", probe_size, 1);
    rb_define_method(module, "stat", probe_stat, 1);
    rb_define_method(module, "exist?", probe_exist_p, 1);
    rb_define_method(module, "type", probe_type, 1);
    rb_define_method(module, "readlink", probe_readlink, 1);
    frugal_probe_interrupts_init(engine);
    frugal_probe_batch_init(module);
    frugal_probe_contents_init(engine, module);
    rb_ext_ractor_safe(false);
}
