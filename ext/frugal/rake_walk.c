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

/* Fewer tasks are not worth a thread. */
static long least_ahead = 512;

static ID id_stress, id_conj, id_locked_p, id_owned_p;
static VALUE sym_done, sym_lookup, sym_foreign, sym_circular, sym_failed, sym_needed, sym_execute;

/* RakeWalk.new(plan, task, arguments, chain) */
static VALUE
walk_initialize(VALUE self, VALUE plan, VALUE task, VALUE arguments, VALUE chain)
{
    rake_walk *walk = rake_walk_get(self);

    rake_plan_get(plan);
    walk->plan = plan;
    walk->root = task;
    walk->arguments = arguments;
    walk->chain = chain;
    return self;
}

/* By another thread, or, as a Monitor is a fiber's, by another fiber of this one. */
static bool
locked_elsewhere(VALUE task)
{
    VALUE lock = rake_task_lock(task);

    return RTEST(rb_funcall(lock, id_locked_p, 0)) && !RTEST(rb_funcall(lock, id_owned_p, 0));
}

/* Begins a task: Qundef when it is done or on the stack, else what Ruby must do. */
static VALUE
enter(rake_walk *walk, rake_plan *plan, VALUE task)
{
    VALUE names;
    rake_slot *facts;
    bool ordered;
    long slot;

    walk->child = task;
    slot = walk->distrusted ? -1 : rake_facts_slot(plan, task);
    if (slot < 0) return sym_foreign;
    facts = rake_facts(plan, slot);
    if (facts->kind == KIND_MULTI || facts->count < 0) return sym_foreign;
    if (rake_walk_holds(walk, plan, slot, task)) return sym_circular;
    if (locked_elsewhere(task)) return sym_foreign;
    if (RTEST(rb_attr_get(task, rake_id_already_invoked))) {
        walk->result = Qnil;
        if (NIL_P(rb_attr_get(task, rake_id_invocation_exception))) return Qundef;
        rake_walk_push(walk, plan, task, slot, Qnil);
        walk->frames[walk->count - 1].failed = true;
        return sym_failed;
    }
    rb_ivar_set(task, rake_id_already_invoked, Qtrue);
    ordered = facts->ordered;
    if (facts->kind == KIND_FILE && facts->count == 0 && rake_closure_needed(plan, slot) == Qfalse) {
        walk->result = Qnil;
        return Qundef;
    }
    names = rake_task_prerequisites(task);
    if (ordered) names = rb_ary_concat(rb_ary_dup(names), rake_task_order_only(task));
    rake_walk_push(walk, plan, task, slot, names);
    return Qundef;
}

/* Ends a task, or says what Ruby must do first. */
static VALUE
leave(rake_walk *walk, rake_plan *plan)
{
    rake_frame *frame = rake_walk_top(walk);
    VALUE needed = walk->distrusted ? Qnil : rake_closure_needed(plan, frame->slot);
    VALUE actions, name;

    if (NIL_P(needed)) return sym_needed;
    if (needed == Qfalse) {
        rake_walk_pop(walk, Qnil);
        return Qundef;
    }
    actions = rake_task_actions(frame->task);
    name = rake_task_name(frame->task);
    if (!RB_TYPE_P(actions, T_ARRAY) || RARRAY_LEN(actions) || !rake_plan_provable_name(name) ||
        rake_resolve_rules_match(plan, name)) {
        return sym_execute;
    }
    rake_walk_pop(walk, actions);
    return Qundef;
}

/*
 * Asks for the files of the next tasks at once: of as many as were entered
 * since user code ran, so that at most half the questions are in vain.
 */
static void
look_ahead(rake_walk *walk, rake_plan *plan, rake_frame *frame)
{
    long count = frame->found - frame->next;

    plan->quiet++;
    if (frame->ahead_generation != plan->generation) frame->ahead = frame->next;
    frame->ahead_generation = plan->generation;
    if (frame->next < frame->ahead || plan->quiet < least_ahead || count < least_ahead || walk->distrusted || walk->collecting) return;
    if (count > (long)plan->quiet) count = plan->quiet;
    frame->ahead = frame->next + count;
    rake_ahead_begin(plan, walk->found + frame->first + frame->next, count);
}

static VALUE
step(rake_walk *walk, rake_plan *plan)
{
    rake_frame *frame;

    if (!walk->count) return enter(walk, plan, walk->root);
    frame = rake_walk_top(walk);
    if (frame->failed) return sym_failed;
    if (!rake_resolve(walk, plan)) return sym_lookup;
    if (frame->next == frame->found) return leave(walk, plan);
    look_ahead(walk, plan, frame);
    return enter(walk, plan, walk->found[frame->first + frame->next++]);
}

/* A signal's handler, or another thread: user code. */
static bool
check_interrupts(rake_walk *walk, rake_plan *plan, bool alone)
{
    if (!alone) rake_walk_settle(walk);
    if (rb_thread_interrupted(rb_thread_current())) rake_ahead_end(plan);
    rb_thread_check_ints();
    if (rb_thread_alone()) return true;
    walk->collecting = true;
    rake_plan_forget(plan);
    return false;
}

static VALUE
advance(VALUE self)
{
    rake_walk *walk = rake_walk_get(self);
    rake_plan *plan = rake_plan_get(walk->plan);
    bool alone = rb_thread_alone();
    VALUE wanted;

    if (!alone) rake_plan_forget(plan);
    do {
        if (walk->started && !walk->count) return sym_done;
        if (++walk->steps % STEPS_BETWEEN_INTERRUPT_CHECKS == 0) alone = check_interrupts(walk, plan, alone);
        wanted = step(walk, plan);
        walk->started = true;
    } while (wanted == Qundef);
    return wanted;
}

/* No thread of ours is left when Ruby code runs. */
static VALUE
advance_end(VALUE self)
{
    rake_walk *walk = rake_walk_get(self);

    rake_ahead_end(rake_plan_get(walk->plan));
    if (walk->pausing) rb_gc_enable();
    return Qnil;
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
 * All that is allocated here, the tasks of leaf files, stays alive: a garbage
 * collection in between would find nothing, and is put off.
 *
 * Cost: at most one stat(2) for each name in a generation; no exception.
 */
static VALUE
walk_advance(VALUE self)
{
    rake_walk *walk = rake_walk_get(self);

    walk->collecting = !rb_thread_alone() || RTEST(rb_funcall(rb_mGC, id_stress, 0));
    walk->pausing = !walk->collecting && !RTEST(rb_gc_disable());
    return rb_ensure(advance, self, advance_end, self);
}

static VALUE
walk_settle(VALUE self)
{
    rake_walk_settle(rake_walk_get(self));
    return Qnil;
}

/* RakeWalk.least_ahead = tasks: lets a test look ahead in a small tree. */
static VALUE
walk_set_least_ahead(VALUE klass, VALUE count)
{
    least_ahead = NUM2LONG(count);
    return count;
}

/* The task on top of the stack. */
static VALUE
walk_task(VALUE self)
{
    return rake_walk_top(rake_walk_get(self))->task;
}

/* The task that was to be invoked next. */
static VALUE
walk_child(VALUE self)
{
    return rake_walk_get(self)->child;
}

/* The name that was to be looked up. */
static VALUE
walk_name(VALUE self)
{
    rake_frame *frame = rake_walk_top(rake_walk_get(self));

    return rb_ary_entry(frame->names, frame->found);
}

/*
 * supply(task): what Ruby found. A rule may have made tasks; in a namespace
 * such a one can come before what other look-ups found.
 */
static VALUE
walk_supply(VALUE self, VALUE task)
{
    rake_walk *walk = rake_walk_get(self);
    rake_plan *plan = rake_plan_get(walk->plan);

    if (RARRAY_LEN(plan->scope_prefixes)) rake_plan_restructure(plan);
    rake_walk_add_found(walk, task);
    return Qnil;
}

/* The arguments of the task on top; the walk must be settled. */
static VALUE
walk_arguments(VALUE self)
{
    return rake_walk_top(rake_walk_get(self))->arguments;
}

/* What the task was invoked with that the walk began with. */
static VALUE
walk_root_arguments(VALUE self)
{
    return rake_walk_get(self)->arguments;
}

/* The chain of invocations down to the task on top, as Rake would hold it. */
static VALUE
walk_chain(VALUE self)
{
    rake_walk *walk = rake_walk_get(self);
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
    rake_walk_pop(rake_walk_get(self), result);
    return Qnil;
}

static VALUE
walk_result(VALUE self)
{
    return rake_walk_get(self)->result;
}

static VALUE
walk_depth(VALUE self)
{
    return LONG2NUM(rake_walk_get(self)->count);
}

/* From here on every question goes to Rake's own methods. */
static VALUE
walk_distrust(VALUE self)
{
    rake_walk_get(self)->distrusted = true;
    return Qnil;
}

void
frugal_rake_walk_init(void)
{
    VALUE walk = rake_walk_define();

    rake_resolve_init();
    id_stress = rb_intern("stress");
    id_conj = rb_intern("conj");
    id_locked_p = rb_intern("mon_locked?");
    id_owned_p = rb_intern("mon_owned?");
    sym_done = ID2SYM(rb_intern("done"));
    sym_lookup = ID2SYM(rb_intern("lookup"));
    sym_foreign = ID2SYM(rb_intern("foreign"));
    sym_circular = ID2SYM(rb_intern("circular"));
    sym_failed = ID2SYM(rb_intern("failed"));
    sym_needed = ID2SYM(rb_intern("needed"));
    sym_execute = ID2SYM(rb_intern("execute"));
    rb_define_method(walk, "initialize", walk_initialize, 4);
    rb_define_singleton_method(walk, "least_ahead=", walk_set_least_ahead, 1);
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
