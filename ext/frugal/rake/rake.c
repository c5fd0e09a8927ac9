/*
 * The methods of Frugal::Native::C::RakePlan, and Init of this folder.
 *
 * A method returns nil if it cannot prove the answer, as for an unusual name or a class that overrides a method. Then
 * the caller uses Rake's own method.
 */
#include "rake/rake.h"

#include "rake/rake_classes.h"
#include "rake/rake_closure.h"
#include "rake/rake_define.h"
#include "rake/rake_end.h"
#include "rake/rake_facts.h"
#include "rake/rake_leaf.h"
#include "rake/rake_lookup.h"
#include "rake/rake_names.h"
#include "rake/rake_plan.h"
#include "rake/rake_resolve.h"
#include "rake/rake_slots.h"
#include "rake/rake_stat.h"
#include "rake/rake_task.h"
#include "rake/rake_walk.h"

static VALUE
plan_restructure(VALUE self)
{
    frugal_rake_leaf_make_tasks(frugal_rake_plan_get(self));
    frugal_rake_plan_restructure(frugal_rake_plan_get(self));
    return Qnil;
}

static VALUE
plan_invalidate(VALUE self)
{
    frugal_rake_leaf_make_tasks(frugal_rake_plan_get(self));
    frugal_rake_stat_invalidate(frugal_rake_plan_get(self));
    return Qnil;
}

static VALUE
plan_set_build_all(VALUE self, VALUE flag)
{
    frugal_rake_plan_get(self)->build_all = RTEST(flag);
    return flag;
}

/* exist?(name) -> the result of File.exist?, from the answers of this generation; nil if Ruby has to ask */
static VALUE
plan_exist_p(VALUE self, VALUE name)
{
    rake_plan *plan = frugal_rake_plan_get(self);
    VALUE task;
    long slot;

    if (!rb_thread_alone() || !frugal_rake_lookup_provable_name(name)) return Qnil;
    task = frugal_rake_lookup_find(plan, 0, name);
    if (!NIL_P(task) && frugal_rake_plan_kind(plan, task) != KIND_FOREIGN) {
        slot = frugal_rake_slots_for_task(plan, task);
    }
    else {
        slot = frugal_rake_slots_register(plan, name);
    }
    return frugal_rake_stat(plan, slot, name) == FILE_PRESENT ? Qtrue : Qfalse;
}

/* plain?(task) -> whether a walk may invoke the task by itself */
static VALUE
plan_plain_p(VALUE self, VALUE task)
{
    enum task_kind kind = frugal_rake_plan_kind(frugal_rake_plan_get(self), task);

    return kind == KIND_FOREIGN || kind == KIND_MULTI ? Qfalse : Qtrue;
}

/* mtime(task) -> Time; false for a missing file; nil if Rake has to ask */
static VALUE
plan_mtime(VALUE self, VALUE task)
{
    rake_plan *plan = frugal_rake_plan_get(self);
    VALUE name;
    long slot;

    if (frugal_rake_plan_kind(plan, task) != KIND_FILE) return Qnil;
    name = frugal_rake_task_name(task);
    if (!frugal_rake_lookup_provable_name(name)) return Qnil;
    slot = frugal_rake_slots_for_task(plan, task);
    switch (frugal_rake_stat(plan, slot, name)) {
    case FILE_PRESENT: return rb_time_timespec_new(&plan->slots[slot].mtime, INT_MAX);
    case FILE_MISSING: return Qfalse;
    default: return Qnil;
    }
}

/* needed?(task) -> true or false; nil if that cannot be proven */
static VALUE
plan_needed_p(VALUE self, VALUE task)
{
    rake_plan *plan = frugal_rake_plan_get(self);

    if (frugal_rake_plan_kind(plan, task) == KIND_FOREIGN) return Qnil;
    return frugal_rake_closure_needed(plan, frugal_rake_slots_for_task(plan, task));
}

/* out_of_date?(task, stamp) -> true or false; nil if that cannot be proven */
static VALUE
plan_out_of_date_p(VALUE self, VALUE task, VALUE stamp)
{
    rake_plan *plan = frugal_rake_plan_get(self);

    if (CLASS_OF(stamp) != rb_cTime || frugal_rake_plan_kind(plan, task) != KIND_FILE) return Qnil;
    return frugal_rake_closure_out_of_date(plan, frugal_rake_slots_for_task(plan, task), rb_time_timespec(stamp));
}

/*
 * RakePlan.adopt(faults_raise): looks up Rake's classes. `faults_raise`: only ENOENT means a missing file (Rake >=
 * 13.1).
 */
static VALUE
plan_adopt(VALUE klass, VALUE faults_raise)
{
    frugal_rake_classes_begin();
    frugal_rake_slots_begin(RTEST(faults_raise));
    frugal_rake_define_begin();
    frugal_rake_task_begin();
    return Qnil;
}

void
frugal_rake_init(VALUE module)
{
    VALUE plan = frugal_rake_plan_define(module);

    frugal_rake_names_init(module);
    frugal_rake_lookup_init();
    frugal_rake_facts_init();
    frugal_rake_task_init(plan);
    frugal_rake_define_init(plan);
    frugal_rake_end_init(plan);
    frugal_rake_resolve_init();
    frugal_rake_walk_init(module);
    rb_define_singleton_method(plan, "adopt", plan_adopt, 1);
    rb_define_method(plan, "invalidate", plan_invalidate, 0);
    rb_define_method(plan, "restructure", plan_restructure, 0);
    rb_define_method(plan, "build_all=", plan_set_build_all, 1);
    rb_define_method(plan, "exist?", plan_exist_p, 1);
    rb_define_method(plan, "plain?", plan_plain_p, 1);
    rb_define_method(plan, "mtime", plan_mtime, 1);
    rb_define_attr(plan, "live", 1, 1);
    rb_define_method(plan, "needed?", plan_needed_p, 1);
    rb_define_method(plan, "out_of_date?", plan_out_of_date_p, 2);
}
