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

/* The task that a prerequisite's name means to its dependent; nil: unproven. */
static VALUE
prerequisite(rake_plan *plan, VALUE task, long index)
{
    VALUE name = rake_task_names_entry(task, index);
    VALUE found;
    long scope;

    if (!rake_plan_provable_name(name)) return Qnil;
    scope = rake_plan_scope_id(plan, rake_task_scope(task));
    if (scope < 0) return Qnil;
    found = rake_plan_find(plan, scope, name);
    return found == task ? Qnil : found;
}

/* Rake looks a task of the closure up again, by name, from the root's scope. */
static bool
found_from(rake_plan *plan, long scope, VALUE task)
{
    VALUE name = rake_task_name(task);

    return rake_plan_provable_name(name) && rake_plan_find(plan, scope, name) == task;
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

    closure->structure_generation = plan->generation;
    closure->structure = STRUCTURE_OPEN;
    visit_push(plan, slot);
}

static bool
structure_proven(rake_plan *plan, long scope, long root)
{
    rake_closure *closure = closure_at(plan, scope, root);

    if (closure->structure_generation == plan->generation) return closure->structure == STRUCTURE_PROVEN;
    plan->visit_count = 0;
    structure_open(plan, scope, root);
    while (plan->visit_count) {
        rake_visit *visit = &plan->visits[plan->visit_count - 1];
        VALUE task = plan->slots[visit->slot].owner;
        VALUE behind;
        long slot;

        if (visit->next >= rake_task_names_count(task)) {
            if (rake_task_names_count(task) < 0) return structure_fails(plan, scope);
            closure_at(plan, scope, visit->slot)->structure = STRUCTURE_PROVEN;
            plan->visit_count--;
            continue;
        }
        behind = prerequisite(plan, task, visit->next++);
        if (NIL_P(behind) || rake_plan_kind(plan, behind) == KIND_STRANGER || !found_from(plan, scope, behind)) {
            return structure_fails(plan, scope);
        }
        slot = rake_plan_slot(plan, behind);
        closure = closure_at(plan, scope, slot);
        if (closure->structure_generation != plan->generation) {
            structure_open(plan, scope, slot);
        } else if (closure->structure != STRUCTURE_PROVEN) { /* a circle, or known to be odd */
            return structure_fails(plan, scope);
        }
    }
    return true;
}

/* What a task's own timestamp adds to the set of times. */
static uint8_t
own_time(rake_plan *plan, VALUE task, long slot)
{
    switch (rake_plan_kind(plan, task)) {
      case KIND_CREATION: return 0; /* EARLY is later than nothing */
      case KIND_FILE: break;
      default: return TIME_PLAIN;
    }
    switch (rake_plan_stat(plan, slot, rake_task_name(task))) {
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

static void
times_open(rake_plan *plan, long scope, long slot)
{
    rake_closure *closure = closure_at(plan, scope, slot);

    closure->time_generation = plan->generation;
    closure->times = 0;
    visit_push(plan, slot);
}

/* Only over a proven structure: it has no circle and every look-up succeeds. */
static rake_closure *
closure_times(rake_plan *plan, long scope, long root)
{
    rake_closure *closure = closure_at(plan, scope, root);

    if (closure->time_generation == plan->generation) return closure;
    plan->visit_count = 0;
    times_open(plan, scope, root);
    while (plan->visit_count) {
        rake_visit *visit = &plan->visits[plan->visit_count - 1];
        VALUE task = plan->slots[visit->slot].owner;
        VALUE behind;
        long slot;

        if (visit->next >= rake_task_names_count(task)) {
            plan->visit_count--;
            continue;
        }
        behind = prerequisite(plan, task, visit->next);
        slot = rake_plan_slot(plan, behind);
        if (closure_at(plan, scope, slot)->time_generation != plan->generation) {
            times_open(plan, scope, slot); /* and come back to the same prerequisite */
            continue;
        }
        visit->next++;
        closure = closure_at(plan, scope, visit->slot);
        add_time(closure, own_time(plan, behind, slot), plan->slots[slot].mtime);
        add_time(closure, closure_at(plan, scope, slot)->times, closure_at(plan, scope, slot)->latest);
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
 * link from asking its whole length each time.
 */
static VALUE
front_out_of_date(rake_plan *plan, VALUE task, struct timespec stamp)
{
    long count = rake_task_names_count(task);

    for (long i = 0; i < count; i++) {
        VALUE behind = prerequisite(plan, task, i);
        long slot = rake_plan_slot(plan, behind);
        uint8_t times = own_time(plan, behind, slot);

        if (times & TIME_FAULT) return Qnil;
        if (later_than(times, plan->slots[slot].mtime, stamp)) return Qtrue;
        if (rake_task_names_count(behind)) break;
    }
    return Qfalse;
}

VALUE
rake_closure_out_of_date(rake_plan *plan, VALUE task, struct timespec stamp)
{
    long scope = rake_plan_scope_id(plan, rake_task_scope(task));
    long slot = rake_plan_slot(plan, task);
    rake_closure *closure;
    VALUE front;

    if (plan->build_all || scope < 0 || !structure_proven(plan, scope, slot)) return Qnil;
    front = front_out_of_date(plan, task, stamp);
    if (front != Qfalse) return front;
    closure = closure_times(plan, scope, slot);
    if (closure->times & TIME_FAULT) return Qnil;
    return later_than(closure->times, closure->latest, stamp) ? Qtrue : Qfalse;
}

VALUE
rake_closure_needed(rake_plan *plan, VALUE task, enum task_kind kind)
{
    VALUE name = rake_task_name(task);
    long slot, scope;

    if (kind == KIND_TASK || kind == KIND_MULTI) return Qtrue;
    if (kind == KIND_STRANGER || !rake_plan_provable_name(name)) return Qnil;
    slot = rake_plan_slot(plan, task);
    switch (rake_plan_stat(plan, slot, name)) {
      case FILE_PRESENT: break;
      case FILE_MISSING: return Qtrue;
      default: return kind == KIND_CREATION ? Qtrue : Qnil;
    }
    if (kind == KIND_CREATION) return Qfalse;
    if (plan->build_all) {
        scope = rake_plan_scope_id(plan, rake_task_scope(task));
        return scope >= 0 && structure_proven(plan, scope, slot) ? Qtrue : Qnil;
    }
    return rake_closure_out_of_date(plan, task, plan->slots[slot].mtime);
}
