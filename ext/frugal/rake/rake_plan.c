/*
 * Frugal::Native::C::RakePlan: the tasks and files of one Rake application. Its answers are valid until user code runs.
 *
 * Each name of a file has a slot with the answer of one stat(2), and the generation of that call (rake_slots.c). User
 * code may change any file, so `invalidate` starts a new generation; older answers are never used.
 *
 *   slots     [ "a.o" task | "a.c" task | "b.c" no task | ... ]   one for each name
 *   edges     [ 1 2 | ... ]            slots of the prerequisites of slot 0, then of others
 *   closures  closures[scope][slot]    the result for all prerequisites, per scope
 */
#include "rake/rake_plan.h"

#include "rake/rake_classes.h"
#include "rake/rake_closure.h"
#include "rake/rake_leaf.h"
#include "rake/rake_slots.h"
#include "rake/rake_task.h"

static void
plan_mark(void *data)
{
    rake_plan *plan = data;

    rb_gc_mark_movable(plan->application);
    rb_gc_mark_movable(plan->tasks);
    rb_gc_mark_movable(plan->names);
    rb_gc_mark_movable(plan->owners);
    rb_gc_mark_movable(plan->indexes);
    rb_gc_mark_movable(plan->scopes);
    rb_gc_mark_movable(plan->scope_ids);
    rb_gc_mark_movable(plan->scope_prefixes);
}

static void
plan_compact(void *data)
{
    rake_plan *plan = data;

    plan->self = rb_gc_location(plan->self);
    plan->application = rb_gc_location(plan->application);
    plan->tasks = rb_gc_location(plan->tasks);
    plan->names = rb_gc_location(plan->names);
    plan->owners = rb_gc_location(plan->owners);
    plan->indexes = rb_gc_location(plan->indexes);
    plan->scopes = rb_gc_location(plan->scopes);
    plan->scope_ids = rb_gc_location(plan->scope_ids);
    plan->scope_prefixes = rb_gc_location(plan->scope_prefixes);
}

static void
plan_free(void *data)
{
    rake_plan *plan = data;

    for (long i = 0; i < plan->scope_count; i++) xfree(plan->closures[i]);
    xfree(plan->closures);
    xfree(plan->slots);
    xfree(plan->edges);
    xfree(plan->visits);
    frugal_rake_leaf_free(plan);
    xfree(plan);
}

static size_t
plan_size(const void *data)
{
    const rake_plan *plan = data;

    return sizeof(*plan) + plan->slot_capacity * sizeof(rake_slot) +
           plan->scope_count * (sizeof(*plan->closures) + plan->closure_capacity * sizeof(rake_closure)) +
           plan->edge_capacity * sizeof(*plan->edges) + plan->visit_capacity * sizeof(rake_visit) +
           frugal_rake_leaf_size(plan);
}

const rb_data_type_t frugal_rake_plan_type = {
    .wrap_struct_name = "Frugal::RakePlan",
    .function = { plan_mark, plan_free, plan_size, plan_compact },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE
plan_allocate(VALUE klass)
{
    rake_plan *plan;
    VALUE self = TypedData_Make_Struct(klass, rake_plan, &frugal_rake_plan_type, plan);

    plan->application = plan->tasks = plan->names = plan->owners = Qnil;
    plan->indexes = plan->scopes = plan->scope_ids = plan->scope_prefixes = Qnil;
    plan->generation = plan->structure = 1;
    return self;
}

/* RakePlan.new(application) */
static VALUE
plan_initialize(VALUE self, VALUE application)
{
    rake_plan *plan = frugal_rake_plan_get(self);

    plan->self = self;
    RB_OBJ_WRITE(self, &plan->application, application);
    RB_OBJ_WRITE(self, &plan->names, rb_hash_new());
    RB_OBJ_WRITE(self, &plan->owners, rb_ary_new());
    RB_OBJ_WRITE(self, &plan->indexes, rb_funcall(rb_hash_new(), rb_intern("compare_by_identity"), 0));
    RB_OBJ_WRITE(self, &plan->scopes, rb_funcall(rb_hash_new(), rb_intern("compare_by_identity"), 0));
    RB_OBJ_WRITE(self, &plan->scope_ids, rb_hash_new());
    RB_OBJ_WRITE(self, &plan->scope_prefixes, rb_ary_new());
    return self;
}

/*
 * A task with a singleton class (an override, an extension) is foreign. So is a frozen
 * task: it cannot be invoked, and Rake raises its own error.
 */
enum task_kind
frugal_rake_plan_kind(rake_plan *plan, VALUE task)
{
    VALUE klass;

    if (SPECIAL_CONST_P(task) || RB_OBJ_FROZEN(task)) return KIND_FOREIGN;
    klass = CLASS_OF(task);
    if (klass != frugal_rake_file_class && klass != frugal_rake_task_class && klass != frugal_rake_creation_class &&
        klass != frugal_rake_multi_class) {
        return KIND_FOREIGN;
    }
    if (frugal_rake_task_application(task) != plan->application) return KIND_FOREIGN;
    if (klass == frugal_rake_file_class) return KIND_FILE;
    if (klass == frugal_rake_task_class) return KIND_TASK;
    return klass == frugal_rake_creation_class ? KIND_CREATION : KIND_MULTI;
}

/* Invalidates all facts about tasks, since Ruby code may have changed tasks. The answers about files stay valid. */
void
frugal_rake_plan_restructure(rake_plan *plan)
{
    if (++plan->structure == 0) rb_raise(rb_eRuntimeError, "frugal: over 4,294,967,295 changes in one Rake run");
    plan->edge_count = 0;
}

/* The class RakePlan, without its methods. */
VALUE
frugal_rake_plan_define(VALUE module)
{
    VALUE plan = rb_define_class_under(module, "RakePlan", rb_cObject);

    rb_define_alloc_func(plan, plan_allocate);
    rb_define_method(plan, "initialize", plan_initialize, 1);
    return plan;
}
