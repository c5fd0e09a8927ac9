/*
 * Frugal::Native::C::Tree: lists everything below a directory, in pre-order. Makes Strings only for the paths that a
 * caller reads. The workers are in core/tree.
 */
#include "walk/walk.h"

#include <unistd.h>

#include "probe/probe.h"
#include "walk/walk_internal.h"

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

/* Lists the tree. An interrupt ends all workers; if its handler does not raise, the listing continues. */
static VALUE
list_body(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    walk->tree.interrupted = frugal_probe_interrupted;
    walk->tree.host = frugal_probe_copy_thread(&walk->thread);
    walk->running = true;
    while (!walk->done) {
        frugal_tree_resume(&walk->tree);
        frugal_probe_run_unlocked(walk_run, walk_cancel, walk);
        if (walk->tree.error) rb_memerror();
    }
    return Qnil;
}

static VALUE
list_ensure(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    frugal_tree_close(&walk->tree);
    walk->running = false;
    frugal_walk_report(walk);
    return Qnil;
}

/* A walk with an open root, or nil for a miss. */
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

void
frugal_walk_list(VALUE self, frugal_tree_folder *folder)
{
    tree_walk *walk = frugal_walk_get(self);

    walk->opened = true;
    if (!frugal_tree_adopt(&walk->tree, folder, &walk->options)) rb_memerror();
    rb_ensure(list_body, (VALUE)walk, list_ensure, (VALUE)walk);
}

/* Tree.list(path, options) -> Tree, or nil for a miss */
static VALUE
walk_list(VALUE klass, VALUE path, VALUE options)
{
    VALUE self = walk_open(klass, path, options);
    tree_walk *walk;

    if (NIL_P(self)) return Qnil;
    walk = frugal_walk_get(self);
    rb_ensure(list_body, (VALUE)walk, list_ensure, (VALUE)walk);
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
stream_yield(tree_walk *walk)
{
    path_writer writer = { .walk = walk };
    const frugal_tree_node *node = walk->awaited;
    VALUE paths = rb_ary_new_capa((long)node->count);

    for (size_t i = 0; i < node->count; i++) {
        if (node->entries[i].kept) rb_ary_push(paths, frugal_walk_path(&writer, node, &node->entries[i]));
    }
    RB_GC_GUARD(writer.memory);
    frugal_walk_report(walk);
    rb_yield(paths);
}

/* Lists on other threads, and yields each directory. An interrupt ends these threads, and the loop starts new ones. */
static VALUE
stream_body(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    walk->tree.interrupted = frugal_probe_interrupted;
    walk->tree.host = frugal_probe_copy_thread(&walk->thread);
    walk->pid = getpid();
    while (!walk->done) {
        frugal_tree_resume(&walk->tree);
        walk->running = true;
        if (!frugal_tree_start(&walk->tree)) rb_raise(rb_eThreadError, "frugal: cannot create a thread for the walk");
        for (;;) {
            if (walk->pid != getpid()) {
                rb_raise(rb_eRuntimeError, "frugal: each_path cannot continue in a forked child");
            }
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
stream_ensure(VALUE arg)
{
    tree_walk *walk = (tree_walk *)arg;

    if (!walk->running || walk->pid != getpid()) return Qnil;
    frugal_tree_stop(&walk->tree);
    frugal_tree_close(&walk->tree);
    walk->running = false;
    frugal_walk_report(walk);
    return Qnil;
}

/* Tree.stream(path, options) { |paths| } -> Tree, or nil for a miss; yields once for each directory */
static VALUE
walk_stream(VALUE klass, VALUE path, VALUE options)
{
    VALUE self = walk_open(klass, path, options);
    tree_walk *walk;

    if (NIL_P(self)) return Qnil;
    walk = frugal_walk_get(self);
    rb_ensure(stream_body, (VALUE)walk, stream_ensure, (VALUE)walk);
    RB_GC_GUARD(self);
    return self;
}

void
frugal_walk_init(VALUE module)
{
    VALUE tree = rb_define_class_under(module, "Tree", rb_cObject);

    frugal_walk_object_init();
    rb_undef_alloc_func(tree);
    rb_ext_ractor_safe(true); /* a tree belongs to its caller */
    rb_define_singleton_method(tree, "list", walk_list, 2);
    rb_define_singleton_method(tree, "stream", walk_stream, 2);
    frugal_walk_paths_init(tree);
    rb_ext_ractor_safe(false);
    frugal_walk_snapshot_init(module, tree);
}
