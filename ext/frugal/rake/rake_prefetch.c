/*
 * Prefetches file times: while no Ruby code runs, another thread calls stat(2) for the files of the next tasks, and the
 * walk continues. The walk uses each answer when it reaches the task, and calls stat(2) itself if it gets there before
 * the thread. On a slow disk this hides the latency; on a fast disk it uses another core.
 *
 * The task itself would get the same answer a moment later, as no Ruby code runs in between. User code invalidates the
 * unused answers, so a walk prefetches at most as many tasks as it has entered since user code last ran.
 *
 * The thread reads the names in Ruby's own memory. That is safe because garbage
 * collection is disabled until the thread has ended: no name moves or is freed.
 */
#include "rake/rake_prefetch.h"

#include "core/probe/probe.h"
#include "probe/probe.h"
#include "rake/rake_facts.h"
#include "rake/rake_leaf.h"
#include "rake/rake_lookup.h"
#include "rake/rake_plan.h"
#include "rake/rake_slots.h"
#include "rake/rake_task.h"

struct rake_prefetch {
    rake_plan *plan;
    const VALUE *tasks;
    long task_count;
    frugal_stat_batch batch;
    frugal_probe_thread thread;
    frugal_stat_item *items;
    long *slots; /* parallel to `items` */
    long count, capacity;
};

static void
add_item(rake_prefetch *prefetch, long index, VALUE name)
{
    rake_slot *slot = &prefetch->plan->slots[index];

    if (slot->generation == prefetch->plan->generation || slot->batch == prefetch->plan->batch) return;
    if (prefetch->count == prefetch->capacity) {
        prefetch->capacity = prefetch->capacity ? prefetch->capacity * 2 : 1024;
        REALLOC_N(prefetch->items, frugal_stat_item, prefetch->capacity);
        REALLOC_N(prefetch->slots, long, prefetch->capacity);
    }
    slot->batch = prefetch->plan->batch;
    slot->item = (uint32_t)prefetch->count;
    prefetch->items[prefetch->count].path = RSTRING_PTR(name);
    prefetch->slots[prefetch->count++] = index;
}

/* Adds the task's own file, if it is a file task. */
static void
prefetch_task(rake_prefetch *prefetch, VALUE task, long slot)
{
    const rake_slot *facts = frugal_rake_facts(prefetch->plan, slot);

    if (facts->kind == KIND_FILE && facts->provable_name) add_item(prefetch, slot, frugal_rake_task_name(task));
}

/* Adds the file that the look-up of a prerequisite will stat. Returns the slot of a name without a task, or -1. */
static long
prefetch_prerequisite(rake_prefetch *prefetch, long scope, VALUE name)
{
    VALUE task;
    long slot;

    if (!frugal_rake_lookup_provable_name(name)) return -1;
    task = frugal_rake_lookup_find(prefetch->plan, scope, name);
    if (NIL_P(task)) {
        slot = frugal_rake_leaf_slot(prefetch->plan, name, -1);
        add_item(prefetch, slot, name);
        return slot;
    }
    slot = frugal_rake_facts_slot(prefetch->plan, task);
    if (slot >= 0) prefetch_task(prefetch, task, slot);
    return -1;
}

static void
collect_items(rake_prefetch *prefetch)
{
    for (long i = 0; i < prefetch->task_count; i++) {
        VALUE task = prefetch->tasks[i];
        rake_slot *facts;
        long slot = frugal_rake_facts_slot(prefetch->plan, task), scope, count, first;

        if (slot < 0 || frugal_rake_task_already_invoked(task)) continue;
        facts = frugal_rake_facts(prefetch->plan, slot);
        if (facts->kind != KIND_FILE) continue;
        scope = facts->scope;
        count = facts->count;
        if (scope < 0 || facts->edges != EDGES_UNREAD) continue;
        prefetch_task(prefetch, task, slot);
        first = frugal_rake_facts_reserve_edges(prefetch->plan, count);
        for (long j = 0; j < count; j++) {
            long edge = prefetch_prerequisite(prefetch, scope, frugal_rake_facts_name(task, j));

            prefetch->plan->edges[first + j] = edge;
        }
        prefetch->plan->slots[slot].first_edge = (uint32_t)first;
        prefetch->plan->slots[slot].edges = EDGES_PREFETCHED;
    }
}

static void
prefetch_free(rake_prefetch *prefetch)
{
    xfree(prefetch->items);
    xfree(prefetch->slots);
    xfree(prefetch);
}

void
frugal_rake_prefetch_begin(rake_plan *plan, const VALUE *tasks, long count)
{
    rake_prefetch *prefetch;

    frugal_rake_prefetch_end(plan);
    plan->prefetch = prefetch = ZALLOC(rake_prefetch);
    prefetch->plan = plan;
    prefetch->tasks = tasks;
    prefetch->task_count = count;
    plan->batch++;
    collect_items(prefetch);
    plan->unnamed_batch = plan->batch;
    frugal_probe_batch_prepare(&prefetch->batch, prefetch->items, (size_t)prefetch->count);
    prefetch->batch.interrupted = frugal_probe_interrupted;
    prefetch->batch.host = frugal_probe_copy_thread(&prefetch->thread);
    frugal_probe_batch_start(&prefetch->batch);
}

/* Waits for a slot's answer if it is being prefetched. Returns whether the slot has its answer now. */
bool
frugal_rake_prefetch_take(rake_plan *plan, long index)
{
    rake_prefetch *prefetch = plan->prefetch;
    rake_slot *slot = &plan->slots[index];
    frugal_stat_item *item;

    if (!prefetch || slot->batch != plan->batch || !frugal_probe_batch_wait(&prefetch->batch, slot->item)) return false;
    item = &prefetch->items[slot->item];
    frugal_rake_slots_set_answer(plan, index, item->error, item->mtime);
    return true;
}

/* Ends the thread, and stores the answers that it already has. */
void
frugal_rake_prefetch_end(rake_plan *plan)
{
    rake_prefetch *prefetch = plan->prefetch;

    if (!prefetch) return;
    frugal_probe_batch_finish(&prefetch->batch);
    for (long i = 0; i < prefetch->count; i++) {
        frugal_stat_item *item = &prefetch->items[i];
        long slot = prefetch->slots[i];

        if (item->error != FRUGAL_STAT_PENDING && plan->slots[slot].generation != plan->generation) {
            frugal_rake_slots_set_answer(plan, slot, item->error, item->mtime);
        }
    }
    plan->prefetch = NULL;
    prefetch_free(prefetch);
}
