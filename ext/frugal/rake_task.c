/*
 * Rake's tasks as C sees them, and the lean way to define one.
 *
 * Rake gives each task a Monitor and five arrays, most of which stay empty for
 * ever. A lean task is a copy of a template: it shares one frozen empty array
 * for all that is empty, until somebody asks for it, and gets its Monitor when
 * user code is about to run. Its instance variables have the same names, and
 * whoever reads them by reflection, or reopens the class, finds Rake's own.
 */
#include "rake.h"
#include <ruby/encoding.h>
#include <string.h>

ID rake_id_already_invoked, rake_id_invocation_exception, rake_id_slot;
static ID id_name, id_prerequisites, id_order_only, id_actions, id_scope, id_comments, id_lock, id_locations,
    id_application, id_arg_names, id_tasks, id_plan, id_record, id_stock_add_comment, id_union, id_to_ary;
static VALUE nothing; /* the shared, frozen, empty array */
static VALUE task_manager, application_class, file_list_class;
static bool trusted; /* Rake's classes do what we know */
static bool lean;    /* and nobody else's code reads their instance variables */

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

/* The task's Monitor, made when first asked for. */
VALUE
rake_task_lock(VALUE task)
{
    VALUE lock = rake_task_known_lock(task);

    if (NIL_P(lock)) {
        lock = rb_class_new_instance(0, NULL, rb_path2class("Monitor"));
        rb_ivar_set(task, id_lock, lock);
    }
    return lock;
}

/* An array that belongs to the task alone, as its caller may change it. */
static VALUE
own_array(VALUE task, ID variable)
{
    VALUE array = rb_attr_get(task, variable);

    if (array == nothing) {
        array = rb_ary_new();
        if (!RB_OBJ_FROZEN(task)) rb_ivar_set(task, variable, array);
    }
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
    rake_task_lock(task);
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

/* May tasks be defined here, as Rake would define them? */
bool
rake_task_definable(void)
{
    return trusted && !RTEST(rb_attr_get(task_manager, id_record));
}

static bool
plain_string_p(VALUE value)
{
    return RB_TYPE_P(value, T_STRING) && CLASS_OF(value) == rb_cString;
}

/*
 * What is given as prerequisites, as an Array of Strings, or Qundef where it
 * is more than a String, a Symbol, or an Array or FileList of such.
 */
static VALUE
plain_names(VALUE value)
{
    VALUE names;

    if (NIL_P(value)) return nothing;
    if (plain_string_p(value)) return rb_ary_new_from_args(1, value);
    if (SYMBOL_P(value)) return rb_ary_new_from_args(1, rb_sym_to_s(value));
    if (CLASS_OF(value) == file_list_class) value = rb_funcall(value, id_to_ary, 0);
    if (!RB_TYPE_P(value, T_ARRAY) || CLASS_OF(value) != rb_cArray) return Qundef;
    names = rb_ary_new_capa(RARRAY_LEN(value));
    for (long i = 0; i < RARRAY_LEN(value); i++) {
        VALUE name = RARRAY_AREF(value, i);

        if (SYMBOL_P(name)) name = rb_sym_to_s(name);
        if (!plain_string_p(name)) return Qundef;
        rb_ary_push(names, name);
    }
    return names;
}

typedef struct {
    VALUE name;
    VALUE dependencies;
} definition;

static int
definition_pair(VALUE key, VALUE value, VALUE data)
{
    definition *found = (definition *)data;

    found->name = key;
    found->dependencies = value;
    return ST_STOP;
}

/*
 * In the root namespace a task's name is its own, unless it names another.
 * Rake splits it at its colons, so the task's is a string of its own.
 */
static bool
plain_task_name(rake_plan *plan, VALUE *name)
{
    if (SYMBOL_P(*name)) *name = rb_sym_to_s(*name);
    if (!rake_plan_provable_name(*name) || RSTRING_LEN(*name) == 0 ||
        memchr(RSTRING_PTR(*name), ':', RSTRING_LEN(*name)) ||
        CLASS_OF(rb_attr_get(plan->application, id_scope)) != rake_empty_scope_class) {
        return false;
    }
    *name = rb_str_dup(*name);
    return true;
}

/* Understands file("a"), file("a" => "b"), task(a: ["b", :c]), task(a: FileList[...]). */
static bool
definition_parse(rake_plan *plan, VALUE task_class, VALUE argument, definition *found)
{
    found->name = argument;
    found->dependencies = Qnil;
    if (RB_TYPE_P(argument, T_HASH) && CLASS_OF(argument) == rb_cHash && RHASH_SIZE(argument) == 1) {
        rb_hash_foreach(argument, definition_pair, (VALUE)found);
    }
    return task_class == rake_task_class ? plain_task_name(plan, &found->name) : plain_string_p(found->name);
}

static void
task_enhance(VALUE task, VALUE dependencies)
{
    VALUE known = rake_task_prerequisites(task);

    if (known != nothing || RARRAY_LEN(dependencies) > 1) {
        dependencies = rb_funcall(known, id_union, 1, dependencies);
    }
    rb_ivar_set(task, id_prerequisites, RARRAY_LEN(dependencies) ? dependencies : nothing);
    if (rb_block_given_p()) rb_ary_push(own_array(task, id_actions), rb_block_proc());
}

/* RakePlan.of(application): the one plan of an application. */
static VALUE
plan_of(VALUE klass, VALUE application)
{
    VALUE plan = rb_attr_get(application, id_plan);

    if (NIL_P(plan)) {
        plan = rb_class_new_instance(1, &application, klass);
        rb_ivar_set(application, id_plan, plan);
    }
    return plan;
}

/*
 * RakePlan.define(application, task_class, arguments) { action } -> Task or nil:
 * what TaskManager#define_task does, for the common shapes.
 */
static VALUE
plan_define(VALUE klass, VALUE application, VALUE task_class, VALUE arguments)
{
    VALUE tasks, task;
    definition found;
    rake_plan *plan;

    if (CLASS_OF(application) != application_class || RARRAY_LEN(arguments) != 1 || !rake_task_definable() ||
        (task_class != rake_file_class && task_class != rake_task_class && task_class != rake_creation_class)) {
        return Qnil;
    }
    plan = rake_plan_get(plan_of(klass, application));
    tasks = rb_attr_get(application, id_tasks);
    if (!RB_TYPE_P(tasks, T_HASH) || !definition_parse(plan, task_class, RARRAY_AREF(arguments, 0), &found)) return Qnil;
    task = rb_hash_lookup2(tasks, found.name, Qnil);
    if (NIL_P(task)) {
        task = rake_task_create(plan, task_class, found.name);
        rb_hash_aset(tasks, found.name, task);
    } else if (rake_plan_kind(plan, task) == KIND_STRANGER || !RB_TYPE_P(rake_task_prerequisites(task), T_ARRAY) ||
               !RB_TYPE_P(rake_task_actions(task), T_ARRAY)) {
        return Qnil;
    }
    /* Rake has made the task when it looks at these: to resolve a list may run user code. */
    found.dependencies = plain_names(found.dependencies);
    if (found.dependencies == Qundef) return Qnil;
    task_enhance(task, found.dependencies);
    return task;
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

/* instance_variable_get, instance_eval, instance_exec, freeze. */
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
    task = rake_task_class;
    task_manager = rb_path2class("Rake::TaskManager");
    application_class = rb_path2class("Rake::Application");
    rb_gc_register_mark_object(task_manager);
    rb_gc_register_mark_object(application_class);
    file_list_class = rb_path2class("Rake::FileList");
    rb_gc_register_mark_object(file_list_class);
    adopt_reader(task, "prerequisites", task_prerequisites);
    adopt_reader(task, "prereqs", task_prerequisites);
    adopt_reader(task, "actions", task_actions);
    adopt_reader(task, "order_only_prerequisites", task_order_only_prerequisites);
    adopt_reader(task, "locations", task_locations);
    rb_define_alias(task, "frugal_stock_add_comment", "add_comment");
    rb_define_private_method(task, "add_comment", task_add_comment, 1);
    rb_define_method(task, "instance_variable_get", task_reflect, -1);
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
    id_record = rb_intern("@record_task_metadata");
    id_tasks = rb_intern("@tasks");
    id_plan = rb_intern("frugal_plan");
    id_stock_add_comment = rb_intern("frugal_stock_add_comment");
    id_union = rb_intern("|");
    id_to_ary = rb_intern("to_ary");
    nothing = rb_obj_freeze(rb_ary_new());
    rb_gc_register_mark_object(nothing);
    rb_define_singleton_method(plan, "of", plan_of, 1);
    rb_define_singleton_method(plan, "adopt", plan_adopt, 1);
    rb_define_singleton_method(plan, "define", plan_define, 3);
    rb_define_singleton_method(plan, "trusted=", plan_set_trusted, 1);
    rb_define_singleton_method(plan, "lean=", plan_set_lean, 1);
    rb_define_singleton_method(plan, "complete", plan_complete, 1);
}
