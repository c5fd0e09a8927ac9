/*
 * Asking for many names ahead: while nothing runs, another thread asks for the
 * files of the tasks that come next, and the walk goes on meanwhile. It takes
 * the answers as it comes by, and helps where it is faster. On a slow disk that
 * hides the waiting, on a fast one it uses another core.
 *
 * The answers are the ones that each task would get a moment later, as no Ruby
 * code runs in between; those that user code makes stale were asked in vain,
 * which is why a walk asks only as far ahead as it has been quiet.
 *
 * Names are read where Ruby keeps them: no garbage is collected, and so none of
 * them moves or goes, until the thread has ended.
 */
#include "rake.h"
#include "core/stat_batch.h"
#include "probe.h"
#include <ruby/st.h>

struct rake_ahead {
    rake_plan *plan;
    const VALUE *tasks;
    long task_count;
    st_table *leaves; /* name => slot */
    frugal_stat_batch batch;
    frugal_stat_item *items;
    long *slots; /* of each item */
    long count, capacity;
};

static void
ahead_add(rake_ahead *ahead, long index, VALUE name)
{
    rake_slot *slot = &ahead->plan->slots[index];

    if (slot->generation == ahead->plan->generation || slot->batch == ahead->plan->batch) return;
    if (ahead->count == ahead->capacity) {
        ahead->capacity = ahead->capacity ? ahead->capacity * 2 : 1024;
        REALLOC_N(ahead->items, frugal_stat_item, ahead->capacity);
        REALLOC_N(ahead->slots, long, ahead->capacity);
    }
    slot->batch = ahead->plan->batch;
    slot->item = (uint32_t)ahead->count;
    ahead->items[ahead->count].path = RSTRING_PTR(name);
    ahead->slots[ahead->count++] = index;
}

/* The file of a task, where it is one. */
static void
ahead_add_task(rake_ahead *ahead, VALUE task, long slot)
{
    const rake_slot *facts = rake_facts(ahead->plan, slot);

    if (facts->kind == KIND_FILE && facts->named) ahead_add(ahead, slot, rake_task_name(task));
}

/* The slot of a leaf's name, one for all tasks that will look it up. */
static long
ahead_leaf(rake_ahead *ahead, VALUE name)
{
    st_data_t known;
    long slot;

    if (st_lookup(ahead->leaves, (st_data_t)name, &known)) return (long)known;
    slot = rake_slots_named(ahead->plan, name);
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
    slot = rake_facts_slot(ahead->plan, task);
    if (slot >= 0) ahead_add_task(ahead, task, slot);
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
        ahead_add_task(ahead, task, slot);
        first = rake_facts_reserve(ahead->plan, count);
        for (long j = 0; j < count; j++) {
            long edge = ahead_add_prerequisite(ahead, scope, rake_facts_name(task, j));

            ahead->plan->edges[first + j] = edge;
        }
        ahead->plan->slots[slot].first_edge = first;
        ahead->plan->slots[slot].edges = EDGES_FORESEEN;
    }
}

static void
ahead_free(rake_ahead *ahead)
{
    if (ahead->leaves) st_free_table(ahead->leaves);
    xfree(ahead->items);
    xfree(ahead->slots);
    xfree(ahead);
}

void
rake_ahead_begin(rake_plan *plan, const VALUE *tasks, long count)
{
    rake_ahead *ahead;

    rake_ahead_end(plan);
    plan->ahead = ahead = ZALLOC(rake_ahead);
    ahead->plan = plan;
    ahead->tasks = tasks;
    ahead->task_count = count;
    ahead->leaves = st_init_table(&names_by_content);
    plan->batch++;
    ahead_gather(ahead);
    frugal_stat_batch_init(&ahead->batch, ahead->items, (size_t)ahead->count);
    ahead->batch.interrupted = frugal_probe_interrupted;
    ahead->batch.host = (void *)rb_thread_current();
    frugal_stat_batch_start(&ahead->batch);
}

/* Whether the slot has its answer now. */
bool
rake_ahead_take(rake_plan *plan, long index)
{
    rake_ahead *ahead = plan->ahead;
    rake_slot *slot = &plan->slots[index];
    frugal_stat_item *item;

    if (!ahead || slot->batch != plan->batch || !frugal_stat_batch_wait(&ahead->batch, slot->item)) return false;
    item = &ahead->items[slot->item];
    rake_plan_answer(plan, index, item->error, item->mtime);
    return true;
}

/* Keeps what was answered, so that nothing is asked twice. */
void
rake_ahead_end(rake_plan *plan)
{
    rake_ahead *ahead = plan->ahead;

    if (!ahead) return;
    frugal_stat_batch_finish(&ahead->batch);
    for (long i = 0; i < ahead->count; i++) {
        frugal_stat_item *item = &ahead->items[i];
        long slot = ahead->slots[i];

        if (item->error != FRUGAL_STAT_OPEN && plan->slots[slot].generation != plan->generation) {
            rake_plan_answer(plan, slot, item->error, item->mtime);
        }
    }
    plan->ahead = NULL;
    ahead_free(ahead);
}
