/*
 * Reads the instance variables of Rake's tasks, and makes tasks.
 *
 * A task made here has exactly the instance variables that Task.new sets, with the same kinds of values: its own Arrays
 * and a Monitor. Any Ruby code may read them (a singleton method, a refinement, a method of Object, reflection), so
 * none may be omitted or shared. All other data of this folder about a task is in the plan.
 */
#include "rake/rake_task.h"

#include "rake/rake_classes.h"
#include "rake/rake_plan.h"

ID frugal_rake_id_already_invoked, frugal_rake_id_invocation_exception;
static ID id_name, id_prerequisites, id_order_only, id_actions, id_scope, id_comments, id_lock, id_locations,
    id_application, id_arg_names, id_union;
VALUE frugal_rake_monitor_class;
static rb_alloc_func_t allocate_monitor;
static bool classes_intact;

/* The variables of a task, in the order in which Task.new sets them. */
enum {
    NAME,
    PREREQUISITES,
    ACTIONS,
    ALREADY_INVOKED,
    COMMENTS,
    LOCK,
    APPLICATION,
    SCOPE,
    ARG_NAMES,
    LOCATIONS,
    INVOCATION_EXCEPTION,
    ORDER_ONLY,
    VARIABLE_COUNT
};

static const ID *const variable_ids[VARIABLE_COUNT] = {
    &id_name,
    &id_prerequisites,
    &id_actions,
    &frugal_rake_id_already_invoked,
    &id_comments,
    &id_lock,
    &id_application,
    &id_scope,
    &id_arg_names,
    &id_locations,
    &frugal_rake_id_invocation_exception,
    &id_order_only,
};

#ifdef ROBJECT_IV_INDEX_TBL
/*
 * Before Ruby 3.2, a class gives a variable name a permanent number when one of its objects first gets that variable.
 * This records whether the numbers of a class were verified to be those above.
 */
enum numbers { UNVERIFIED, AS_ABOVE, OTHER };

static struct {
    enum numbers file, task, creation;
} numbers;

static bool
numbered_p(VALUE klass)
{
    if (klass == frugal_rake_file_class) return numbers.file == AS_ABOVE;
    if (klass == frugal_rake_task_class) return numbers.task == AS_ABOVE;
    return klass == frugal_rake_creation_class && numbers.creation == AS_ABOVE;
}

/* Whether a new task, which no other code has seen, has its variables at the numbers above. They are set afterwards. */
static bool
has_numbers(VALUE task)
{
    for (int i = 0; i < VARIABLE_COUNT; i++) rb_ivar_set(task, *variable_ids[i], INT2FIX(i));
    if (ROBJECT_NUMIV(task) < VARIABLE_COUNT) return false;
    for (int i = 0; i < VARIABLE_COUNT; i++) {
        if (ROBJECT_IVPTR(task)[i] != INT2FIX(i)) return false;
    }
    return true;
}

static void
verify_numbers(VALUE task)
{
    VALUE klass = CLASS_OF(task);
    enum numbers *known = &numbers.creation;

    if (klass == frugal_rake_file_class) known = &numbers.file;
    if (klass == frugal_rake_task_class) known = &numbers.task;
    if (*known == UNVERIFIED) *known = has_numbers(task) ? AS_ABOVE : OTHER;
}

static void
set_variables(VALUE task, const VALUE values[])
{
    VALUE *variables;

    if (!numbered_p(CLASS_OF(task))) verify_numbers(task);
    if (!numbered_p(CLASS_OF(task))) {
        for (int i = 0; i < VARIABLE_COUNT; i++) rb_ivar_set(task, *variable_ids[i], values[i]);
        return;
    }
    /*
     * Makes room for all variables. The room is the same as after setting all in order, since ObjectSpace shows the
     * size.
     */
    rb_ivar_set(task, frugal_rake_id_invocation_exception, values[INVOCATION_EXCEPTION]);
    variables = ROBJECT_IVPTR(task);
    for (int i = 0; i < VARIABLE_COUNT; i++) RB_OBJ_WRITE(task, &variables[i], values[i]);
}

/* Reads a variable. Ruby's own function would look up the number. */
static inline VALUE
variable(VALUE task, int number)
{
    if (numbered_p(RBASIC_CLASS(task)) && (uint32_t)number < ROBJECT_NUMIV(task)) {
        VALUE value = ROBJECT_IVPTR(task)[number];

        return value == Qundef ? Qnil : value;
    }
    return rb_attr_get(task, *variable_ids[number]);
}
#else
static void
set_variables(VALUE task, const VALUE values[])
{
    for (int i = 0; i < VARIABLE_COUNT; i++) rb_ivar_set(task, *variable_ids[i], values[i]);
}

static inline VALUE
variable(VALUE task, int number)
{
    return rb_attr_get(task, *variable_ids[number]);
}
#endif

VALUE
frugal_rake_task_prerequisites(VALUE task)
{
    return variable(task, PREREQUISITES);
}

VALUE
frugal_rake_task_order_only(VALUE task)
{
    return variable(task, ORDER_ONLY);
}

VALUE
frugal_rake_task_actions(VALUE task)
{
    return variable(task, ACTIONS);
}

VALUE
frugal_rake_task_application(VALUE task)
{
    return variable(task, APPLICATION);
}

bool
frugal_rake_task_already_invoked(VALUE task)
{
    return RTEST(variable(task, ALREADY_INVOKED));
}

long
frugal_rake_task_count(VALUE names)
{
    return RB_TYPE_P(names, T_ARRAY) ? RARRAY_LEN(names) : -1;
}

VALUE
frugal_rake_task_name(VALUE task)
{
    return variable(task, NAME);
}

VALUE
frugal_rake_task_scope(VALUE task)
{
    return variable(task, SCOPE);
}

VALUE
frugal_rake_task_lock(VALUE task)
{
    return variable(task, LOCK);
}

/*
 * Does what Task.new does, for Task, FileTask and FileCreationTask. It sets the same instance variables in the same
 * order, since `instance_variables` shows the order. Copying a template task would be faster, but ObjectSpace would
 * show the template. The task keeps the Array `prerequisites`, which is new.
 */
VALUE
frugal_rake_task_create(rake_plan *plan, VALUE task_class, VALUE name, VALUE prerequisites)
{
    VALUE task = rb_obj_alloc(task_class);
    /*
     * The values are on the stack, where the garbage collection finds them: allocating one may move the task's
     * variables.
     */
    VALUE values[VARIABLE_COUNT] = {
        [NAME] = name,
        [PREREQUISITES] = prerequisites,
        [ACTIONS] = rb_ary_new_capa(0),
        [ALREADY_INVOKED] = Qfalse,
        [COMMENTS] = rb_ary_new_capa(0),
        [LOCK] = allocate_monitor(frugal_rake_monitor_class),
        [APPLICATION] = plan->application,
        [SCOPE] = rb_attr_get(plan->application, id_scope),
        [ARG_NAMES] = Qnil,
        [LOCATIONS] = rb_ary_new_capa(0),
        [INVOCATION_EXCEPTION] = Qnil,
        [ORDER_ONLY] = rb_ary_new_capa(0),
    };

    set_variables(task, values);
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

void
frugal_rake_task_add_prerequisites(VALUE task, VALUE names)
{
    rb_ivar_set(task, id_prerequisites, rb_funcall(frugal_rake_task_prerequisites(task), id_union, 1, names));
}

void
frugal_rake_task_add_action(VALUE task, VALUE action)
{
    rb_ary_push(frugal_rake_task_actions(task), action);
}

/* RakePlan.trusted = false: Rake's classes were changed, so Rake defines all tasks from now on. */
static VALUE
plan_set_trusted(VALUE klass, VALUE flag)
{
    classes_intact = RTEST(flag);
    return flag;
}

void
frugal_rake_task_begin(void)
{
    frugal_rake_monitor_class = frugal_rake_classes_keep("Monitor");
    allocate_monitor = rb_get_alloc_func(frugal_rake_monitor_class);
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
