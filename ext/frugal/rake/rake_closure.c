/*
 * Whether a file is older than any of its direct or indirect prerequisites (its
 * closure).
 *
 * Rake visits the closure of each task again, which takes O(V * E) for a graph. Here
 * the result of each task is stored for a generation (see rake_plan.c), so a build in
 * which nothing runs takes O(V + E) and one stat(2) per file.
 *
 * There are two depth-first searches. They use an explicit stack, since a graph may
 * be deeper than a thread's stack:
 *   structure  proves that each prerequisite is a task with known behaviour, that
 *              a look-up from this scope finds it, and that there is no circle
 *   times      collects the times of these tasks
 * No Ruby code runs in either search.
 */
#include "rake/rake_closure.h"

#include <string.h>

#include "rake/rake_facts.h"
#include "rake/rake_lookup.h"
#include "rake/rake_plan.h"
#include "rake/rake_slots.h"
#include "rake/rake_stat.h"
#include "rake/rake_task.h"

/* OPEN: the search is below this task. */
enum { STRUCTURE_OPEN = 1, STRUCTURE_PROVEN, STRUCTURE_UNPROVEN };

/*
 * The times that a closure contains: NOW for a task without a file (the current time), MISSING for a missing file
 * (later than any other time), FAULT for a time that the kernel did not report, FILE for a file's time.
 */
enum { TIME_NOW = 1, TIME_MISSING = 2, TIME_FAULT = 4, TIME_FILE = 8 };

static inline bool
later(struct timespec a, struct timespec b)
{
    return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

/* The closure of a slot in a scope, in a table that grows on demand. */
static rake_closure *
closure_at(rake_plan *plan, long scope, long slot)
{
    if (slot >= plan->closure_capacity) {
        long capacity = plan->slot_capacity;

        for (long i = 0; i < plan->scope_count; i++) {
            REALLOC_N(plan->closures[i], rake_closure, capacity);
            memset(plan->closures[i] + plan->closure_capacity, 0,
                   (capacity - plan->closure_capacity) * sizeof(rake_closure));
        }
        plan->closure_capacity = capacity;
    }
    while (scope >= plan->scope_count) {
        REALLOC_N(plan->closures, rake_closure *, plan->scope_count + 1);
        plan->closures[plan->scope_count] = ZALLOC_N(rake_closure, plan->closure_capacity);
        plan->scope_count++;
    }
    return &plan->closures[scope][slot];
}

static void
visit_push(rake_plan *plan, long slot)
{
    if (plan->visit_count == plan->visit_capacity) {
        long capacity = plan->visit_capacity ? plan->visit_capacity * 2 : 256;

        REALLOC_N(plan->visits, rake_visit, capacity);
        plan->visit_capacity = capacity;
    }
    plan->visits[plan->visit_count++] = (rake_visit){ .slot = slot, .next = 0 };
}

/*
 * Whether a look-up of the task's name finds this task. Rake looks up all names of a closure in the root task's scope.
 */
static bool
found_by_name(rake_plan *plan, long scope, long slot)
{
    const rake_slot *facts = frugal_rake_facts(plan, slot);
    VALUE task;

    if (!facts->provable_name) return false;
    if (facts->found_from_root && scope == 0) return true;
    task = frugal_rake_slots_owner(plan, slot);
    return frugal_rake_lookup_find(plan, scope, frugal_rake_task_name(task)) == task;
}

/* Marks all tasks on the stack. */
static bool
structure_fails(rake_plan *plan, long scope)
{
    while (plan->visit_count) {
        closure_at(plan, scope, plan->visits[--plan->visit_count].slot)->structure = STRUCTURE_UNPROVEN;
    }
    return false;
}

static void
structure_open(rake_plan *plan, long scope, long slot)
{
    rake_closure *closure = closure_at(plan, scope, slot);

    closure->structure_generation = plan->structure;
    closure->structure = STRUCTURE_OPEN;
    visit_push(plan, slot);
}

static bool
structure_proven(rake_plan *plan, long scope, long root)
{
    rake_closure *closure = closure_at(plan, scope, root);

    if (closure->structure_generation == plan->structure) return closure->structure == STRUCTURE_PROVEN;
    plan->visit_count = 0;
    structure_open(plan, scope, root);
    while (plan->visit_count) {
        rake_visit *visit = &plan->visits[plan->visit_count - 1];
        long slot = visit->slot;

        if (!frugal_rake_facts_read_edges(plan, slot)) return structure_fails(plan, scope);
        if (visit->next == plan->slots[slot].count) {
            closure_at(plan, scope, slot)->structure = STRUCTURE_PROVEN;
            plan->visit_count--;
            continue;
        }
        slot = plan->edges[plan->slots[slot].first_edge + visit->next++];
        if (frugal_rake_facts(plan, slot)->kind == KIND_FOREIGN || !found_by_name(plan, scope, slot)) {
            return structure_fails(plan, scope);
        }
        closure = closure_at(plan, scope, slot);
        if (closure->structure_generation != plan->structure) {
            structure_open(plan, scope, slot);
        }
        else if (closure->structure != STRUCTURE_PROVEN) { /* a circle, or unproven before */
            return structure_fails(plan, scope);
        }
    }
    return true;
}

/*
 * Whether the structure is proven because no prerequisite has prerequisites itself. Most tasks are like that, and need
 * no element of the table.
 */
static bool
shallow_structure_proven(rake_plan *plan, long scope, long root)
{
    if (!frugal_rake_facts_read_edges(plan, root)) return false;
    for (long i = 0; i < plan->slots[root].count; i++) {
        long edge = plan->edges[plan->slots[root].first_edge + i];
        const rake_slot *facts = frugal_rake_facts(plan, edge);

        if (facts->kind == KIND_FOREIGN || facts->count != 0 || facts->scope < 0) return false;
        if (!found_by_name(plan, scope, edge)) return false;
    }
    return true;
}

/* The set of times of a task itself, without its prerequisites. */
static uint8_t
own_times(rake_plan *plan, long index)
{
    rake_slot *slot = frugal_rake_facts(plan, index);

    switch (slot->kind) {
    case KIND_CREATION: return 0; /* its time is Rake::EARLY, which is never later than another time */
    case KIND_FILE: break;
    default: return TIME_NOW;
    }
    switch (frugal_rake_stat_owner(plan, index)) {
    case FILE_PRESENT: return TIME_FILE;
    case FILE_MISSING: return TIME_MISSING;
    default: return TIME_FAULT;
    }
}

static void
add_time(rake_closure *closure, uint8_t times, struct timespec latest)
{
    if ((times & TIME_FILE) && (!(closure->times & TIME_FILE) || later(latest, closure->latest))) {
        closure->latest = latest;
    }
    closure->times |= times;
}

static bool
times_valid(rake_plan *plan, const rake_closure *closure)
{
    return closure->time_generation == plan->generation && closure->time_structure == plan->structure;
}

static void
times_open(rake_plan *plan, long scope, long slot)
{
    rake_closure *closure = closure_at(plan, scope, slot);

    closure->time_generation = plan->generation;
    closure->time_structure = plan->structure;
    closure->times = 0;
    visit_push(plan, slot);
}

/* Requires a proven structure: all edges are read, and there is no circle. */
static rake_closure *
closure_times(rake_plan *plan, long scope, long root)
{
    if (times_valid(plan, closure_at(plan, scope, root))) return closure_at(plan, scope, root);
    plan->visit_count = 0;
    times_open(plan, scope, root);
    while (plan->visit_count) {
        rake_visit *visit = &plan->visits[plan->visit_count - 1];
        rake_slot *slot = &plan->slots[visit->slot];
        rake_closure *closure, *prerequisite;
        long edge;

        if (visit->next == slot->count) {
            plan->visit_count--;
            continue;
        }
        edge = plan->edges[slot->first_edge + visit->next];
        prerequisite = closure_at(plan, scope, edge);
        if (!times_valid(plan, prerequisite)) {
            times_open(plan, scope, edge); /* then come back to the same prerequisite */
            continue;
        }
        visit->next++;
        closure = closure_at(plan, scope, visit->slot);
        add_time(closure, own_times(plan, edge), plan->slots[edge].mtime);
        add_time(closure, prerequisite->times, prerequisite->latest);
    }
    return closure_at(plan, scope, root);
}

/* Whether one of the times is later than the stamp. The current time is also compared: a stamp may be in the future. */
static bool
out_of_date_by(uint8_t times, struct timespec latest, struct timespec stamp)
{
    if (times & TIME_MISSING) return true;
    if ((times & TIME_FILE) && later(latest, stamp)) return true;
    return (times & TIME_NOW) && later(rb_time_timespec(rb_funcall(rb_cTime, rb_intern("now"), 0)), stamp);
}

/*
 * Rake stops at the first later time. So the first prerequisites are checked one by one, up to and including the first
 * that has prerequisites itself. This avoids searching a chain to its end for each of its tasks while it is rebuilt.
 * Returns Qundef if all of these are older; then `complete` is whether they are the complete closure.
 */
static VALUE
early_answer(rake_plan *plan, long root, struct timespec stamp, bool *complete)
{
    *complete = true;
    for (long i = 0; i < plan->slots[root].count; i++) {
        long edge = plan->edges[plan->slots[root].first_edge + i];
        uint8_t times = own_times(plan, edge);

        if (times & TIME_FAULT) return Qnil;
        if (out_of_date_by(times, plan->slots[edge].mtime, stamp)) return Qtrue;
        if (plan->slots[edge].count) {
            *complete = false;
            break;
        }
    }
    return Qundef;
}

/* Returns Qtrue or Qfalse; Qnil if the answer cannot be proven. */
VALUE
frugal_rake_closure_out_of_date(rake_plan *plan, long slot, struct timespec stamp)
{
    long scope = frugal_rake_facts(plan, slot)->scope;
    rake_closure *closure;
    VALUE early;
    bool complete;

    if (plan->build_all || scope < 0) return Qnil;
    if (!shallow_structure_proven(plan, scope, slot) && !structure_proven(plan, scope, slot)) return Qnil;
    early = early_answer(plan, slot, stamp, &complete);
    if (early != Qundef) return early;
    if (complete) return Qfalse;
    closure = closure_times(plan, scope, slot);
    if (closure->times & TIME_FAULT) return Qnil;
    return out_of_date_by(closure->times, closure->latest, stamp) ? Qtrue : Qfalse;
}

/* Returns Qtrue or Qfalse; Qnil if the answer cannot be proven. */
VALUE
frugal_rake_closure_needed(rake_plan *plan, long index)
{
    rake_slot *slot = frugal_rake_facts(plan, index);

    switch (slot->kind) {
    case KIND_TASK:
    case KIND_MULTI: return Qtrue;
    case KIND_FOREIGN: return Qnil;
    default: break;
    }
    if (!slot->provable_name) return Qnil;
    switch (frugal_rake_stat_owner(plan, index)) {
    case FILE_PRESENT: break;
    case FILE_MISSING: return Qtrue;
    default: return slot->kind == KIND_CREATION ? Qtrue : Qnil;
    }
    if (slot->kind == KIND_CREATION) return Qfalse;
    if (plan->build_all) {
        return slot->scope >= 0 && structure_proven(plan, slot->scope, index) ? Qtrue : Qnil;
    }
    return frugal_rake_closure_out_of_date(plan, index, slot->mtime);
}
