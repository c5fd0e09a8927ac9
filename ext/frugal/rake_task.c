/*
 * Rake's tasks as C sees them, and how C makes one.
 *
 * A task that C makes has exactly the instance variables that Task.new sets, with the same kinds of values:
 * arrays of its own and a Monitor. Any Ruby code may read them (a singleton method, a refinement, a method of
 * Object, reflection), so nothing may be left out or shared. What C knows beside that stands in the plan.
 */
#include "rake.h"

ID rake_id_already_invoked, rake_id_invocation_exception;
static ID id_name, id_prerequisites, id_order_only, id_actions, id_scope, id_comments, id_lock, id_locations,
    id_application, id_arg_names, id_union;
VALUE rake_monitor_class;
static bool trusted; /* Rake's classes do what we know */

VALUE
rake_task_prerequisites(VALUE task)
{
    return rb_attr_get(task, id_prerequisites);
}

VALUE
rake_task_order_only(VALUE task)
{
    return rb_attr_get(task, id_order_only);
}

VALUE
rake_task_actions(VALUE task)
{
    return rb_attr_get(task, id_actions);
}

/* How many names these are, -1 for what Rake would not have put there. */
long
rake_names_count(VALUE names)
{
    return RB_TYPE_P(names, T_ARRAY) ? RARRAY_LEN(names) : -1;
}

VALUE
rake_task_name(VALUE task)
{
    return rb_attr_get(task, id_name);
}

VALUE
rake_task_scope(VALUE task)
{
    return rb_attr_get(task, id_scope);
}

VALUE
rake_task_lock(VALUE task)
{
    return rb_attr_get(task, id_lock);
}

/*
 * What Task.new does, for Task, FileTask and FileCreationTask: the same instance variables in the same order,
 * which instance_variables shows. There is no template to copy: ObjectSpace would show it among the tasks.
 */
VALUE
rake_task_create(rake_plan *plan, VALUE task_class, VALUE name)
{
    VALUE task = rb_obj_alloc(task_class);

    rb_ivar_set(task, id_name, name);
    rb_ivar_set(task, id_prerequisites, rb_ary_new_capa(0));
    rb_ivar_set(task, id_actions, rb_ary_new_capa(0));
    rb_ivar_set(task, rake_id_already_invoked, Qfalse);
    rb_ivar_set(task, id_comments, rb_ary_new_capa(0));
    rb_ivar_set(task, id_lock, rb_obj_alloc(rake_monitor_class));
    rb_ivar_set(task, id_application, plan->application);
    rb_ivar_set(task, id_scope, rb_attr_get(plan->application, id_scope));
    rb_ivar_set(task, id_arg_names, Qnil);
    rb_ivar_set(task, id_locations, rb_ary_new_capa(0));
    rb_ivar_set(task, rake_id_invocation_exception, Qnil);
    rb_ivar_set(task, id_order_only, rb_ary_new_capa(0));
    return task;
}

/* May tasks be defined as Rake would define them? */
bool
rake_task_trusted(void)
{
    return trusted;
}

/* Can Rake's own enhance be done here: are both still the arrays that Rake has put there? */
bool
rake_task_enhanceable(VALUE task)
{
    VALUE prerequisites = rake_task_prerequisites(task), actions = rake_task_actions(task);

    return RB_TYPE_P(prerequisites, T_ARRAY) && CLASS_OF(prerequisites) == rb_cArray &&
           RB_TYPE_P(actions, T_ARRAY) && CLASS_OF(actions) == rb_cArray && !RB_OBJ_FROZEN(actions);
}

/*
 * Task#enhance. The prerequisites are an Array of the caller's, or Qnil. As with Rake's |= the task gets
 * another array each time, unless nobody can have seen the one that it has.
 */
void
rake_task_enhance(VALUE task, VALUE prerequisites, VALUE action, bool unseen)
{
    if (NIL_P(prerequisites) && !unseen) prerequisites = rb_ary_new_capa(0);
    if (!NIL_P(prerequisites)) {
        if (!unseen || RARRAY_LEN(prerequisites) > 1) {
            prerequisites = rb_funcall(rake_task_prerequisites(task), id_union, 1, prerequisites);
        }
        rb_ivar_set(task, id_prerequisites, prerequisites);
    }
    if (!NIL_P(action)) rb_ary_push(rake_task_actions(task), action);
}

/* RakePlan.trusted = false: Rake's classes were changed, tasks are Rake's again. */
static VALUE
plan_set_trusted(VALUE klass, VALUE flag)
{
    trusted = RTEST(flag);
    return flag;
}

/* RakePlan.adopt(faults_raise): `faults_raise`: only ENOENT is a missing file (Rake >= 13.1). */
static VALUE
plan_adopt(VALUE klass, VALUE faults_raise)
{
    rake_plan_begin(RTEST(faults_raise));
    rake_define_begin();
    rake_monitor_class = rake_plan_keep_class("Monitor");
    trusted = true;
    return Qnil;
}

void
frugal_rake_task_init(void)
{
    VALUE plan = rb_const_get(frugal_mC, rb_intern("RakePlan"));

    rake_id_already_invoked = rb_intern("@already_invoked");
    rake_id_invocation_exception = rb_intern("@invocation_exception");
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
    rb_define_singleton_method(plan, "adopt", plan_adopt, 1);
    rb_define_singleton_method(plan, "trusted=", plan_set_trusted, 1);
}
