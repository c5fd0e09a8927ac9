/*
 * Frugal::Native::C::TreeSnapshot: a tree that is kept, and what has come and
 * gone in it since it was looked at. Strings are made of that only. The work is
 * done by core/tree_check.c and core/tree_refresh.c.
 */
#include "probe.h"
#include "walk.h"

#include <string.h>
#include <unistd.h>

#include "core/tree_refresh.h"

typedef struct {
    tree_walk *walk;
    VALUE path;
    frugal_tree_refresh refresh;
    bool tells, done;
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

    while (!frugal_tree_refresh_begin(&call->refresh, tree, call->tells)) {
        int error = tree->error;

        frugal_tree_refresh_end(&call->refresh);
        memset(&call->refresh, 0, sizeof(call->refresh));
        call->refresh.tree = tree;
        if (!frugal_probe_retry(error, &collected)) frugal_probe_raise(error, "dir_initialize", call->walk->path);
    }
}

static VALUE
paths_of(const tree_walk *walk, const frugal_tree_texts *texts)
{
    VALUE paths = rb_ary_new_capa((long)texts->count);

    for (size_t at = 0; at < texts->used;) {
        size_t length = strlen(texts->bytes + at);

        rb_ary_push(paths, rb_external_str_new_with_enc(texts->bytes + at, (long)length, walk->encoding));
        at += length + 1;
    }
    return paths;
}

/* What raises before keep leaves the snapshot as it was. */
static VALUE
refresh_to_its_end(VALUE arg)
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
refresh_is_over(VALUE arg)
{
    snapshot_refresh *call = (snapshot_refresh *)arg;

    frugal_tree_refresh_end(&call->refresh);
    call->walk->running = false;
    return Qnil;
}

static VALUE
refresh(VALUE self, bool tells)
{
    tree_walk *walk = frugal_walk_get(self);
    snapshot_refresh call = { .walk = walk, .tells = tells, .refresh = { .tree = &walk->tree } };
    VALUE changes;

    if (walk->running) {
        rb_raise(rb_eRuntimeError, walk->pid == getpid() ? "frugal: this snapshot is being refreshed"
                                   : "frugal: a fork left this snapshot in the middle of a refresh; make a new one");
    }
    walk->running = true;
    walk->pid = getpid();
    walk->tree.interrupted = frugal_probe_interrupted;
    walk->tree.host = (void *)rb_thread_current();
    changes = rb_ensure(refresh_to_its_end, (VALUE)&call, refresh_is_over, (VALUE)&call);
    xfree(walk->items);
    walk->items = NULL;
    RB_GC_GUARD(self);
    return changes;
}

/* TreeSnapshot.take(path, options) -> TreeSnapshot, an empty one where there is no such directory */
static VALUE
snapshot_take(VALUE klass, VALUE path, VALUE options)
{
    VALUE self = frugal_walk_new(klass, path, options);
    tree_walk *walk = frugal_walk_get(self);

    walk->opened = true;
    if (!frugal_tree_watch(&walk->tree, RSTRING_PTR(walk->path), &walk->options)) rb_memerror();
    refresh(self, false);
    frugal_walk_count(walk);
    return self;
}

/* refresh -> [added, removed]: paths in no order */
static VALUE
snapshot_refresh_changes(VALUE self)
{
    VALUE changes = refresh(self, true);
    long added = RARRAY_LEN(RARRAY_AREF(changes, 0)), removed = RARRAY_LEN(RARRAY_AREF(changes, 1));

    frugal_walk_get(self)->count += (size_t)added - (size_t)removed;
    return changes;
}

/* A kept tree is one that tells its paths, but has no columns. */
void
frugal_tree_snapshot_init(VALUE tree)
{
    VALUE snapshot = rb_define_class_under(frugal_mC, "TreeSnapshot", tree);
    VALUE singleton = rb_singleton_class(snapshot);

    rb_undef_method(singleton, "list");
    rb_undef_method(singleton, "stream");
    rb_undef_method(snapshot, "column");
    rb_define_singleton_method(snapshot, "take", snapshot_take, 2);
    rb_define_method(snapshot, "refresh", snapshot_refresh_changes, 0);
}
