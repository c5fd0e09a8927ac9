/* Finds the prerequisites of a task by their names, all before the first is invoked, as Rake does. */
#include "rake/rake_resolve.h"

#include "methods.h"
#include "rake/rake_classes.h"
#include "rake/rake_define.h"
#include "rake/rake_facts.h"
#include "rake/rake_leaf.h"
#include "rake/rake_lookup.h"
#include "rake/rake_plan.h"
#include "rake/rake_slots.h"
#include "rake/rake_stack.h"
#include "rake/rake_stat.h"
#include "rake/rake_task.h"

/* Rake calls these methods for rules. A redefined method would be code of the program. */
static frugal_core_method called_by_rules[] = { { &rb_cRegexp, "match?" }, { NULL } };

static ID id_rules, id_match_p;

/* Checked once for many tasks: no code of the program runs in the meantime. */
bool
frugal_rake_resolve_definable(void)
{
    return frugal_methods_core_p(called_by_rules) && frugal_rake_define_possible(frugal_rake_file_class);
}

bool
frugal_rake_resolve_rules_match(rake_plan *plan, VALUE name)
{
    VALUE rules = rb_attr_get(plan->application, id_rules);

    if (!RB_TYPE_P(rules, T_ARRAY)) return true;
    for (long i = 0; i < RARRAY_LEN(rules); i++) {
        VALUE rule = RARRAY_AREF(rules, i);
        VALUE pattern = RB_TYPE_P(rule, T_ARRAY) ? rb_ary_entry(rule, 0) : Qtrue;

        if (NIL_P(pattern) || pattern == Qfalse) continue;
        if (CLASS_OF(pattern) != rb_cRegexp || RTEST(rb_funcall(pattern, id_match_p, 1, name))) return true;
    }
    return false;
}

/*
 * Makes the task of a source file, as Rake does when it first looks the name up. Returns Qnil if Rake has to make it.
 */
static VALUE
synthesize(rake_walk *walk, rake_plan *plan, VALUE name, long slot)
{
    VALUE task, tasks = frugal_rake_lookup_tasks(plan);

    if (NIL_P(tasks) || !walk->definable || frugal_rake_resolve_rules_match(plan, name)) return Qnil;
    if (slot < 0) slot = frugal_rake_slots_for_name(plan, name);
    if (frugal_rake_stat(plan, slot, name) != FILE_PRESENT) return Qnil;
    task = frugal_rake_task_create(plan, frugal_rake_file_class, name, rb_ary_new_capa(0));
    rb_hash_aset(tasks, rb_str_new_frozen(name), task);
    plan->unnamed_batch = 0;
    frugal_rake_slots_assign(plan, slot, task);
    return task;
}

/* Whether the last prefetch looked up the name of a leaf, and no task was made since then. */
static bool
without_task_p(rake_walk *walk, rake_plan *plan, long slot)
{
    if (slot < 0 || !walk->leaves) return false;
    return plan->slots[slot].leaf || (plan->unnamed_batch && plan->slots[slot].batch == plan->unnamed_batch);
}

/* The slot of a source file that needs no task yet, or -1. `slot` is that of the name, or -1. */
static long
find_leaf(rake_walk *walk, rake_plan *plan, VALUE name, long slot)
{
    if (!walk->definable || NIL_P(frugal_rake_lookup_tasks(plan))) return -1;
    if (!without_task_p(walk, plan, slot)) slot = frugal_rake_leaf_slot(plan, name, slot);
    if (plan->slots[slot].leaf) return slot;
    if (frugal_rake_resolve_rules_match(plan, name) || frugal_rake_stat(plan, slot, name) != FILE_PRESENT) return -1;
    frugal_rake_leaf_add(plan, slot);
    return slot;
}

/* The task of a prerequisite, or the entry of a leaf. Qnil if Rake has to look it up. */
static VALUE
find_prerequisite(rake_walk *walk, rake_plan *plan, long scope, VALUE name, long slot)
{
    VALUE task = without_task_p(walk, plan, slot) ? Qnil : frugal_rake_lookup_find(plan, scope, name);

    if (!NIL_P(task)) return task;
    if (walk->leaves && !plan->leaf_count) walk->leaves = frugal_rake_leaf_possible(plan);
    if (scope > 0 || !walk->leaves) return synthesize(walk, plan, name, slot);
    slot = find_leaf(walk, plan, name, slot);
    return slot < 0 ? Qnil : LEAF_ENTRY(slot);
}

bool
frugal_rake_resolve(rake_walk *walk, rake_plan *plan)
{
    rake_frame *frame = frugal_rake_walk_top(walk);
    VALUE names = frame->names, task = frame->task;
    long count = frugal_rake_task_count(names), scope;

    if (frame->found == count) return true;
    scope = frugal_rake_facts(plan, frame->slot)->scope;
    if (walk->stock_only || scope < 0) return false;
    if (scope > 0) frugal_rake_leaf_make_tasks(plan);
    while (frame->found < count) {
        VALUE name = rb_ary_entry(names, frame->found), prerequisite;
        long slot = frugal_rake_facts_prefetched(plan, frame->slot, frame->found);

        if (!without_task_p(walk, plan, slot) && !frugal_rake_lookup_provable_name(name)) return false;
        prerequisite = find_prerequisite(walk, plan, scope, name, slot);
        if (NIL_P(prerequisite) || prerequisite == task) return false;
        frugal_rake_walk_add_found(walk, prerequisite);
    }
    frugal_rake_facts_set_edges(plan, frame->slot, walk->found + frame->first, count);
    return true;
}

void
frugal_rake_resolve_init(void)
{
    id_rules = rb_intern("@rules");
    id_match_p = rb_intern("match?");
}
