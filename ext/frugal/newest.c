/*
 * Frugal::Native::C::Newest: compares the number of files that match patterns, and the newest of their mtimes, with the
 * previous values. For the drop-in of ActiveSupport::FileUpdateChecker; core/newest/ does the work.
 */
#include "frugal.h"

#include <string.h>
#include <unistd.h>

#include "core/newest/newest.h"
#include "native_memory.h"
#include "probe/probe.h"

typedef struct {
    frugal_newest newest;
    frugal_probe_thread thread; /* the thread that asks */
    frugal_newest_folder *folders;
    const char **endings, **files; /* of all folders, one after the other; they point into `texts` */
    char *texts;
    size_t reported; /* see native_memory.h */
    bool running, failed;
    pid_t pid;  /* of the process that asks */
    uid_t user; /* the user who listed the folders */
    gid_t group;
    frugal_newest_status status;
} newest_files;

/* After a fork in another thread, the child has a running question that no thread continues. It cannot be freed. */
static void
newest_free(void *data)
{
    newest_files *files = data;

    if (!files->running) {
        frugal_newest_free(&files->newest);
        frugal_native_memory_report(&files->reported, 0);
    }
    xfree(files->folders);
    xfree(files->endings);
    xfree(files->files);
    xfree(files->texts);
    xfree(files);
}

static size_t
newest_size(const void *data)
{
    const newest_files *files = data;

    return sizeof(*files) + files->reported;
}

static const rb_data_type_t newest_type = {
    .wrap_struct_name = "Frugal::Native::C::Newest",
    .function = { NULL, newest_free, newest_size },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static newest_files *
get_files(VALUE self)
{
    return rb_check_typeddata(self, &newest_type);
}

static size_t
size_of_all(VALUE texts)
{
    size_t size = 0;

    Check_Type(texts, T_ARRAY);
    for (long i = 0; i < RARRAY_LEN(texts); i++) {
        VALUE text = RARRAY_AREF(texts, i);

        size += strlen(StringValueCStr(text)) + 1;
    }
    return size;
}

static const char *
copy_text(char **texts, VALUE text)
{
    const char *copy = strcpy(*texts, RSTRING_PTR(text));

    *texts += strlen(copy) + 1;
    return copy;
}

/*
 * new(paths, endings, files, unique): `paths` of folders, an Array of `endings` for each, and `files` that need not
 * exist. All are Strings. `unique`: each path counts once, however many endings it has.
 */
static VALUE
newest_s_new(VALUE klass, VALUE paths, VALUE endings, VALUE files, VALUE unique)
{
    newest_files *new;
    VALUE self = TypedData_Make_Struct(klass, newest_files, &newest_type, new);
    size_t size = size_of_all(paths) + size_of_all(files), count = 0;
    const char **next;
    char *texts;

    Check_Type(endings, T_ARRAY);
    if (RARRAY_LEN(endings) != RARRAY_LEN(paths)) rb_raise(rb_eArgError, "each folder needs its endings");
    for (long i = 0; i < RARRAY_LEN(endings); i++) {
        size += size_of_all(RARRAY_AREF(endings, i));
        count += (size_t)RARRAY_LEN(RARRAY_AREF(endings, i));
    }
    new->texts = texts = ALLOC_N(char, size + 1);
    new->endings = next = ALLOC_N(const char *, count + 1);
    new->folders = ALLOC_N(frugal_newest_folder, RARRAY_LEN(paths) + 1);
    new->files = ALLOC_N(const char *, RARRAY_LEN(files) + 1);
    for (long i = 0; i < RARRAY_LEN(paths); i++) {
        VALUE own = RARRAY_AREF(endings, i);

        new->folders[i] = (frugal_newest_folder){ .path = copy_text(&texts, RARRAY_AREF(paths, i)),
                                                  .endings = next,
                                                  .ending_count = (size_t)RARRAY_LEN(own) };
        for (long j = 0; j < RARRAY_LEN(own); j++) *next++ = copy_text(&texts, RARRAY_AREF(own, j));
    }
    for (long i = 0; i < RARRAY_LEN(files); i++) new->files[i] = copy_text(&texts, RARRAY_AREF(files, i));
    new->newest = (frugal_newest){ .folders = new->folders,
                                   .files = new->files,
                                   .folder_count = (size_t)RARRAY_LEN(paths),
                                   .file_count = (size_t)RARRAY_LEN(files),
                                   .unique = RTEST(unique) };
    return self;
}

static void *
run_newest(void *arg)
{
    newest_files *files = arg;

    files->status = frugal_newest_run(&files->newest);
    return NULL;
}

static void
cancel_newest(void *arg)
{
    frugal_newest_cancel(&((newest_files *)arg)->newest);
}

static VALUE
ask_body(VALUE arg)
{
    newest_files *files = (newest_files *)arg;

    do {
        frugal_newest_resume(&files->newest);
        frugal_probe_run_unlocked(run_newest, cancel_newest, files);
    } while (files->status == FRUGAL_NEWEST_CANCELLED);
    if (files->status == FRUGAL_NEWEST_NO_MEMORY) rb_memerror();
    return Qnil;
}

static VALUE
ask_ensure(VALUE arg)
{
    newest_files *files = (newest_files *)arg;

    frugal_newest_end(&files->newest);
    files->running = false;
    frugal_native_memory_report(&files->reported, frugal_newest_memory(&files->newest));
    return Qnil;
}

/* Starts again without lists. */
static void
forget_lists(newest_files *files)
{
    files->newest = (frugal_newest){ .folders = files->newest.folders,
                                     .files = files->newest.files,
                                     .folder_count = files->newest.folder_count,
                                     .file_count = files->newest.file_count,
                                     .unique = files->newest.unique };
}

/*
 * Returns false if another thread is asking. If that thread exists only in the parent of a fork, its lists and their
 * memory are lost. Lists that another user made are dropped: they may contain files that this user must not see.
 */
static bool
begin_question(newest_files *files)
{
    pid_t pid = getpid();
    uid_t user = geteuid();
    gid_t group = getegid();

    if (files->running && files->pid == pid) return false;
    if (files->running) {
        forget_lists(files);
    }
    else if (files->user != user || files->group != group) {
        frugal_newest_free(&files->newest);
        forget_lists(files);
    }
    files->running = true;
    files->pid = pid;
    files->user = user;
    files->group = group;
    return true;
}

static bool
is_at_most(struct timespec time, time_t seconds, long nanoseconds)
{
    return time.tv_sec < seconds || (time.tv_sec == seconds && time.tv_nsec <= nanoseconds);
}

/*
 * unchanged?(count, seconds, nanoseconds, now, now_nanoseconds) -> whether `count` files match, and none has an mtime
 * after the given one and up to now; nil if this is not known: a path cannot be read, or another thread is asking.
 * Raises NoMemoryError, and the exceptions that a signal handler or another thread raises in this thread. The caller
 * must not rescue these.
 */
static VALUE
newest_unchanged_p(VALUE self, VALUE count, VALUE seconds, VALUE nanoseconds, VALUE now, VALUE now_nanoseconds)
{
    newest_files *files = get_files(self);
    struct timespec time = { .tv_sec = NUM2TIMET(now), .tv_nsec = NUM2LONG(now_nanoseconds) };
    time_t since = NUM2TIMET(seconds);
    long since_nanoseconds = NUM2LONG(nanoseconds);
    size_t expected = NUM2SIZET(count);

    if (!begin_question(files)) return Qnil;
    files->newest.quiet = !RTEST(ruby_verbose);
    files->newest.interrupted = frugal_probe_interrupted;
    files->newest.host = frugal_probe_copy_thread(&files->thread);
    frugal_newest_begin(&files->newest, time);
    rb_ensure(ask_body, (VALUE)files, ask_ensure, (VALUE)files);
    RB_GC_GUARD(self);
    files->failed = files->status == FRUGAL_NEWEST_FAULT;
    if (files->status != FRUGAL_NEWEST_ANSWERED) return Qnil;
    if (files->newest.count != expected) return Qfalse;
    return is_at_most(files->newest.newest, since, since_nanoseconds) ? Qtrue : Qfalse;
}

/* failed? -> whether a path could not be read for a reason that may last, such as a failing disk */
static VALUE
newest_failed_p(VALUE self)
{
    return get_files(self)->failed ? Qtrue : Qfalse;
}

void
frugal_newest_init(VALUE module)
{
    VALUE newest = rb_define_class_under(module, "Newest", rb_cObject);

    rb_undef_alloc_func(newest);
    rb_define_singleton_method(newest, "new", newest_s_new, 4);
    rb_define_method(newest, "unchanged?", newest_unchanged_p, 5);
    rb_define_method(newest, "failed?", newest_failed_p, 0);
}
