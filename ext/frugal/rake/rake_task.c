/*
 * Reads the instance variables of Rake's tasks, and makes tasks.
 *
 * A task made here has exactly the instance variables that Task.new sets, with the
 * same kinds of values: its own Arrays and a Monitor. Any Ruby code may read them (a
 * singleton method, a refinement, a method of Object, reflection), so none may be
 * omitted or shared. What else this folder stores about a task is in the plan.
 */
#include "rake/rake_task.h"

#include "rake/rake_plan.h"

ID frugal_rake_id_already_invoked, frugal_rake_id_invocation_exception;
static ID id_name, id_prerequisites, id_order_only, id_actions, id_scope, id_comments, id_lock, id_locations,
    id_application, id_arg_names, id_union;
VALUE frugal_rake_monitor_class;
static bool classes_intact;

VALUE
frugal_rake_task_prerequisites(VALUE task)
{
    return rb_attr_get(task, id_prerequisites);
}

VALUE
frugal_rake_task_order_only(VALUE task)
{
    return rb_attr_get(task, id_order_only);
}

VALUE
frugal_rake_task_actions(VALUE task)
{
    return rb_attr_get(task, id_actions);
}

long
frugal_rake_task_count(VALUE names)
{
    return RB_TYPE_P(names, T_ARRAY) ? RARRAY_LEN(names) : -1;
}

VALUE
frugal_rake_task_name(VALUE task)
{
    return rb_attr_get(task, id_name);
}

VALUE
frugal_rake_task_scope(VALUE task)
{
    return rb_attr_get(task, id_scope);
}

VALUE
frugal_rake_task_lock(VALUE task)
{
    return rb_attr_get(task, id_lock);
}

/*
 * Does what Task.new does, for Task, FileTask and FileCreationTask. It sets the same
 * instance variables in the same order, since `instance_variables` shows the order. A
 * template task that is copied would be faster, but ObjectSpace would show it.
 */
VALUE
frugal_rake_task_create(rake_plan *plan, VALUE task_class, VALUE name)
{
    VALUE task = rb_obj_alloc(task_class);

    rb_ivar_set(task, id_name, name);
    rb_ivar_set(task, id_prerequisites, rb_ary_new_capa(0));
    rb_ivar_set(task, id_actions, rb_ary_new_capa(0));
    rb_ivar_set(task, frugal_rake_id_already_invoked, Qfalse);
    rb_ivar_set(task, id_comments, rb_ary_new_capa(0));
    rb_ivar_set(task, id_lock, rb_obj_alloc(frugal_rake_monitor_class));
    rb_ivar_set(task, id_application, plan->application);
    rb_ivar_set(task, id_scope, rb_attr_get(plan->application, id_scope));
    rb_ivar_set(task, id_arg_names, Qnil);
    rb_ivar_set(task, id_locations, rb_ary_new_capa(0));
    rb_ivar_set(task, frugal_rake_id_invocation_exception, Qnil);
    rb_ivar_set(task, id_order_only, rb_ary_new_capa(0));
    return task;
}

bool
frugal_rake_task_classes_intact(void)
{
    return classes_intact;
}

bool
frugal_rake_task_enhanceable(VALUE task)
{
    VALUE prerequisites = frugal_rake_task_prerequisites(task), actions = frugal_rake_task_actions(task);

    return RB_TYPE_P(prerequisites, T_ARRAY) && CLASS_OF(prerequisites) == rb_cArray && RB_TYPE_P(actions, T_ARRAY) &&
           CLASS_OF(actions) == rb_cArray && !RB_OBJ_FROZEN(actions);
}

/*
 * Task#enhance. `prerequisites` is Qnil or a new Array that the task may keep. The task
 * gets another Array each time, as by Rake's |=, unless no user code can have seen the
 * one that it has (`unseen`).
 */
void
frugal_rake_task_enhance(VALUE task, VALUE prerequisites, VALUE action, bool unseen)
{
    if (NIL_P(prerequisites) && !unseen) prerequisites = rb_ary_new_capa(0);
    if (!NIL_P(prerequisites)) {
        if (!unseen || RARRAY_LEN(prerequisites) > 1) {
            prerequisites = rb_funcall(frugal_rake_task_prerequisites(task), id_union, 1, prerequisites);
        }
        rb_ivar_set(task, id_prerequisites, prerequisites);
    }
    if (!NIL_P(action)) rb_ary_push(frugal_rake_task_actions(task), action);
}

/* RakePlan.trusted = false: Rake's classes were changed, so Rake defines all tasks from now on. */
static VALUE
plan_set_trusted(VALUE klass, VALUE flag)
{
    classes_intact = RTEST(flag);
    return flag;
}

/* Called after frugal_rake_plan_begin. */
void
frugal_rake_task_begin(void)
{
    frugal_rake_monitor_class = frugal_rake_plan_keep_class("Monitor");
    classes_intact = true;
}

void
frugal_rake_task_init(VALUE plan)
{
    frugal_rake_id_already_invoked = rb_intern("@already_invoked");
    frugal_rake_id_invocation_exception = rb_intern("@invocation_exception");
    id_name = rb_intern("@name");
    id_prerequisites = rb_intern("@prerequisites");
    id_order_only = rb_intern("@order_only_prerequisites");
    id_actions = rb_intern("@actions");
    id_scope = rb_intern("@scope");
    id_comments = rb_intern("@comments");
    id_lock = rb_intern("@lock");
    id_locations = rb_intern("@locations");
    id_application = rb_intern("@application");
    id_arg_names = rb_intern("@arg_names");
    id_union = rb_intern("|");
    rb_define_singleton_method(plan, "trusted=", plan_set_trusted, 1);
}
