/*
 * Frugal::Native::C::RakeWalk: one invocation of a task and all behind it, in
 * Rake's order.
 *
 * Rake recurses: invoke a task's prerequisites, then the task. Here the
 * recursion is a stack of frames, so that a chain may be longer than a
 * thread's stack, and `advance` goes on until Ruby has to do something: run an
 * action, look a name up by rules, invoke a task that is not Rake's own. It
 * returns what that is as a symbol; lib/frugal/dropin/rake/invocation.rb does
 * it and calls again.
 *
 * Locks and arguments are made only for user code: `settle` enters the Monitor
 * of every task on the stack, as Rake would have by then. Between two settles
 * no other thread can run, as the VM lock is kept.
 */
#include "rake.h"
#include <ruby/thread.h>

enum { STEPS_BETWEEN_INTERRUPT_CHECKS = 1024 };

typedef struct {
    VALUE task;
    VALUE names;     /* what Rake looks up on entry; a copy once settled */
    VALUE arguments; /* set by settle */
    VALUE chain;     /* set when asked for */
    VALUE lock;      /* set by settle; entered */
    long slot;
    long first;      /* of its prerequisites among the found tasks */
    long found;      /* how many of them are found */
    long next;       /* the one to invoke next */
    uint32_t outer_depth;
    bool failed; /* was invoked before, and raised */
} walk_frame;

typedef struct {
    VALUE plan, root, arguments, chain, child, result;
    walk_frame *frames;
    long count, capacity;
    VALUE *found; /* prerequisites of all frames, the top frame's last */
    long found_count, found_capacity;
    long settled;
    unsigned steps;
    bool started, distrusted;
} rake_walk;

static ID id_head, id_tail, id_rules, id_new_scope, id_arg_names, id_conj, id_enter, id_exit, id_match_p, id_locked_p,
    id_owned_p;
static VALUE sym_done, sym_lookup, sym_foreign, sym_circular, sym_failed, sym_needed, sym_execute;

static void
walk_mark(void *data)
{
    rake_walk *walk = data;

    rb_gc_mark(walk->plan);
    rb_gc_mark(walk->root);
    rb_gc_mark(walk->arguments);
    rb_gc_mark(walk->chain);
    rb_gc_mark(walk->child);
    rb_gc_mark(walk->result);
    for (long i = 0; i < walk->count; i++) {
        walk_frame *frame = &walk->frames[i];

        rb_gc_mark(frame->task);
        rb_gc_mark(frame->names);
        rb_gc_mark(frame->arguments);
        rb_gc_mark(frame->chain);
        rb_gc_mark(frame->lock);
    }
    for (long i = 0; i < walk->found_count; i++) rb_gc_mark(walk->found[i]);
}

static void
walk_free(void *data)
{
    rake_walk *walk = data;

    xfree(walk->frames);
    xfree(walk->found);
    xfree(walk);
}

static size_t
walk_size(const void *data)
{
    const rake_walk *walk = data;

    return sizeof(*walk) + walk->capacity * sizeof(walk_frame) + walk->found_capacity * sizeof(VALUE);
}

static const rb_data_type_t walk_type = {
    .wrap_struct_name = "Frugal::RakeWalk",
    .function = { walk_mark, walk_free, walk_size },
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static rake_walk *
walk_get(VALUE self)
{
    return rb_check_typeddata(self, &walk_type);
}

static VALUE
walk_allocate(VALUE klass)
{
    rake_walk *walk;
    VALUE self = TypedData_Make_Struct(klass, rake_walk, &walk_type, walk);

    walk->plan = walk->root = walk->arguments = walk->chain = walk->child = walk->result = Qnil;
    return self;
}

/* RakeWalk.new(plan, task, arguments, chain) */
static VALUE
walk_initialize(VALUE self, VALUE plan, VALUE task, VALUE arguments, VALUE chain)
{
    rake_walk *walk = walk_get(self);

    rake_plan_get(plan);
    walk->plan = plan;
    walk->root = task;
    walk->arguments = arguments;
    walk->chain = chain;
    return self;
}

static walk_frame *
walk_top(rake_walk *walk)
{
    if (!walk->count) rb_raise(rb_eRuntimeError, "frugal: the walk has no task under way");
    return &walk->frames[walk->count - 1];
}

/* A task stands on this walk where the frame at its depth says so. */
static bool
walk_holds(rake_walk *walk, rake_plan *plan, long slot, VALUE task)
{
    uint32_t depth = plan->slots[slot].depth;
    VALUE chain = walk->chain;

    if (depth < walk->count && walk->frames[depth].task == task) return true;
    for (VALUE head; !SPECIAL_CONST_P(chain) && !NIL_P(head = rb_attr_get(chain, id_head));
         chain = rb_attr_get(chain, id_tail)) {
        if (head == task) return true;
    }
    return false;
}

static void
walk_push(rake_walk *walk, rake_plan *plan, VALUE task, long slot, VALUE names)
{
    if (walk->count == walk->capacity) {
        long capacity = walk->capacity ? walk->capacity * 2 : 16;

        REALLOC_N(walk->frames, walk_frame, capacity);
        walk->capacity = capacity;
    }
    walk->frames[walk->count] = (walk_frame){
        .task = task, .names = names, .arguments = Qnil, .chain = Qnil, .lock = Qnil,
        .slot = slot, .first = walk->found_count, .outer_depth = plan->slots[slot].depth,
    };
    plan->slots[slot].depth = (uint32_t)walk->count++;
}

static void
walk_pop(rake_walk *walk, VALUE result)
{
    rake_plan *plan = rake_plan_get(walk->plan);
    walk_frame *frame = walk_top(walk);
    VALUE lock = frame->lock;

    plan->slots[frame->slot].depth = frame->outer_depth;
    walk->found_count = frame->first;
    walk->count--;
    if (walk->settled > walk->count) walk->settled = walk->count;
    walk->result = result;
    if (!NIL_P(lock)) rb_funcall(lock, id_exit, 0);
}

static void
walk_add_found(rake_walk *walk, VALUE task)
{
    if (walk->found_count == walk->found_capacity) {
        long capacity = walk->found_capacity ? walk->found_capacity * 2 : 64;

        REALLOC_N(walk->found, VALUE, capacity);
        walk->found_capacity = capacity;
    }
    walk->found[walk->found_count++] = task;
    walk_top(walk)->found++;
}

/* Enters the Monitor and makes the arguments of every task on the stack, as
 * user code may ask for them, and change prerequisites in place. */
static void
walk_settle_frames(rake_walk *walk)
{
    while (walk->settled < walk->count) {
        long index = walk->settled;
        VALUE task = walk->frames[index].task;
        VALUE lock = rake_task_lock(task);
        VALUE arguments = walk->arguments;

        if (index) {
            VALUE names = rb_funcall(task, id_arg_names, 0);

            arguments = rb_funcall(walk->frames[index - 1].arguments, id_new_scope, 1, names);
        }
        rb_funcall(lock, id_enter, 0);
        walk->frames[index].lock = lock;
        if (!NIL_P(walk->frames[index].names)) walk->frames[index].names = rb_ary_dup(walk->frames[index].names);
        walk->frames[index].arguments = arguments;
        walk->settled++;
    }
}

/* By another thread, or, as a Monitor is a fiber's, by another fiber of this one. */
static bool
locked_elsewhere(VALUE task)
{
    VALUE lock = rake_task_known_lock(task);

    if (NIL_P(lock)) return false;
    return RTEST(rb_funcall(lock, id_locked_p, 0)) && !RTEST(rb_funcall(lock, id_owned_p, 0));
}

/* Could a rule make this name's task? Then the look-up is Rake's. */
static bool
rules_match(rake_plan *plan, VALUE name)
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
synthesize(rake_plan *plan, VALUE name)
{
    VALUE task, tasks = rake_plan_tasks(plan);
    long slot;

    if (NIL_P(tasks) || !rake_task_definable() || rules_match(plan, name)) return Qnil;
    slot = rake_plan_name_slot(plan, name);
    if (rake_plan_stat(plan, slot, name) != FILE_PRESENT) return Qnil;
    task = rake_task_create(plan, rake_file_class, name);
    rb_hash_aset(tasks, name, task);
    rake_plan_give_slot(plan, slot, task);
    rake_facts_leaf(plan, slot, task);
    return task;
}

/* Finds a frame's prerequisites, all before the first is invoked, as Rake does. */
static bool
resolve(rake_walk *walk, rake_plan *plan)
{
    walk_frame *frame = walk_top(walk);
    VALUE names = frame->names, task = frame->task;
    long count = RARRAY_LEN(names), scope;

    if (frame->found == count) return true;
    scope = rake_facts(plan, frame->slot)->scope;
    if (walk->distrusted || scope < 0) return false;
    while (frame->found < count) {
        VALUE name = RARRAY_AREF(names, frame->found), behind;

        if (!rake_plan_provable_name(name)) return false;
        behind = rake_plan_find(plan, scope, name);
        if (NIL_P(behind)) behind = synthesize(plan, name);
        if (NIL_P(behind) || behind == task) return false;
        walk_add_found(walk, behind);
    }
    rake_facts_found(plan, frame->slot, walk->found + frame->first, count);
    return true;
}

/* Begins a task: Qundef when it is done or on the stack, else what Ruby must do. */
static VALUE
enter(rake_walk *walk, rake_plan *plan, VALUE task)
{
    VALUE order_only, names;
    rake_slot *facts;
    long slot;

    walk->child = task;
    if (walk->distrusted || rake_plan_kind(plan, task) == KIND_STRANGER) return sym_foreign;
    slot = rake_plan_slot(plan, task);
    facts = rake_facts(plan, slot);
    if (facts->kind == KIND_MULTI || facts->count < 0) return sym_foreign;
    if (walk_holds(walk, plan, slot, task)) return sym_circular;
    if (locked_elsewhere(task)) return sym_foreign;
    if (RTEST(rb_attr_get(task, rake_id_already_invoked))) {
        walk->result = Qnil;
        if (NIL_P(rb_attr_get(task, rake_id_invocation_exception))) return Qundef;
        walk_push(walk, plan, task, slot, Qnil);
        walk->frames[walk->count - 1].failed = true;
        return sym_failed;
    }
    rb_ivar_set(task, rake_id_already_invoked, Qtrue);
    if (facts->kind == KIND_FILE && facts->count == 0 && rake_closure_needed(plan, slot) == Qfalse) {
        walk->result = Qnil;
        return Qundef;
    }
    order_only = rake_task_order_only(task);
    names = rake_task_prerequisites(task);
    if (RARRAY_LEN(order_only)) names = rb_ary_plus(names, order_only);
    walk_push(walk, plan, task, slot, names);
    return Qundef;
}

/* Ends a task, or says what Ruby must do first. */
static VALUE
leave(rake_walk *walk, rake_plan *plan)
{
    walk_frame *frame = walk_top(walk);
    VALUE needed = walk->distrusted ? Qnil : rake_closure_needed(plan, frame->slot);
    VALUE actions, name;

    if (NIL_P(needed)) return sym_needed;
    if (needed == Qfalse) {
        walk_pop(walk, Qnil);
        return Qundef;
    }
    actions = rake_task_actions(frame->task);
    name = rake_task_name(frame->task);
    if (!RB_TYPE_P(actions, T_ARRAY) || RARRAY_LEN(actions) || !rake_plan_provable_name(name) ||
        rules_match(plan, name)) {
        return sym_execute;
    }
    walk_pop(walk, actions);
    return Qundef;
}

static VALUE
step(rake_walk *walk, rake_plan *plan)
{
    walk_frame *frame;

    if (!walk->count) return enter(walk, plan, walk->root);
    frame = walk_top(walk);
    if (frame->failed) return sym_failed;
    if (!resolve(walk, plan)) return sym_lookup;
    if (frame->next == frame->found) return leave(walk, plan);
    return enter(walk, plan, walk->found[frame->first + frame->next++]);
}

/*
 * advance -> :done, or what is wanted next:
 *   :lookup    find `name` for `task`, then supply it
 *   :foreign   invoke `child` with Rake's own method
 *   :circular  `child` stands on the walk already: raise
 *   :failed    `task` raised when it was invoked before: raise that again
 *   :needed    ask `task` whether it is needed
 *   :execute   run the actions of `task`, then finish it
 *
 * Cost: at most one stat(2) for each name in a generation; no exception.
 */
static VALUE
walk_advance(VALUE self)
{
    rake_walk *walk = walk_get(self);
    rake_plan *plan = rake_plan_get(walk->plan);
    bool alone = rb_thread_alone();
    VALUE wanted;

    if (!alone) rake_plan_forget(plan);
    do {
        if (walk->started && !walk->count) return sym_done;
        if (++walk->steps % STEPS_BETWEEN_INTERRUPT_CHECKS == 0) {
            if (!alone) walk_settle_frames(walk);
            rb_thread_check_ints();
            alone = rb_thread_alone();
            if (!alone) rake_plan_forget(plan);
        }
        wanted = step(walk, plan);
        walk->started = true;
    } while (wanted == Qundef);
    return wanted;
}

static VALUE
walk_settle(VALUE self)
{
    walk_settle_frames(walk_get(self));
    return Qnil;
}

/* The task on top of the stack. */
static VALUE
walk_task(VALUE self)
{
    return walk_top(walk_get(self))->task;
}

/* The task that was to be invoked next. */
static VALUE
walk_child(VALUE self)
{
    return walk_get(self)->child;
}

/* The name that was to be looked up. */
static VALUE
walk_name(VALUE self)
{
    walk_frame *frame = walk_top(walk_get(self));

    return rb_ary_entry(frame->names, frame->found);
}

/*
 * supply(task): what Ruby found. A rule may have made tasks; in a namespace
 * such a one can come before what other look-ups found.
 */
static VALUE
walk_supply(VALUE self, VALUE task)
{
    rake_walk *walk = walk_get(self);
    rake_plan *plan = rake_plan_get(walk->plan);

    if (RARRAY_LEN(plan->scope_prefixes)) rake_plan_restructure(plan);
    walk_add_found(walk, task);
    return Qnil;
}

/* The arguments of the task on top; the walk must be settled. */
static VALUE
walk_arguments(VALUE self)
{
    return walk_top(walk_get(self))->arguments;
}

/* What the task was invoked with that the walk began with. */
static VALUE
walk_root_arguments(VALUE self)
{
    return walk_get(self)->arguments;
}

/* The chain of invocations down to the task on top, as Rake would hold it. */
static VALUE
walk_chain(VALUE self)
{
    rake_walk *walk = walk_get(self);
    VALUE chain = walk->chain;

    for (long i = 0; i < walk->count; i++) {
        if (NIL_P(walk->frames[i].chain)) {
            VALUE link = rb_funcall(chain, id_conj, 1, walk->frames[i].task);

            walk->frames[i].chain = link;
        }
        chain = walk->frames[i].chain;
    }
    return chain;
}

/* Ends the task on top; its result is what invoke returns. */
static VALUE
walk_finish(VALUE self, VALUE result)
{
    walk_pop(walk_get(self), result);
    return Qnil;
}

static VALUE
walk_result(VALUE self)
{
    return walk_get(self)->result;
}

static VALUE
walk_depth(VALUE self)
{
    return LONG2NUM(walk_get(self)->count);
}

/* From here on every question goes to Rake's own methods. */
static VALUE
walk_distrust(VALUE self)
{
    walk_get(self)->distrusted = true;
    return Qnil;
}

void
frugal_rake_walk_init(void)
{
    VALUE walk = rb_define_class_under(frugal_mC, "RakeWalk", rb_cObject);

    id_head = rb_intern("@head");
    id_tail = rb_intern("@tail");
    id_rules = rb_intern("@rules");
    id_new_scope = rb_intern("new_scope");
    id_arg_names = rb_intern("arg_names");
    id_conj = rb_intern("conj");
    id_enter = rb_intern("mon_enter");
    id_exit = rb_intern("mon_exit");
    id_match_p = rb_intern("match?");
    id_locked_p = rb_intern("mon_locked?");
    id_owned_p = rb_intern("mon_owned?");
    sym_done = ID2SYM(rb_intern("done"));
    sym_lookup = ID2SYM(rb_intern("lookup"));
    sym_foreign = ID2SYM(rb_intern("foreign"));
    sym_circular = ID2SYM(rb_intern("circular"));
    sym_failed = ID2SYM(rb_intern("failed"));
    sym_needed = ID2SYM(rb_intern("needed"));
    sym_execute = ID2SYM(rb_intern("execute"));
    rb_define_alloc_func(walk, walk_allocate);
    rb_define_method(walk, "initialize", walk_initialize, 4);
    rb_define_method(walk, "advance", walk_advance, 0);
    rb_define_method(walk, "settle", walk_settle, 0);
    rb_define_method(walk, "task", walk_task, 0);
    rb_define_method(walk, "child", walk_child, 0);
    rb_define_method(walk, "name", walk_name, 0);
    rb_define_method(walk, "supply", walk_supply, 1);
    rb_define_method(walk, "arguments", walk_arguments, 0);
    rb_define_method(walk, "root_arguments", walk_root_arguments, 0);
    rb_define_method(walk, "chain", walk_chain, 0);
    rb_define_method(walk, "finish", walk_finish, 1);
    rb_define_method(walk, "result", walk_result, 0);
    rb_define_method(walk, "depth", walk_depth, 0);
    rb_define_method(walk, "distrust", walk_distrust, 0);
}
