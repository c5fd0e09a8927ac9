/*
 * One question about many files, on several threads: Frugal::Probe's mtimes and
 * stats.
 */
#include "probe.h"

#include <string.h>

#include "core/stat_batch.h"

typedef struct {
    VALUE paths;
    bool whole; /* the whole stat, not its mtime alone */
    char *arena; /* the paths' bytes: a String may change while others run */
    size_t arena_used;
    size_t arena_room;
    frugal_stat_item *items;
    frugal_probe_stat *stats; /* where whole */
    frugal_stat_batch batch;
    int threads;
    bool done;
} batch_call;

static void
keep_path(batch_call *call, long index)
{
    VALUE name = frugal_probe_path(rb_ary_entry(call->paths, index));
    size_t size = (size_t)RSTRING_LEN(name) + 1;

    if (call->arena_room - call->arena_used < size) {
        call->arena_room = call->arena_room * 2 + size;
        call->arena = ruby_xrealloc(call->arena, call->arena_room);
    }
    memcpy(call->arena + call->arena_used, RSTRING_PTR(name), size);
    call->arena_used += size;
    RB_GC_GUARD(name);
}

static void
keep_paths(batch_call *call, long count)
{
    const char *next;

    for (long i = 0; i < count; i++) keep_path(call, i);
    call->items = ruby_xmalloc2(count, sizeof(frugal_stat_item));
    if (call->whole) call->stats = ruby_xmalloc2(count, sizeof(frugal_probe_stat));
    next = call->arena;
    for (long i = 0; i < count; i++) {
        call->items[i].path = next;
        next += strlen(next) + 1;
    }
}

static void *
batch_run(void *arg)
{
    batch_call *call = arg;

    call->done = frugal_stat_batch_run(&call->batch, call->threads);
    return NULL;
}

static void
batch_cancel(void *arg)
{
    frugal_stat_batch_cancel(&((batch_call *)arg)->batch);
}

static void
ask_all(batch_call *call, long count)
{
    frugal_stat_batch_init(&call->batch, call->items, (size_t)count);
    call->batch.interrupted = frugal_probe_interrupted;
    call->batch.host = (void *)rb_thread_current();
    if (call->whole) {
        call->batch.ask = frugal_probe_ask_stat;
        call->batch.records = call->stats;
        call->batch.record_size = sizeof(frugal_probe_stat);
    }
    call->threads = frugal_stat_batch_threads((size_t)count);
    while (!call->done) {
        frugal_stat_batch_resume(&call->batch);
        frugal_probe_run_unlocked(batch_run, batch_cancel, call);
    }
}

static VALUE
answer(const batch_call *call, long index)
{
    const frugal_stat_item *item = &call->items[index];

    if (item->error != 0) {
        return frugal_probe_miss(item->error, call->whole ? "rb_file_s_stat" : "rb_file_s_mtime",
                                 rb_ary_entry(call->paths, index));
    }
    return call->whole ? frugal_probe_stat_new(&call->stats[index]) : frugal_probe_time(item->mtime);
}

static VALUE
batch_body(VALUE arg)
{
    batch_call *call = (batch_call *)arg;
    long count = RARRAY_LEN(call->paths);
    VALUE answers;

    keep_paths(call, count);
    ask_all(call, count);
    answers = rb_ary_new_capa(count);
    for (long i = 0; i < count; i++) rb_ary_push(answers, answer(call, i));
    return answers;
}

static VALUE
batch_free(VALUE arg)
{
    batch_call *call = (batch_call *)arg;

    ruby_xfree(call->arena);
    ruby_xfree(call->items);
    ruby_xfree(call->stats);
    return Qnil;
}

static VALUE
answers_of(VALUE paths, bool whole)
{
    /* A copy: to_path is anyone's code and may change the array under us. */
    batch_call call = { .paths = rb_ary_dup(rb_convert_type(paths, T_ARRAY, "Array", "to_ary")), .whole = whole };

    if (RARRAY_LEN(call.paths) == 0) return rb_ary_new();
    return rb_ensure(batch_body, (VALUE)&call, batch_free, (VALUE)&call);
}

static VALUE
probe_mtimes(VALUE self, VALUE paths)
{
    return answers_of(paths, false);
}

static VALUE
probe_stats(VALUE self, VALUE paths)
{
    return answers_of(paths, true);
}

void
frugal_probe_batch_init(VALUE module)
{
    rb_define_method(module, "mtimes", probe_mtimes, 1);
    rb_define_method(module, "stats", probe_stats, 1);
}
