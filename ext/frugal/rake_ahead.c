/*
 * Asking for many names at once: while nothing runs, the files of the tasks
 * that come next are asked for on several threads, a slice each. On a slow
 * disk that hides the waiting, on a fast one it uses the other cores.
 *
 * The answers are the ones that each task would get a moment later, as no Ruby
 * code runs in between; those that user code makes stale were asked in vain,
 * which is why a walk asks only as far ahead as it has been quiet.
 */
#include "rake.h"
#include "core/stat_batch.h"
#include "probe.h"
#include <ruby/st.h>
#include <string.h>

typedef struct {
    rake_plan *plan;
    const VALUE *tasks;
    long task_count;
    st_table *leaves; /* name => slot; the strings stay where they are, as nothing is collected */
    frugal_stat_item *items;
    long *slots; /* of each item */
    long count, capacity;
    char *arena; /* the names, one after the other: Ruby's strings may move */
    size_t arena_used, arena_room;
} rake_ahead;

static void
ahead_add(rake_ahead *ahead, long index, VALUE name)
{
    rake_slot *slot = &ahead->plan->slots[index];
    size_t size = (size_t)RSTRING_LEN(name) + 1;

    if (slot->generation == ahead->plan->generation || slot->batch == ahead->plan->batch) return;
    slot->batch = ahead->plan->batch;
    if (ahead->count == ahead->capacity) {
        ahead->capacity = ahead->capacity ? ahead->capacity * 2 : 1024;
        REALLOC_N(ahead->items, frugal_stat_item, ahead->capacity);
        REALLOC_N(ahead->slots, long, ahead->capacity);
    }
    if (ahead->arena_room - ahead->arena_used < size) {
        ahead->arena_room = ahead->arena_room * 2 + size;
        REALLOC_N(ahead->arena, char, ahead->arena_room);
    }
    memcpy(ahead->arena + ahead->arena_used, RSTRING_PTR(name), size);
    ahead->arena_used += size;
    ahead->slots[ahead->count++] = index;
}

/* The file of a task, where it is one. */
static void
ahead_add_task(rake_ahead *ahead, VALUE task)
{
    long slot = rake_facts_slot(ahead->plan, task);
    VALUE name;

    if (slot < 0 || rake_facts(ahead->plan, slot)->kind != KIND_FILE) return;
    name = rake_task_name(task);
    if (rake_plan_provable_name(name)) ahead_add(ahead, slot, name);
}

/* The slot of a leaf's name, one for all tasks that will look it up. */
static long
ahead_leaf(rake_ahead *ahead, VALUE name)
{
    st_data_t known;
    long slot;

    if (st_lookup(ahead->leaves, (st_data_t)name, &known)) return (long)known;
    slot = rake_plan_name_slot(ahead->plan, name);
    st_insert(ahead->leaves, (st_data_t)name, (st_data_t)slot);
    return slot;
}

/* What a prerequisite's look-up will ask for: a task's file, or a leaf; its slot. */
static long
ahead_add_prerequisite(rake_ahead *ahead, long scope, VALUE name)
{
    VALUE task;
    long slot;

    if (!rake_plan_provable_name(name)) return -1;
    task = rake_plan_find(ahead->plan, scope, name);
    if (NIL_P(task)) {
        slot = ahead_leaf(ahead, name);
        ahead_add(ahead, slot, name);
        return slot;
    }
    ahead_add_task(ahead, task);
    return -1;
}

static int
names_differ(st_data_t a, st_data_t b)
{
    return rb_str_hash_cmp((VALUE)a, (VALUE)b);
}

static st_index_t
name_hash(st_data_t name)
{
    return rb_str_hash((VALUE)name);
}

static const struct st_hash_type names_by_content = { names_differ, name_hash };

static void
ahead_gather(rake_ahead *ahead)
{
    for (long i = 0; i < ahead->task_count; i++) {
        VALUE task = ahead->tasks[i];
        rake_slot *facts;
        long slot = rake_facts_slot(ahead->plan, task), scope, count, first;

        if (slot < 0 || RTEST(rb_attr_get(task, rake_id_already_invoked))) continue;
        facts = rake_facts(ahead->plan, slot);
        if (facts->kind != KIND_FILE) continue;
        scope = facts->scope;
        count = facts->count;
        if (scope < 0 || facts->edges != EDGES_UNREAD) continue;
        ahead_add_task(ahead, task);
        first = rake_facts_reserve(ahead->plan, count);
        for (long j = 0; j < count; j++) {
            long edge = ahead_add_prerequisite(ahead, scope, rake_facts_name(task, j));

            ahead->plan->edges[first + j] = edge;
        }
        ahead->plan->slots[slot].first_edge = first;
        ahead->plan->slots[slot].edges = EDGES_FORESEEN;
    }
}

static VALUE
ahead_body(VALUE argument)
{
    rake_ahead *ahead = (rake_ahead *)argument;
    const char *next;
    frugal_stat_batch batch;
    long answered;

    ahead->leaves = st_init_table(&names_by_content);
    ahead_gather(ahead);
    next = ahead->arena;
    for (long i = 0; i < ahead->count; i++) {
        ahead->items[i].path = next;
        next += strlen(next) + 1;
    }
    frugal_stat_batch_init(&batch, ahead->items, ahead->count);
    batch.interrupted = frugal_probe_interrupted;
    batch.host = (void *)rb_thread_current();
    frugal_stat_batch_run(&batch, frugal_stat_batch_threads(ahead->count));
    answered = (long)atomic_load(&batch.next);
    if (answered > ahead->count) answered = ahead->count;
    for (long i = 0; i < answered; i++) {
        rake_plan_answer(ahead->plan, ahead->slots[i], ahead->items[i].error, ahead->items[i].mtime);
    }
    return Qnil;
}

static VALUE
ahead_free(VALUE argument)
{
    rake_ahead *ahead = (rake_ahead *)argument;

    if (ahead->leaves) st_free_table(ahead->leaves);
    xfree(ahead->items);
    xfree(ahead->slots);
    xfree(ahead->arena);
    return Qnil;
}

void
rake_ahead_ask(rake_plan *plan, const VALUE *tasks, long count)
{
    rake_ahead ahead = { .plan = plan, .tasks = tasks, .task_count = count };

    plan->batch++;
    rb_ensure(ahead_body, (VALUE)&ahead, ahead_free, (VALUE)&ahead);
}
