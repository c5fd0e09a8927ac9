/*
 * One question, one system call: Frugal::Probe's methods on the C side, and what
 * those of probe_contents.c share with them.
 *
 * A miss is nil. A fault is raised in the words of the namesake in File or Dir,
 * which name the C function of Ruby's that noticed it. What may block runs
 * without the VM lock, on memory that no other thread can move or free, and
 * inside rb_ensure, since an interrupt may leave at any return from there.
 */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <ruby/encoding.h>
#include <ruby/thread.h>
#include <unistd.h>

#include "core/stat_batch.h"

/* Longer links are rare, and cost one call more each time the room doubles. */
#define USUAL_LINK 1024

VALUE
frugal_probe_path(VALUE path)
{
    return rb_str_encode_ospath(rb_get_path(path));
}

static int
is_miss(int error)
{
    return error == ENOENT || error == ENOTDIR;
}

void
frugal_probe_raise(int error, const char *namesake, VALUE path)
{
    VALUE args[3] = { rb_get_path(path), INT2NUM(error), rb_str_new_cstr(namesake) };

    rb_exc_raise(rb_class_new_instance(3, args, rb_eSystemCallError));
}

VALUE
frugal_probe_miss(int error, const char *namesake, VALUE path)
{
    if (!is_miss(error)) frugal_probe_raise(error, namesake, path);
    return Qnil;
}

/* As core, which retries once after a collection. */
int
frugal_probe_retry(int error, int *collected)
{
    if (error == EINTR) {
        rb_thread_check_ints();
        return 1;
    }
    if ((error == EMFILE || error == ENFILE || error == ENOMEM) && !*collected) {
        *collected = 1;
        rb_gc();
        return 1;
    }
    return 0;
}

bool
frugal_probe_interrupted(void *thread)
{
    return rb_thread_interrupted((VALUE)thread);
}

void
frugal_probe_run_unlocked(void *(*run)(void *), void (*cancel)(void *), void *call)
{
    rb_nogvl(run, call, cancel, call, RB_NOGVL_UBF_ASYNC_SAFE);
}

/* -- mtime, size, stat, exist?, type: a stat is over before the lock could change hands -- */

VALUE
frugal_probe_time(struct timespec time)
{
    return rb_time_nano_new(time.tv_sec, time.tv_nsec);
}

static VALUE
probe_mtime(VALUE self, VALUE path)
{
    VALUE name = frugal_probe_path(path);
    struct stat st;

    if (stat(RSTRING_PTR(name), &st) != 0) return frugal_probe_miss(errno, "rb_file_s_mtime", path);
    RB_GC_GUARD(name);
    return frugal_probe_time(frugal_stat_mtime(&st));
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

#ifdef FRUGAL_PROBE_STATX

int
frugal_probe_ask_stat(const char *path, void *st)
{
    return statx(AT_FDCWD, path, 0, STATX_BASIC_STATS | STATX_BTIME, st) == 0 ? 0 : errno;
}

VALUE
frugal_probe_stat_new(const frugal_probe_stat *st)
{
    return rb_statx_new(st);
}

#else

int
frugal_probe_ask_stat(const char *path, void *st)
{
    return stat(path, st) == 0 ? 0 : errno;
}

VALUE
frugal_probe_stat_new(const frugal_probe_stat *st)
{
    return rb_stat_new(st);
}

#endif

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
    char usual[USUAL_LINK];
    char *target = usual;
    size_t room = sizeof(usual);
    ssize_t length;
    VALUE longer = 0, text;

    while ((length = readlink(RSTRING_PTR(name), target, room)) == (ssize_t)room) { /* cut short, perhaps */
        room *= 2;
        target = rb_alloc_tmp_buffer(&longer, (long)room);
    }
    if (length < 0) return frugal_probe_miss(errno, "rb_readlink", path);
    RB_GC_GUARD(name);
    text = rb_enc_str_new(target, length, rb_filesystem_encoding());
    rb_free_tmp_buffer(&longer);
    return text;
}

void
frugal_probe_init(void)
{
    VALUE module = rb_define_module_under(frugal_mC, "Probe");

    rb_extend_object(frugal_mC, module);
    rb_ext_ractor_safe(true); /* no state here: every call keeps its own on its stack */
    rb_define_method(module, "mtime", probe_mtime, 1);
    rb_define_method(module, "size", probe_size, 1);
    rb_define_method(module, "stat", probe_stat, 1);
    rb_define_method(module, "exist?", probe_exist_p, 1);
    rb_define_method(module, "type", probe_type, 1);
    rb_define_method(module, "readlink", probe_readlink, 1);
    frugal_probe_batch_init(module);
    frugal_probe_contents_init(module);
    rb_ext_ractor_safe(false);
}
