/* Finds the prerequisites of a task by their names, all before the first is invoked, as Rake does. */
#include "rake/rake_resolve.h"

#include "rake/rake_define.h"
#include "rake/rake_facts.h"
#include "rake/rake_lookup.h"
#include "rake/rake_plan.h"
#include "rake/rake_slots.h"
#include "rake/rake_stack.h"
#include "rake/rake_stat.h"
#include "rake/rake_task.h"

static ID id_rules, id_match_p;

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

/* Makes the task of a source file, as Rake does when it first looks the name up. Qnil where Rake has to. */
static VALUE
synthesize(rake_plan *plan, VALUE name, long slot)
{
    VALUE task, tasks = frugal_rake_lookup_tasks(plan);

    if (NIL_P(tasks) || !frugal_rake_define_possible() || frugal_rake_resolve_rules_match(plan, name)) return Qnil;
    if (slot < 0) slot = frugal_rake_slots_for_name(plan, name);
    if (frugal_rake_stat(plan, slot, name) != FILE_PRESENT) return Qnil;
    task = frugal_rake_task_create(plan, frugal_rake_file_class, name);
    rb_hash_aset(tasks, rb_str_new_frozen(name), task);
    frugal_rake_slots_assign(plan, slot, task);
    frugal_rake_facts_set_leaf(plan, slot, task);
    return task;
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
    while (frame->found < count) {
        VALUE name = rb_ary_entry(names, frame->found), prerequisite;

        if (!frugal_rake_lookup_provable_name(name)) return false;
        prerequisite = frugal_rake_lookup_find(plan, scope, name);
        if (NIL_P(prerequisite)) {
            prerequisite = synthesize(plan, name, frugal_rake_facts_prefetched(plan, frame->slot, frame->found));
        }
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
