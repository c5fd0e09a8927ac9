/*
 * Is a file older than anything behind it?
 *
 * Rake asks the whole closure of a task for its times, for each task anew:
 * O(V * E) questions for a graph. Here the answer of each task is kept for a
 * generation (see rake_plan.c), so a build in which nothing runs costs
 * O(V + E) and one stat(2) a file.
 *
 * Two depth-first searches, on a stack of our own (graphs are deep, a thread's
 * stack is not): the first proves that every task behind is one whose
 * behaviour we know and that a look-up from this scope finds that very task;
 * the second gathers times. No Ruby code runs in either.
 */
#include "rake.h"
#include <string.h>

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

/* Rake looks each task of the closure up again, by its name, from the root's scope. */
static bool
found_from(rake_plan *plan, long scope, long slot)
{
    const rake_slot *facts = rake_facts(plan, slot);
    VALUE task;

    if (!facts->named) return false;
    if (facts->in_root && scope == 0) return true;
    task = rake_slots_owner(plan, slot);
    return rake_plan_find(plan, scope, rake_task_name(task)) == task;
}

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

        if (!rake_facts_edges(plan, slot)) return structure_fails(plan, scope);
        if (visit->next == plan->slots[slot].count) {
            closure_at(plan, scope, slot)->structure = STRUCTURE_PROVEN;
            plan->visit_count--;
            continue;
        }
        slot = plan->edges[plan->slots[slot].first_edge + visit->next++];
        if (rake_facts(plan, slot)->kind == KIND_STRANGER || !found_from(plan, scope, slot)) {
            return structure_fails(plan, scope);
        }
        closure = closure_at(plan, scope, slot);
        if (closure->structure_generation != plan->structure) {
            structure_open(plan, scope, slot);
        } else if (closure->structure != STRUCTURE_PROVEN) { /* a circle, or known to be odd */
            return structure_fails(plan, scope);
        }
    }
    return true;
}

/* What a task's own timestamp adds to the set of times. */
static uint8_t
own_time(rake_plan *plan, long index)
{
    rake_slot *slot = rake_facts(plan, index);

    switch (slot->kind) {
      case KIND_CREATION: return 0; /* EARLY is later than nothing */
      case KIND_FILE: break;
      default: return TIME_PLAIN;
    }
    switch (rake_plan_stat_owner(plan, index)) {
      case FILE_PRESENT: return TIME_ANY;
      case FILE_MISSING: return TIME_LATE;
      default: return TIME_FAULT;
    }
}

static void
add_time(rake_closure *closure, uint8_t times, struct timespec latest)
{
    if ((times & TIME_ANY) && (!(closure->times & TIME_ANY) || rake_later(latest, closure->latest))) {
        closure->latest = latest;
    }
    closure->times |= times;
}

static bool
times_known(rake_plan *plan, const rake_closure *closure)
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

/* Only over a proven structure: it has no circle and all edges are read. */
static rake_closure *
closure_times(rake_plan *plan, long scope, long root)
{
    if (times_known(plan, closure_at(plan, scope, root))) return closure_at(plan, scope, root);
    plan->visit_count = 0;
    times_open(plan, scope, root);
    while (plan->visit_count) {
        rake_visit *visit = &plan->visits[plan->visit_count - 1];
        rake_slot *slot = &plan->slots[visit->slot];
        rake_closure *closure, *behind;
        long edge;

        if (visit->next == slot->count) {
            plan->visit_count--;
            continue;
        }
        edge = plan->edges[slot->first_edge + visit->next];
        behind = closure_at(plan, scope, edge);
        if (!times_known(plan, behind)) {
            times_open(plan, scope, edge); /* and come back to the same prerequisite */
            continue;
        }
        visit->next++;
        closure = closure_at(plan, scope, visit->slot);
        add_time(closure, own_time(plan, edge), plan->slots[edge].mtime);
        add_time(closure, behind->times, behind->latest);
    }
    return closure_at(plan, scope, root);
}

/* A plain task's time is now: later than all but a file from the future. */
static bool
later_than(uint8_t times, struct timespec latest, struct timespec stamp)
{
    if (times & TIME_LATE) return true;
    if ((times & TIME_ANY) && rake_later(latest, stamp)) return true;
    return (times & TIME_PLAIN) && rake_later(rb_time_timespec(rb_funcall(rb_cTime, rb_intern("now"), 0)), stamp);
}

/*
 * Rake stops at the first later time. Asking the prerequisites in front, as
 * far as nothing stands behind them, keeps a chain that is rebuilt link by
 * link from asking its whole length each time. Qundef: all of these are older,
 * and `whole` says whether that was the whole closure.
 */
static VALUE
front_out_of_date(rake_plan *plan, long root, struct timespec stamp, bool *whole)
{
    *whole = true;
    for (long i = 0; i < plan->slots[root].count; i++) {
        long edge = plan->edges[plan->slots[root].first_edge + i];
        uint8_t times = own_time(plan, edge);

        if (times & TIME_FAULT) return Qnil;
        if (later_than(times, plan->slots[edge].mtime, stamp)) return Qtrue;
        if (plan->slots[edge].count) {
            *whole = false;
            break;
        }
    }
    return Qundef;
}

VALUE
rake_closure_out_of_date(rake_plan *plan, long slot, struct timespec stamp)
{
    long scope = rake_facts(plan, slot)->scope;
    rake_closure *closure;
    VALUE front;
    bool whole;

    if (plan->build_all || scope < 0 || !structure_proven(plan, scope, slot)) return Qnil;
    front = front_out_of_date(plan, slot, stamp, &whole);
    if (front != Qundef) return front;
    if (whole) return Qfalse;
    closure = closure_times(plan, scope, slot);
    if (closure->times & TIME_FAULT) return Qnil;
    return later_than(closure->times, closure->latest, stamp) ? Qtrue : Qfalse;
}

VALUE
rake_closure_needed(rake_plan *plan, long index)
{
    rake_slot *slot = rake_facts(plan, index);

    switch (slot->kind) {
      case KIND_TASK:
      case KIND_MULTI: return Qtrue;
      case KIND_STRANGER: return Qnil;
      default: break;
    }
    if (!slot->named) return Qnil;
    switch (rake_plan_stat_owner(plan, index)) {
      case FILE_PRESENT: break;
      case FILE_MISSING: return Qtrue;
      default: return slot->kind == KIND_CREATION ? Qtrue : Qnil;
    }
    if (slot->kind == KIND_CREATION) return Qfalse;
    if (plan->build_all) {
        return slot->scope >= 0 && structure_proven(plan, slot->scope, index) ? Qtrue : Qnil;
    }
    return rake_closure_out_of_date(plan, index, slot->mtime);
}
