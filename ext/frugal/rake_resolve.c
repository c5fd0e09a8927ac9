/* Finds a task's prerequisites by their names, all before the first is invoked, as Rake does. */
#include "rake.h"

static ID id_rules, id_match_p;

bool
rake_resolve_rules_match(rake_plan *plan, VALUE name)
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

/* The task of a leaf file: Rake makes it when the name is first looked up. */
static VALUE
synthesize(rake_plan *plan, VALUE name, long slot)
{
    VALUE task, tasks = rake_plan_tasks(plan);

    if (NIL_P(tasks) || !rake_task_definable() || rake_resolve_rules_match(plan, name)) return Qnil;
    if (slot < 0) slot = rake_slots_named(plan, name);
    if (rake_plan_stat(plan, slot, name) != FILE_PRESENT) return Qnil;
    task = rake_task_create(plan, rake_file_class, name);
    rb_hash_aset(tasks, rb_str_new_frozen(name), task);
    rake_slots_give(plan, slot, task);
    rake_facts_leaf(plan, slot, task);
    return task;
}

bool
rake_resolve(rake_walk *walk, rake_plan *plan)
{
    rake_frame *frame = rake_walk_top(walk);
    VALUE names = frame->names, task = frame->task;
    long count = rake_names_count(names), scope;

    if (frame->found == count) return true;
    scope = rake_facts(plan, frame->slot)->scope;
    if (walk->distrusted || scope < 0) return false;
    while (frame->found < count) {
        VALUE name = rb_ary_entry(names, frame->found), behind;

        if (!rake_plan_provable_name(name)) return false;
        behind = rake_plan_find(plan, scope, name);
        if (NIL_P(behind)) behind = synthesize(plan, name, rake_facts_foreseen(plan, frame->slot, frame->found));
        if (NIL_P(behind) || behind == task) return false;
        rake_walk_add_found(walk, behind);
    }
    rake_facts_found(plan, frame->slot, walk->found + frame->first, count);
    return true;
}

void
rake_resolve_init(void)
{
    id_rules = rb_intern("@rules");
    id_match_p = rb_intern("match?");
}
