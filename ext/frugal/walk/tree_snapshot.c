/*
 * Frugal::Native::C::TreeSnapshot: remembers a tree, and finds the paths that were added to it or removed from it.
 * Makes Strings only for these paths. The work is done by core/tree/tree_check.c and tree_refresh.c.
 */
#include "walk/walk_internal.h"

#include <string.h>
#include <unistd.h>

#include "core/tree/tree.h"
#include "probe/probe.h"

typedef struct {
    tree_walk *walk;
    frugal_tree_refresh refresh;
    bool reports; /* whether to collect the paths that were added and removed */
    bool done;
} snapshot_refresh;

static void *
run_refresh(void *arg)
{
    snapshot_refresh *call = arg;

    call->done = frugal_tree_refresh_run(&call->refresh);
    return NULL;
}

static void
cancel_refresh(void *arg)
{
    frugal_tree_cancel(&((snapshot_refresh *)arg)->walk->tree);
}

static void
begin_refresh(snapshot_refresh *call)
{
    frugal_tree *tree = &call->walk->tree;
    int collected = 0;

    while (!frugal_tree_refresh_begin(&call->refresh, tree, call->reports)) {
        int error = tree->error;

        frugal_tree_refresh_end(&call->refresh);
        memset(&call->refresh, 0, sizeof(call->refresh));
        call->refresh.tree = tree;
        if (!frugal_probe_retry(error, &collected)) frugal_probe_raise(error, "dir_initialize", call->walk->path);
    }
}

static VALUE
paths_of(const tree_walk *walk, const frugal_tree_path_list *texts)
{
    VALUE paths = rb_ary_new_capa((long)texts->count);

    for (size_t at = 0; at < texts->used;) {
        size_t length = strlen(texts->bytes + at);

        rb_ary_push(paths, rb_external_str_new_with_enc(texts->bytes + at, (long)length, walk->encoding));
        at += length + 1;
    }
    return paths;
}

/* An exception before frugal_tree_refresh_keep leaves the snapshot unchanged. */
static VALUE
refresh_body(VALUE arg)
{
    snapshot_refresh *call = (snapshot_refresh *)arg;
    tree_walk *walk = call->walk;
    VALUE changes;

    begin_refresh(call);
    while (!call->done) {
        frugal_tree_resume(&walk->tree);
        frugal_probe_run_unlocked(run_refresh, cancel_refresh, call);
        if (walk->tree.error) rb_memerror();
    }
    changes = rb_assoc_new(paths_of(walk, &call->refresh.added), paths_of(walk, &call->refresh.removed));
    frugal_tree_refresh_keep(&call->refresh);
    return changes;
}

static VALUE
refresh_ensure(VALUE arg)
{
    snapshot_refresh *call = (snapshot_refresh *)arg;

    frugal_tree_refresh_end(&call->refresh);
    call->walk->running = false;
    frugal_walk_report(call->walk);
    return Qnil;
}

static VALUE
refresh(VALUE self, bool reports)
{
    tree_walk *walk = frugal_walk_get(self);
    snapshot_refresh call = { .walk = walk, .reports = reports, .refresh = { .tree = &walk->tree } };
    VALUE changes;

    if (walk->running) {
        rb_raise(rb_eRuntimeError, walk->pid == getpid()
                                       ? "frugal: this snapshot is already being refreshed"
                                       : "frugal: a fork interrupted a refresh of this snapshot; make a new one");
    }
    walk->running = true;
    walk->pid = getpid();
    walk->tree.interrupted = frugal_probe_interrupted;
    walk->tree.host = frugal_probe_copy_thread(&walk->thread);
    changes = rb_ensure(refresh_body, (VALUE)&call, refresh_ensure, (VALUE)&call);
    xfree(walk->items);
    walk->items = NULL;
    RB_GC_GUARD(self);
    return changes;
}

/* TreeSnapshot.take(path, options) -> TreeSnapshot, an empty one if there is no such directory */
static VALUE
snapshot_take(VALUE klass, VALUE path, VALUE options)
{
    VALUE self = frugal_walk_new(klass, path, options);
    tree_walk *walk = frugal_walk_get(self);

    walk->opened = true;
    if (!frugal_tree_refresh_prepare(&walk->tree, RSTRING_PTR(walk->path), &walk->options)) rb_memerror();
    refresh(self, false);
    frugal_walk_count(walk);
    return self;
}

/* refresh -> [added, removed], two unsorted Arrays of paths */
static VALUE
snapshot_refresh_changes(VALUE self)
{
    VALUE changes = refresh(self, true);
    long added = RARRAY_LEN(RARRAY_AREF(changes, 0)), removed = RARRAY_LEN(RARRAY_AREF(changes, 1));

    frugal_walk_get(self)->count += (size_t)added - (size_t)removed;
    return changes;
}

/* A TreeSnapshot has the methods of Tree, except for `column`. */
void
frugal_walk_snapshot_init(VALUE module, VALUE tree)
{
    VALUE snapshot = rb_define_class_under(module, "TreeSnapshot", tree);
    VALUE singleton = rb_singleton_class(snapshot);

    rb_undef_method(singleton, "list");
    rb_undef_method(singleton, "stream");
    rb_undef_method(snapshot, "column");
    rb_define_singleton_method(snapshot, "take", snapshot_take, 2);
    rb_define_method(snapshot, "refresh", snapshot_refresh_changes, 0);
}
