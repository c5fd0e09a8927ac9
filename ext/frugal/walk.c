/*
 * Frugal::Native::C::Tree: all that lies below a directory, in pre-order, and
 * strings of it only where they are asked for. The workers are core/tree_*.c.
 */
#include "probe.h"
#include "walk.h"

#include <ruby/util.h>
#include <string.h>
#include <unistd.h>

static ID id_follow, id_paths, id_once, id_hidden, id_sort, id_stat, id_threads, id_depth, id_prefix, id_cut, id_prune, id_suffixes,
    id_gitignore;

static void
walk_mark(void *data)
{
    tree_walk *walk = data;

    rb_gc_mark(walk->path);
}

/* A fork in another thread leaves a child with a walk that nobody goes on with. */
static void
walk_free(void *data)
{
    tree_walk *walk = data;

    if (walk->opened && !walk->running) frugal_tree_free(&walk->tree);
    for (long i = 0; i < walk->text_count; i++) xfree(walk->texts[i]);
    xfree(walk->texts);
    xfree(walk->prune);
    xfree(walk->suffixes);
    xfree(walk->items);
    xfree(walk);
}

static size_t
walk_size(const void *data)
{
    const tree_walk *walk = data;

    return sizeof(*walk) + walk->count * (sizeof(frugal_tree_entry) + 16 + (walk->items ? sizeof(tree_item) : 0));
}

static const rb_data_type_t walk_type = {
    .wrap_struct_name = "Frugal::Tree",
    .function = { walk_mark, walk_free, walk_size },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

tree_walk *
frugal_walk_get(VALUE self)
{
    return rb_check_typeddata(self, &walk_type);
}

static VALUE
option(VALUE options, ID name)
{
    return rb_hash_lookup2(options, ID2SYM(name), Qnil);
}

/* A copy: a String may move or change while the walk runs. */
static const char *
keep_text(tree_walk *walk, VALUE string)
{
    REALLOC_N(walk->texts, char *, walk->text_count + 1);
    return walk->texts[walk->text_count++] = ruby_strdup(StringValueCStr(string));
}

static const char *const *
keep_texts(tree_walk *walk, VALUE list, const char ***texts, size_t *count)
{
    if (NIL_P(list)) return NULL;
    *texts = ALLOC_N(const char *, RARRAY_LEN(list) + 1);
    while (*count < (size_t)RARRAY_LEN(list)) {
        (*texts)[*count] = keep_text(walk, RARRAY_AREF(list, (long)*count));
        ++*count;
    }
    return *texts;
}

static void
read_options(tree_walk *walk, VALUE options)
{
    VALUE follow = option(options, id_follow), threads = option(options, id_threads), depth = option(options, id_depth);
    VALUE prefix = option(options, id_prefix), cut = option(options, id_cut);

    walk->options.follow = follow == ID2SYM(id_paths) ? FRUGAL_FOLLOW_PATHS
                         : follow == ID2SYM(id_once) ? FRUGAL_FOLLOW_ONCE : FRUGAL_FOLLOW_NEVER;
    walk->options.hidden = RTEST(option(options, id_hidden));
    walk->options.gitignore = RTEST(option(options, id_gitignore));
    walk->options.sort = RTEST(option(options, id_sort));
    walk->options.stat = RTEST(option(options, id_stat));
    walk->options.threads = NIL_P(threads) ? 0 : NUM2INT(threads);
    walk->options.depth = NIL_P(depth) ? 0 : NUM2UINT(depth);
    walk->options.prune = keep_texts(walk, option(options, id_prune), &walk->prune, &walk->options.prune_count);
    walk->options.suffixes = keep_texts(walk, option(options, id_suffixes), &walk->suffixes, &walk->options.suffix_count);
    if (!NIL_P(prefix)) walk->options.prefix = keep_text(walk, prefix);
    walk->cut = NIL_P(cut) ? 0 : NUM2SIZET(cut);
}

static void *
walk_run(void *arg)
{
    tree_walk *walk = arg;

    walk->done = frugal_tree_run(&walk->tree);
    return NULL;
}

static void
walk_cancel(void *arg)
{
    frugal_tree_cancel(&((tree_walk *)arg)->tree);
}

/* An interrupt may raise; then no thread is left either. */
static VALUE
run_to_its_end(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    walk->tree.interrupted = frugal_probe_interrupted;
    walk->tree.host = (void *)rb_thread_current();
    walk->running = true;
    while (!walk->done) {
        frugal_tree_resume(&walk->tree);
        frugal_probe_run_unlocked(walk_run, walk_cancel, walk);
        if (walk->tree.error) rb_memerror();
    }
    return Qnil;
}

static VALUE
run_is_over(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    frugal_tree_close(&walk->tree);
    walk->running = false;
    return Qnil;
}

void
frugal_walk_end(frugal_tree_cursor *cursor)
{
    frugal_tree_cursor_free(cursor);
    if (cursor->failed) rb_memerror();
}

void
frugal_walk_count(tree_walk *walk)
{
    frugal_tree_cursor cursor;
    const frugal_tree_node *node;

    frugal_tree_cursor_begin(&cursor, &walk->tree);
    while (frugal_tree_next(&cursor, &node) != NULL) walk->count++;
    frugal_walk_end(&cursor);
}

VALUE
frugal_walk_new(VALUE klass, VALUE path, VALUE options)
{
    tree_walk *walk;
    VALUE self = TypedData_Make_Struct(klass, tree_walk, &walk_type, walk);

    walk->path = rb_str_new_frozen(frugal_probe_path(path));
    walk->encoding = rb_enc_get(walk->path);
    if (walk->encoding == rb_usascii_encoding()) walk->encoding = rb_filesystem_encoding();
    if (walk->encoding == rb_usascii_encoding()) walk->encoding = rb_ascii8bit_encoding(); /* as Dir.glob in the C locale */
    read_options(walk, options);
    return self;
}

/* An open walk, or nil for a miss. */
static VALUE
walk_open(VALUE klass, VALUE path, VALUE options)
{
    VALUE self = frugal_walk_new(klass, path, options);
    tree_walk *walk = frugal_walk_get(self);
    int collected = 0;

    while (!(walk->opened = frugal_tree_open(&walk->tree, RSTRING_PTR(walk->path), &walk->options))) {
        int error = walk->tree.error;

        frugal_tree_free(&walk->tree);
        if (!frugal_probe_retry(error, &collected)) return frugal_probe_miss(error, "dir_initialize", path);
    }
    return self;
}

/* Tree.list(path, options) -> Tree, or nil for a miss */
static VALUE
walk_list(VALUE klass, VALUE path, VALUE options)
{
    VALUE self = walk_open(klass, path, options);
    tree_walk *walk;

    if (NIL_P(self)) return Qnil;
    walk = frugal_walk_get(self);
    rb_ensure(run_to_its_end, (VALUE)walk, run_is_over, (VALUE)walk);
    frugal_walk_count(walk);
    RB_GC_GUARD(self);
    return self;
}

/* -- streaming -- */

static void *
stream_await(void *arg)
{
    tree_walk *walk = arg;

    walk->awaited = frugal_tree_await(&walk->tree);
    return NULL;
}

static void
stream_yield(const tree_walk *walk)
{
    path_writer writer = { .walk = walk };
    const frugal_tree_node *node = walk->awaited;
    VALUE paths = rb_ary_new_capa((long)node->count);

    for (size_t i = 0; i < node->count; i++) {
        if (node->entries[i].kept) rb_ary_push(paths, frugal_walk_path(&writer, node, &node->entries[i]));
    }
    RB_GC_GUARD(writer.memory);
    rb_yield(paths);
}

/* As a signal's handler ended, the threads have too, and begin again where they were. */
static VALUE
stream_to_its_end(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    walk->tree.interrupted = frugal_probe_interrupted;
    walk->tree.host = (void *)rb_thread_current();
    walk->pid = getpid();
    while (!walk->done) {
        frugal_tree_resume(&walk->tree);
        walk->running = true;
        if (!frugal_tree_start(&walk->tree)) rb_raise(rb_eThreadError, "frugal: the system grants no thread to walk with");
        for (;;) {
            if (walk->pid != getpid()) rb_raise(rb_eRuntimeError, "frugal: each_path cannot go on in a forked child");
            frugal_probe_run_unlocked(stream_await, walk_cancel, walk);
            if (walk->awaited == NULL) break;
            stream_yield(walk);
        }
        frugal_tree_stop(&walk->tree);
        if (walk->tree.error) rb_memerror();
        walk->done = walk->tree.pool.count == 0 && walk->tree.next_ready == walk->tree.ready.count;
    }
    return Qnil;
}

static VALUE
stream_is_over(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    if (!walk->running || walk->pid != getpid()) return Qnil;
    frugal_tree_stop(&walk->tree);
    frugal_tree_close(&walk->tree);
    walk->running = false;
    return Qnil;
}

/* Tree.stream(path, options) { |paths| } -> Tree, or nil: a directory's paths as soon as it is read */
static VALUE
walk_stream(VALUE klass, VALUE path, VALUE options)
{
    VALUE self = walk_open(klass, path, options);
    tree_walk *walk;

    if (NIL_P(self)) return Qnil;
    walk = frugal_walk_get(self);
    rb_ensure(stream_to_its_end, (VALUE)walk, stream_is_over, (VALUE)walk);
    RB_GC_GUARD(self);
    return self;
}

void
frugal_walk_init(void)
{
    VALUE tree = rb_define_class_under(frugal_mC, "Tree", rb_cObject);

    id_follow = rb_intern("follow");
    id_paths = rb_intern("paths");
    id_once = rb_intern("once");
    id_hidden = rb_intern("hidden");
    id_sort = rb_intern("sort");
    id_stat = rb_intern("stat");
    id_threads = rb_intern("threads");
    id_depth = rb_intern("depth");
    id_prefix = rb_intern("prefix");
    id_cut = rb_intern("cut");
    id_prune = rb_intern("prune");
    id_suffixes = rb_intern("suffixes");
    id_gitignore = rb_intern("gitignore");
    rb_undef_alloc_func(tree);
    rb_ext_ractor_safe(true); /* a tree belongs to its caller */
    rb_define_singleton_method(tree, "list", walk_list, 2);
    rb_define_singleton_method(tree, "stream", walk_stream, 2);
    frugal_walk_paths_init(tree);
    rb_ext_ractor_safe(false);
    frugal_tree_snapshot_init(tree);
}
