/*
 * Rake's tasks as C sees them, and lean ones.
 *
 * Rake gives each task a Monitor and five arrays, most of which stay empty for
 * ever. A lean task is a copy of a template: it shares one frozen empty array
 * for all that is empty, holds a single prerequisite or action without an array
 * around it, until somebody asks for it, and gets its Monitor when user code is
 * about to run; a task that has one holds arrays only. Its instance variables
 * have the same names, and whoever reads them by reflection, or reopens the
 * class, finds Rake's own.
 */
#include "rake.h"

ID rake_id_already_invoked, rake_id_invocation_exception, rake_id_slot;
static ID id_name, id_prerequisites, id_order_only, id_actions, id_scope, id_comments, id_lock, id_locations,
    id_application, id_arg_names, id_stock_add_comment, id_union;
static VALUE nothing; /* the shared, frozen, empty array */
static bool trusted;  /* Rake's classes do what we know */
static bool lean;     /* and nobody else's code reads their instance variables */

/* An Array, or the one prerequisite of a lean task. */
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

/* An Array, or the one action of a lean task. */
VALUE
rake_task_actions(VALUE task)
{
    return rb_attr_get(task, id_actions);
}

/* How many names these are, -1 for what Rake would not have put there. */
long
rake_names_count(VALUE names)
{
    if (RB_TYPE_P(names, T_ARRAY)) return RARRAY_LEN(names);
    return RB_TYPE_P(names, T_STRING) ? 1 : -1;
}

VALUE
rake_names_at(VALUE names, long index)
{
    return RB_TYPE_P(names, T_ARRAY) ? rb_ary_entry(names, index) : names;
}

/* An array of the caller's own. */
VALUE
rake_names_copy(VALUE names)
{
    return RB_TYPE_P(names, T_ARRAY) ? rb_ary_dup(names) : rb_ary_new_from_args(1, names);
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

/* nil until somebody had to enter it. */
VALUE
rake_task_known_lock(VALUE task)
{
    return rb_attr_get(task, id_lock);
}

/* An array that belongs to the task alone, as its caller may change it. */
static VALUE
own_array(VALUE task, ID variable)
{
    VALUE value = rb_attr_get(task, variable), array;

    if (value == nothing) array = rb_ary_new();
    else if (RB_TYPE_P(value, T_ARRAY) || !NIL_P(rake_task_known_lock(task))) return value;
    else array = rb_ary_new_from_args(1, value);
    if (!RB_OBJ_FROZEN(task)) rb_ivar_set(task, variable, array);
    return array;
}

/* Makes a lean task what Rake would have made. */
static void
task_complete(VALUE task)
{
    own_array(task, id_prerequisites);
    own_array(task, id_actions);
    own_array(task, id_comments);
    own_array(task, id_locations);
    own_array(task, id_order_only);
    if (NIL_P(rake_task_known_lock(task))) {
        rb_ivar_set(task, id_lock, rb_class_new_instance(0, NULL, rb_path2class("Monitor")));
    }
}

/* The task's Monitor: user code is about to see the task. */
VALUE
rake_task_lock(VALUE task)
{
    if (NIL_P(rake_task_known_lock(task))) task_complete(task);
    return rake_task_known_lock(task);
}

/* What Task.new sets, in its order: instance_variables tells. */
static VALUE
task_template(rake_plan *plan, VALUE task_class)
{
    VALUE task = rb_obj_alloc(task_class);

    rb_ivar_set(task, id_name, Qnil);
    rb_ivar_set(task, id_prerequisites, nothing);
    rb_ivar_set(task, id_actions, nothing);
    rb_ivar_set(task, rake_id_already_invoked, Qfalse);
    rb_ivar_set(task, id_comments, nothing);
    rb_ivar_set(task, id_lock, Qnil);
    rb_ivar_set(task, id_application, plan->application);
    rb_ivar_set(task, id_scope, Qnil);
    rb_ivar_set(task, id_arg_names, Qnil);
    rb_ivar_set(task, id_locations, nothing);
    rb_ivar_set(task, rake_id_invocation_exception, Qnil);
    rb_ivar_set(task, id_order_only, nothing);
    rb_ivar_set(task, rake_id_slot, Qnil); /* hidden; a copy has room for it */
    return task;
}

static int
template_index(VALUE task_class)
{
    if (task_class == rake_file_class) return 0;
    return task_class == rake_task_class ? 1 : 2;
}

/* What Task.new does, for Task, FileTask and FileCreationTask. */
VALUE
rake_task_create(rake_plan *plan, VALUE task_class, VALUE name)
{
    VALUE *template = &plan->templates[template_index(task_class)];
    VALUE task;

    if (NIL_P(*template)) RB_OBJ_WRITE(plan->self, template, task_template(plan, task_class));
    task = rb_obj_dup(*template);
    rb_ivar_set(task, id_name, name);
    rb_ivar_set(task, id_scope, rb_attr_get(plan->application, id_scope));
    if (!lean) task_complete(task);
    return task;
}

/* May tasks be defined as Rake would define them? */
bool
rake_task_trusted(void)
{
    return trusted;
}

/* What Rake could read in `names` and in `actions` was put there by Rake or by us. */
bool
rake_task_enhanceable(VALUE task)
{
    VALUE actions = rake_task_actions(task);

    return rake_names_count(rake_task_prerequisites(task)) >= 0 &&
           (RB_TYPE_P(actions, T_ARRAY) || NIL_P(rake_task_known_lock(task)));
}

/* Task#enhance. The prerequisites are a String, or an Array that is ours; Qnil: none. */
void
rake_task_enhance(VALUE task, VALUE prerequisites, VALUE action)
{
    if (!NIL_P(prerequisites)) {
        if (rake_task_prerequisites(task) == nothing && rake_names_count(prerequisites) == 1) {
            prerequisites = rake_names_at(prerequisites, 0);
        } else {
            if (RB_TYPE_P(prerequisites, T_STRING)) prerequisites = rb_ary_new_from_args(1, prerequisites);
            prerequisites = rb_funcall(own_array(task, id_prerequisites), id_union, 1, prerequisites);
        }
        rb_ivar_set(task, id_prerequisites, prerequisites);
    }
    if (NIL_P(action)) return;
    if (rake_task_actions(task) == nothing) rb_ivar_set(task, id_actions, action);
    else rb_ary_push(own_array(task, id_actions), action);
}

static VALUE
task_prerequisites(VALUE task)
{
    return own_array(task, id_prerequisites);
}

static VALUE
task_actions(VALUE task)
{
    return own_array(task, id_actions);
}

static VALUE
task_order_only_prerequisites(VALUE task)
{
    return own_array(task, id_order_only);
}

static VALUE
task_locations(VALUE task)
{
    return own_array(task, id_locations);
}

/* Rake adds to the comments in place. */
static VALUE
task_add_comment(VALUE task, VALUE comment)
{
    own_array(task, id_comments);
    return rb_funcall(task, id_stock_add_comment, 1, comment);
}

/* instance_variable_get and _set, instance_eval, instance_exec, freeze. */
static VALUE
task_reflect(int argc, VALUE *argv, VALUE task)
{
    task_complete(task);
    return rb_call_super(argc, argv);
}

/* RakePlan.complete(task): before Rake's own methods change it in place. */
static VALUE
plan_complete(VALUE klass, VALUE task)
{
    task_complete(task);
    return task;
}

/* RakePlan.trusted = false: Rake's classes were changed, tasks are Rake's again. */
static VALUE
plan_set_trusted(VALUE klass, VALUE flag)
{
    trusted = lean = RTEST(flag);
    return flag;
}

/* RakePlan.lean = false: others' methods may read instance variables. */
static VALUE
plan_set_lean(VALUE klass, VALUE flag)
{
    lean = RTEST(flag);
    return flag;
}

/* An alias first, so that Ruby does not warn of a redefinition. */
static void
adopt_reader(VALUE task_class, const char *name, VALUE (*reader)(VALUE))
{
    rb_define_alias(task_class, RSTRING_PTR(rb_sprintf("frugal_stock_%s", name)), name);
    rb_define_method(task_class, name, reader, 0);
}

/*
 * RakePlan.adopt(faults_raise): puts the lean methods into the loaded Rake's
 * classes. `faults_raise`: only ENOENT is a missing file (Rake >= 13.1).
 */
static VALUE
plan_adopt(VALUE klass, VALUE faults_raise)
{
    VALUE task;

    rake_plan_begin(RTEST(faults_raise));
    rake_define_begin();
    task = rake_task_class;
    adopt_reader(task, "prerequisites", task_prerequisites);
    adopt_reader(task, "prereqs", task_prerequisites);
    adopt_reader(task, "actions", task_actions);
    adopt_reader(task, "order_only_prerequisites", task_order_only_prerequisites);
    adopt_reader(task, "locations", task_locations);
    rb_define_alias(task, "frugal_stock_add_comment", "add_comment");
    rb_define_private_method(task, "add_comment", task_add_comment, 1);
    rb_define_method(task, "instance_variable_get", task_reflect, -1);
    rb_define_method(task, "instance_variable_set", task_reflect, -1);
    rb_define_method(task, "instance_eval", task_reflect, -1);
    rb_define_method(task, "instance_exec", task_reflect, -1);
    rb_define_method(task, "freeze", task_reflect, -1);
    trusted = lean = true;
    return Qnil;
}

void
frugal_rake_task_init(void)
{
    VALUE plan = rb_const_get(frugal_mC, rb_intern("RakePlan"));

    rake_id_already_invoked = rb_intern("@already_invoked");
    rake_id_invocation_exception = rb_intern("@invocation_exception");
    rake_id_slot = rb_intern("frugal_slot");
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
    id_stock_add_comment = rb_intern("frugal_stock_add_comment");
    id_union = rb_intern("|");
    nothing = rb_obj_freeze(rb_ary_new());
    rb_gc_register_mark_object(nothing);
    rb_define_singleton_method(plan, "adopt", plan_adopt, 1);
    rb_define_singleton_method(plan, "trusted=", plan_set_trusted, 1);
    rb_define_singleton_method(plan, "lean=", plan_set_lean, 1);
    rb_define_singleton_method(plan, "complete", plan_complete, 1);
}
