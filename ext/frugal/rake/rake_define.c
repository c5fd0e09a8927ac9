/*
 * Defines tasks as Task.define_task and TaskManager#define_task do, for the forms
 * that are common in Rakefiles with many files. Rake handles all other forms.
 */
#include "rake/rake_define.h"

#include <string.h>

#include "methods.h"
#include "rake/rake_classes.h"
#include "rake/rake_leaf.h"
#include "rake/rake_lookup.h"
#include "rake/rake_plan.h"
#include "rake/rake_task.h"

static ID id_to_path, id_application, id_ivar_application, id_define_task, id_plan, id_record, id_scope, id_tasks,
    id_to_ary;
static VALUE rake_module, task_manager, application_class, file_list_class, plan_class;
static bool application_is_ivar; /* Rake.application is stock, which returns the instance variable */

/* The arguments of a call of define_task. */
typedef struct {
    VALUE name;
    VALUE prerequisites; /* as given, until read_prerequisites replaces them by a new Array of Strings */
} definition;

/*
 * Ruby's own methods that Rake calls in a definition, but this file does not. Only the methods that Rake would call for
 * the current definition are checked.
 */
static frugal_core_method called_by_definition[] = {
    { &rb_cString, "to_s" },
    { &rb_cString, "to_str" },
    { &rb_cString, "respond_to?" },
    { &rb_cString, "===", true },
    { &rb_cString, "hash" },
    { &rb_cString, "eql?" },
    { &rb_cHash, "[]" },
    { &rb_cHash, "[]=" },
    { &rb_cHash, "is_a?" },
    { &rb_cArray, "|" },
    { &rb_cArray, "<<" },
    { &rb_cArray, "include?" },
    { &rb_cArray, "to_ary" },
    { &rb_cArray, "respond_to?" },
    { &frugal_rake_monitor_class, "initialize" },
    { &frugal_rake_monitor_class, "new", true },
    { NULL },
};
static frugal_core_method called_for_symbols[] = {
    { &rb_cSymbol, "to_s" },
    { &rb_cSymbol, "respond_to?" },
    { NULL },
};
static frugal_core_method called_for_file_tasks[] = { { &frugal_rake_file_class, "new", true }, { NULL } };
static frugal_core_method called_for_creation_tasks[] = { { &frugal_rake_creation_class, "new", true }, { NULL } };
static frugal_core_method called_for_plain_tasks[] = {
    { &frugal_rake_task_class, "new", true },
    { &rb_cString, "split" },
    { NULL },
};

/* Whether a definition of a task of this class, with names that are Strings, has the same result as in Rake. */
bool
frugal_rake_define_possible(VALUE task_class)
{
    frugal_core_method *called_for_class;

    if (task_class == frugal_rake_file_class) called_for_class = called_for_file_tasks;
    else if (task_class == frugal_rake_task_class) called_for_class = called_for_plain_tasks;
    else if (task_class == frugal_rake_creation_class) called_for_class = called_for_creation_tasks;
    else return false;
    return frugal_rake_task_classes_intact() && !RTEST(rb_attr_get(task_manager, id_record)) &&
           frugal_methods_core_p(called_for_class) && frugal_methods_core_p(called_by_definition) &&
           !rb_method_boundp(rb_cString, id_to_path, 0);
}

/* Converts a Symbol to a String. Returns false if Rake would call a method of the program. */
static bool
read_symbol(VALUE *name)
{
    if (!frugal_methods_core_p(called_for_symbols)) return false;
    *name = rb_sym_to_s(*name);
    return true;
}

static bool
exact_string_p(VALUE value)
{
    return RB_TYPE_P(value, T_STRING) && CLASS_OF(value) == rb_cString;
}

/*
 * Converts nil, a String, a Symbol, or an Array or FileList of these to a new Array. Returns false for any other
 * object.
 */
static bool
read_prerequisites(VALUE *given)
{
    VALUE names, list = *given;

    if (NIL_P(list)) {
        *given = rb_ary_new_capa(0);
        return true;
    }
    if (SYMBOL_P(list) && !read_symbol(&list)) return false;
    if (exact_string_p(list)) {
        *given = rb_ary_new_from_args(1, list);
        return true;
    }
    if (CLASS_OF(list) == file_list_class) list = rb_funcall(list, id_to_ary, 0);
    if (!RB_TYPE_P(list, T_ARRAY) || CLASS_OF(list) != rb_cArray) return false;
    names = rb_ary_new_capa(RARRAY_LEN(list));
    for (long i = 0; i < RARRAY_LEN(list); i++) {
        VALUE name = RARRAY_AREF(list, i);

        if (SYMBOL_P(name) && !read_symbol(&name)) return false;
        if (!exact_string_p(name)) return false;
        rb_ary_push(names, name);
    }
    *given = names;
    return true;
}

/*
 * Reads the name of a task in the root namespace. Returns false for a name with a colon, which may belong to a
 * namespace. Rake makes the task's name by String#split, so the name is a new String here too.
 */
static bool
read_task_name(rake_plan *plan, VALUE *name)
{
    if (SYMBOL_P(*name) && !read_symbol(name)) return false;
    if (!frugal_rake_lookup_provable_name(*name) || RSTRING_LEN(*name) == 0 ||
        memchr(RSTRING_PTR(*name), ':', RSTRING_LEN(*name)) ||
        CLASS_OF(rb_attr_get(plan->application, id_scope)) != frugal_rake_empty_scope_class) {
        return false;
    }
    *name = rb_str_dup(*name);
    return true;
}

static int
definition_pair(VALUE key, VALUE value, VALUE data)
{
    definition *found = (definition *)data;

    found->name = key;
    found->prerequisites = value;
    return ST_STOP;
}

/* Accepts file("a"), file("a" => "b"), task(a: ["b", :c]), task(a: FileList[...]). */
static bool
definition_parse(rake_plan *plan, VALUE task_class, VALUE argument, definition *found)
{
    found->name = argument;
    found->prerequisites = Qnil;
    if (RB_TYPE_P(argument, T_HASH) && CLASS_OF(argument) == rb_cHash && RHASH_SIZE(argument) == 1) {
        rb_hash_foreach(argument, definition_pair, (VALUE)found);
    }
    return task_class == frugal_rake_task_class ? read_task_name(plan, &found->name) : exact_string_p(found->name);
}

/* RakePlan.of(application) -> the plan of an application, always the same one */
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
 * Defines a new task. No code of the program can see it before it is complete, so a single prerequisite is in its first
 * Array. Resolving a FileList may run code, which then finds the task.
 */
static VALUE
define_new(rake_plan *plan, VALUE tasks, VALUE task_class, definition *found)
{
    bool resolved_later = CLASS_OF(found->prerequisites) == file_list_class;
    bool at_once;
    VALUE task;

    if (!resolved_later && !read_prerequisites(&found->prerequisites)) return Qnil;
    at_once = !resolved_later && RARRAY_LEN(found->prerequisites) <= 1; /* more prerequisites may have the same name */
    task = frugal_rake_task_create(plan, task_class, found->name, at_once ? found->prerequisites : rb_ary_new_capa(0));
    rb_hash_aset(tasks, found->name, task);
    if (resolved_later && !read_prerequisites(&found->prerequisites)) return Qnil;
    if (!at_once) frugal_rake_task_add_prerequisites(task, found->prerequisites);
    return task;
}

/* Adds the prerequisites to a task that is already defined. */
static VALUE
define_again(rake_plan *plan, VALUE task, definition *found)
{
    if (frugal_rake_plan_kind(plan, task) == KIND_FOREIGN || !frugal_rake_task_enhanceable(task) ||
        !read_prerequisites(&found->prerequisites)) {
        return Qnil;
    }
    frugal_rake_task_add_prerequisites(task, found->prerequisites);
    return task;
}

/* Defines a task. Its action is the block of the calling method. Returns Qnil if Rake has to define it. */
static VALUE
define(VALUE application, VALUE task_class, int argc, const VALUE *argv)
{
    VALUE tasks, task;
    definition found;
    rake_plan *plan;

    if (CLASS_OF(application) != application_class || RB_OBJ_FROZEN(application) || argc != 1 ||
        !frugal_rake_define_possible(task_class)) {
        return Qnil;
    }
    plan = frugal_rake_plan_get(plan_of(plan_class, application));
    frugal_rake_leaf_make_tasks(plan);
    tasks = rb_attr_get(application, id_tasks);
    if (!RB_TYPE_P(tasks, T_HASH) || !definition_parse(plan, task_class, argv[0], &found)) return Qnil;
    task = rb_hash_lookup2(tasks, found.name, Qnil);
    task = NIL_P(task) ? define_new(plan, tasks, task_class, &found) : define_again(plan, task, &found);
    if (!NIL_P(task) && rb_block_given_p()) frugal_rake_task_add_action(task, rb_block_proc());
    return task;
}

/* RakePlan.define(application, task_class, arguments) { action } -> Task or nil */
static VALUE
plan_define(VALUE klass, VALUE application, VALUE task_class, VALUE arguments)
{
    return define(application, task_class, RARRAY_LENINT(arguments), RARRAY_CONST_PTR(arguments));
}

/* Rake.application. */
static VALUE
application_now(void)
{
    VALUE application = application_is_ivar ? rb_attr_get(rake_module, id_ivar_application) : Qnil;

    return NIL_P(application) ? rb_funcall(rake_module, id_application, 0) : application;
}

/* RakePlan.ask_application: Rake.application was redefined, so it has to be called from now on. */
static VALUE
plan_ask_application(VALUE klass)
{
    application_is_ivar = false;
    return Qnil;
}

/* Task.define_task(*arguments) { action }: allocates no Array for the arguments, as Rake's own methods do. */
static VALUE
task_define_task(int argc, VALUE *argv, VALUE task_class)
{
    VALUE application = application_now();
    VALUE task = define(application, task_class, argc, argv);
    VALUE *all;
    VALUE buffer;

    if (!NIL_P(task)) return task;
    all = ALLOCV_N(VALUE, buffer, argc + 1);
    all[0] = task_class;
    MEMCPY(all + 1, argv, VALUE, argc);
    task = rb_funcall_passing_block(application, id_define_task, argc + 1, all);
    ALLOCV_END(buffer);
    return task;
}

/*
 * RakePlan.adopt_definition(stock_application): replaces Task.define_task, which is
 * stock. `stock_application`: Rake.application is stock too.
 */
static VALUE
plan_adopt_definition(VALUE klass, VALUE stock_application)
{
    VALUE singleton = rb_singleton_class(frugal_rake_task_class);

    application_is_ivar = RTEST(stock_application);
    rb_define_alias(singleton, "frugal_stock_define_task", "define_task");
    rb_funcall(singleton, rb_intern("private"), 1, ID2SYM(rb_intern("frugal_stock_define_task")));
    rb_define_singleton_method(frugal_rake_task_class, "define_task", task_define_task, -1);
    return Qnil;
}

/* Called after frugal_rake_classes_begin. */
void
frugal_rake_define_begin(void)
{
    rake_module = frugal_rake_classes_keep("Rake");
    task_manager = frugal_rake_classes_keep("Rake::TaskManager");
    application_class = frugal_rake_classes_keep("Rake::Application");
    file_list_class = frugal_rake_classes_keep("Rake::FileList");
}

void
frugal_rake_define_init(VALUE plan)
{
    plan_class = plan;
    id_application = rb_intern("application");
    id_ivar_application = rb_intern("@application");
    id_define_task = rb_intern("define_task");
    id_plan = rb_intern("frugal_plan");
    id_record = rb_intern("@record_task_metadata");
    id_scope = rb_intern("@scope");
    id_tasks = rb_intern("@tasks");
    id_to_ary = rb_intern("to_ary");
    id_to_path = rb_intern("to_path");
    rb_define_singleton_method(plan_class, "of", plan_of, 1);
    rb_define_singleton_method(plan_class, "define", plan_define, 3);
    rb_define_singleton_method(plan_class, "adopt_definition", plan_adopt_definition, 1);
    rb_define_singleton_method(plan_class, "ask_application", plan_ask_application, 0);
}
