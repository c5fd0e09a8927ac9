/* Probes many files on several threads: `mtimes` and `stats` of Frugal::Probe. */
#include "probe/probe.h"

#include <string.h>

#include "core/probe/probe.h"

typedef struct {
    VALUE paths;
    bool full_stat; /* not only the mtime */
    char *arena;    /* copies of the paths, since another thread may change a String */
    size_t arena_used;
    size_t arena_room;
    frugal_stat_item *items;
    frugal_probe_stat *stats; /* with full_stat */
    frugal_stat_batch batch;
    frugal_probe_thread thread;
    int threads;
    bool done;
} batch_call;

static void
copy_path(batch_call *call, long index)
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
copy_paths(batch_call *call, long count)
{
    const char *next;

    for (long i = 0; i < count; i++) copy_path(call, i);
    call->items = ruby_xmalloc2(count, sizeof(frugal_stat_item));
    if (call->full_stat) call->stats = ruby_xmalloc2(count, sizeof(frugal_probe_stat));
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

    call->done = frugal_probe_batch_run(&call->batch, call->threads);
    return NULL;
}

static void
batch_cancel(void *arg)
{
    frugal_probe_batch_cancel(&((batch_call *)arg)->batch);
}

static void
ask_all(batch_call *call, long count)
{
    frugal_probe_batch_prepare(&call->batch, call->items, (size_t)count);
    call->batch.interrupted = frugal_probe_interrupted;
    call->batch.host = frugal_probe_copy_thread(&call->thread);
    if (call->full_stat) {
        call->batch.fill_record = frugal_probe_ask_stat;
        call->batch.records = call->stats;
        call->batch.record_size = sizeof(frugal_probe_stat);
    }
    call->threads = frugal_probe_batch_threads((size_t)count);
    while (!call->done) {
        frugal_probe_batch_resume(&call->batch);
        frugal_probe_run_unlocked(batch_run, batch_cancel, call);
    }
}

static VALUE
answer(const batch_call *call, long index)
{
    const frugal_stat_item *item = &call->items[index];

    if (item->error != 0) {
        return frugal_probe_miss(item->error, call->full_stat ? "rb_file_s_stat" : "rb_file_s_mtime",
                                 rb_ary_entry(call->paths, index));
    }
    return call->full_stat ? frugal_probe_stat_new(&call->stats[index]) : frugal_probe_time(item->mtime);
}

static VALUE
batch_body(VALUE arg)
{
    batch_call *call = (batch_call *)arg;
    long count = RARRAY_LEN(call->paths);
    VALUE answers;

    copy_paths(call, count);
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
answers_for(VALUE paths, bool full_stat)
{
    batch_call call = { .full_stat = full_stat };

    /* A copy, since to_path is user code, which may change the Array. */
    call.paths = rb_ary_dup(rb_convert_type(paths, T_ARRAY, "Array", "to_ary"));
    if (RARRAY_LEN(call.paths) == 0) return rb_ary_new();
    return rb_ensure(batch_body, (VALUE)&call, batch_free, (VALUE)&call);
}

static VALUE
probe_mtimes(VALUE self, VALUE paths)
{
    return answers_for(paths, false);
}

static VALUE
probe_stats(VALUE self, VALUE paths)
{
    return answers_for(paths, true);
}

void
frugal_probe_batch_init(VALUE module)
{
    rb_define_method(module, "mtimes", probe_mtimes, 1);
    rb_define_method(module, "stats", probe_stats, 1);
}
