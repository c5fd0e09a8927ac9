/*
 * Frugal::Native::C::RakeWalk: one invocation of a task and its direct and indirect
 * prerequisites, in Rake's order.
 *
 * Rake recurses: it invokes the prerequisites of a task, then the task. Here the
 * recursion is an explicit stack of frames, so that a chain of prerequisites may be
 * longer than a thread's stack. `advance` continues until Ruby has to act: run an
 * action, look a name up by rules, invoke a task that overrides a method. It returns
 * the action as a symbol; lib/frugal/dropin/rake/invocation.rb performs it and calls
 * `advance` again.
 *
 *   step    the stack is empty                     enter the root task
 *           a prerequisite of the top is not found resolve, or :lookup
 *           a prerequisite is not invoked          enter it
 *           all are invoked                        leave: pop, or :needed or :execute
 *
 * Locks and arguments are made only before user code runs: `settle` enters the Monitor
 * of every task on the stack, as Rake would have done by then. Between two calls of
 * `settle` no other thread can run, since the walk keeps the VM lock.
 */
#include "rake/rake_walk.h"

#include <ruby/thread.h>

#include "probe/probe.h"
#include "rake/rake_prefetch.h"
#include "rake/rake_closure.h"
#include "rake/rake_end.h"
#include "rake/rake_facts.h"
#include "rake/rake_leaf.h"
#include "rake/rake_lookup.h"
#include "rake/rake_plan.h"
#include "rake/rake_resolve.h"
#include "rake/rake_slots.h"
#include "rake/rake_stack.h"
#include "rake/rake_stat.h"
#include "rake/rake_task.h"

enum { STEPS_BETWEEN_INTERRUPT_CHECKS = 1024, MAX_PREFETCH = 8192 };

/* A thread for fewer tasks would cost more than it saves. */
static long min_prefetch = 512;

static ID id_stress, id_conj, id_locked_p, id_owned_p;
static VALUE sym_done, sym_lookup, sym_foreign, sym_circular, sym_failed, sym_needed, sym_execute;

/* RakeWalk.new(plan, task, arguments, chain) */
static VALUE
walk_initialize(VALUE self, VALUE plan, VALUE task, VALUE arguments, VALUE chain)
{
    rake_walk *walk = frugal_rake_walk_get(self);

    frugal_rake_plan_get(plan);
    walk->plan = plan;
    walk->root = task;
    walk->arguments = arguments;
    walk->chain = chain;
    return self;
}

/* Whether another thread holds the task's lock, or another fiber of this thread, since a fiber owns a Monitor. */
static bool
locked_elsewhere(VALUE task)
{
    VALUE lock = frugal_rake_task_lock(task);

    return RTEST(rb_funcall(lock, id_locked_p, 0)) && !RTEST(rb_funcall(lock, id_owned_p, 0));
}

/* Invokes a source file without a task. Returns false if it needs a task. */
static bool
enter_leaf(rake_walk *walk, rake_plan *plan, long slot)
{
    if (walk->stock_only || !plan->slots[slot].leaf) return false;
    if (!plan->slots[slot].leaf_invoked) {
        if (frugal_rake_closure_needed(plan, slot) != Qfalse) return false;
        plan->slots[slot].leaf_invoked = true;
    }
    walk->result = Qnil;
    return true;
}

/* Begins a task. Returns Qundef if it is done or on the stack now; otherwise the action that Ruby has to perform. */
static VALUE
enter(rake_walk *walk, rake_plan *plan, VALUE task)
{
    VALUE names;
    rake_slot *facts;
    bool has_order_only;
    long slot;

    if (LEAF_ENTRY_P(task)) {
        slot = LEAF_SLOT(task);
        if (enter_leaf(walk, plan, slot)) return Qundef;
        frugal_rake_leaf_make_tasks(plan);
        task = frugal_rake_slots_owner(plan, slot);
    }
    walk->child = task;
    slot = walk->stock_only ? -1 : frugal_rake_facts_slot(plan, task);
    if (slot < 0) return sym_foreign;
    facts = frugal_rake_facts(plan, slot);
    if (facts->kind == KIND_MULTI || facts->count < 0) return sym_foreign;
    if (frugal_rake_walk_in_chain(walk, plan, slot, task)) return sym_circular;
    if (locked_elsewhere(task)) return sym_foreign;
    if (frugal_rake_task_already_invoked(task)) {
        walk->result = Qnil;
        if (NIL_P(rb_attr_get(task, frugal_rake_id_invocation_exception))) return Qundef;
        frugal_rake_walk_push(walk, plan, task, slot, Qnil);
        walk->frames[walk->count - 1].failed = true;
        return sym_failed;
    }
    rb_ivar_set(task, frugal_rake_id_already_invoked, Qtrue);
    has_order_only = facts->has_order_only;
    if (facts->kind == KIND_FILE && facts->count == 0 && frugal_rake_closure_needed(plan, slot) == Qfalse) {
        walk->result = Qnil;
        return Qundef;
    }
    names = frugal_rake_task_prerequisites(task);
    if (has_order_only) names = rb_ary_concat(rb_ary_dup(names), frugal_rake_task_order_only(task));
    frugal_rake_walk_push(walk, plan, task, slot, names);
    return Qundef;
}

/* Ends the task on top and returns Qundef, or returns the action that Ruby has to perform first. */
static VALUE
leave(rake_walk *walk, rake_plan *plan)
{
    rake_frame *frame = frugal_rake_walk_top(walk);
    VALUE needed, actions, name;

    if (plan->slots[frame->slot].scope != 0) frugal_rake_leaf_make_tasks(plan); /* in a namespace, names hide others */
    needed = walk->stock_only ? Qnil : frugal_rake_closure_needed(plan, frame->slot);
    if (NIL_P(needed)) return sym_needed;
    if (needed == Qfalse) {
        frugal_rake_walk_pop(walk, Qnil);
        return Qundef;
    }
    actions = frugal_rake_task_actions(frame->task);
    name = frugal_rake_task_name(frame->task);
    if (!RB_TYPE_P(actions, T_ARRAY) || RARRAY_LEN(actions) || !frugal_rake_lookup_provable_name(name) ||
        frugal_rake_resolve_rules_match(plan, name)) {
        return sym_execute;
    }
    frugal_rake_walk_pop(walk, actions);
    return Qundef;
}

/*
 * Prefetches the files of the next tasks, but of at most as many as were entered since user code last ran. So at most
 * half of all calls of stat(2) are wasted.
 */
static void
prefetch_files(rake_walk *walk, rake_plan *plan, rake_frame *frame)
{
    long count = frame->found - frame->next;

    plan->entered++;
    if (frame->prefetch_generation != plan->generation) frame->prefetched = frame->next;
    frame->prefetch_generation = plan->generation;
    if (frame->next < frame->prefetched || plan->entered < min_prefetch || count < min_prefetch) return;
    if (walk->stock_only || walk->gc_allowed) return;
    if (count > (long)plan->entered) count = plan->entered;
    if (count > MAX_PREFETCH) count = MAX_PREFETCH; /* more would only use memory */
    frame->prefetched = frame->next + count;
    frugal_rake_prefetch_begin(plan, walk->found + frame->first + frame->next, count);
}

static VALUE
step(rake_walk *walk, rake_plan *plan)
{
    rake_frame *frame;

    if (!walk->count) return enter(walk, plan, walk->root);
    frame = frugal_rake_walk_top(walk);
    if (frame->failed) return sym_failed;
    if (!frugal_rake_resolve(walk, plan)) return sym_lookup;
    if (frame->next == frame->found) return leave(walk, plan);
    prefetch_files(walk, plan, frame);
    return enter(walk, plan, walk->found[frame->first + frame->next++]);
}

/* Lets signal handlers and other threads, which are user code, run. Returns whether this is the only thread. */
static bool
check_interrupts(rake_walk *walk, rake_plan *plan, bool alone)
{
    if (!alone) frugal_rake_walk_settle(walk);
    else if (!rb_thread_interrupted(rb_thread_current())) return true; /* finalizers, which are code, can wait */
    frugal_rake_prefetch_end(plan);
    frugal_rake_leaf_make_tasks(plan);
    walk->last = false;
    frugal_probe_check_interrupts();
    walk->definable = frugal_rake_resolve_definable();
    if (rb_thread_alone()) return true;
    walk->gc_allowed = true;
    walk->leaves = walk->last = false;
    frugal_rake_stat_invalidate(plan);
    return false;
}

/* The walk has ended. Leaves stay leaves if only the end of the process follows. */
static VALUE
done(rake_walk *walk)
{
    walk->ended = walk->last;
    return sym_done;
}

static VALUE
advance(VALUE self)
{
    rake_walk *walk = frugal_rake_walk_get(self);
    rake_plan *plan = frugal_rake_plan_get(walk->plan);
    bool alone = rb_thread_alone();
    VALUE action;

    if (!alone) frugal_rake_stat_invalidate(plan);
    do {
        if (walk->started && !walk->count) return done(walk);
        if (++walk->steps % STEPS_BETWEEN_INTERRUPT_CHECKS == 0) alone = check_interrupts(walk, plan, alone);
        action = step(walk, plan);
        walk->started = true;
    } while (action == Qundef);
    return action;
}

/* Called before Ruby code runs: ends the prefetching thread, and makes the tasks that the code may see. */
static VALUE
advance_end(VALUE self)
{
    rake_walk *walk = frugal_rake_walk_get(self);

    frugal_rake_prefetch_end(frugal_rake_plan_get(walk->plan));
    if (!walk->ended) frugal_rake_leaf_make_tasks(frugal_rake_plan_get(walk->plan));
    frugal_rake_leaf_forget_names(frugal_rake_plan_get(walk->plan));
    if (walk->gc_disabled) rb_gc_enable();
    return Qnil;
}

/*
 * advance -> :done, or the action that Ruby has to perform:
 *   :lookup    find `name` for `task`, then call `supply`
 *   :foreign   invoke `child` with Rake's own method
 *   :circular  raise, as `child` is already in the chain of invocations
 *   :failed    raise again the exception of the last invocation of `task`
 *   :needed    call the method `needed?` of `task`
 *   :execute   run the actions of `task`, then call `finish`
 *
 * The only objects allocated here are tasks of source files, which stay alive. A
 * garbage collection would free nothing, so it is disabled.
 *
 * Cost: at most one stat(2) for each name in a generation; no exception.
 */
static VALUE
walk_advance(VALUE self)
{
    rake_walk *walk = frugal_rake_walk_get(self);

    walk->gc_allowed = !rb_thread_alone() || RTEST(rb_funcall(rb_mGC, id_stress, 0));
    walk->definable = frugal_rake_resolve_definable();
    walk->leaves = !walk->gc_allowed && !frugal_rake_end_traced();
    walk->gc_disabled = !walk->gc_allowed && !RTEST(rb_gc_disable());
    return rb_ensure(advance, self, advance_end, self);
}

static VALUE
walk_settle(VALUE self)
{
    frugal_rake_walk_settle(frugal_rake_walk_get(self));
    return Qnil;
}

/* RakeWalk.min_prefetch = count: lets a test prefetch few files. */
static VALUE
walk_set_min_prefetch(VALUE klass, VALUE count)
{
    min_prefetch = NUM2LONG(count);
    return count;
}

/* The task on top of the stack. */
static VALUE
walk_task(VALUE self)
{
    return frugal_rake_walk_top(frugal_rake_walk_get(self))->task;
}

/* The task to invoke next, for :foreign and :circular. */
static VALUE
walk_child(VALUE self)
{
    return frugal_rake_walk_get(self)->child;
}

/* The name to look up, for :lookup. */
static VALUE
walk_name(VALUE self)
{
    rake_frame *frame = frugal_rake_walk_top(frugal_rake_walk_get(self));

    return rb_ary_entry(frame->names, frame->found);
}

/*
 * supply(task): adds the prerequisite that Ruby has found. A rule may have made tasks. In a namespace, such a task may
 * take precedence over a task that was found before.
 */
static VALUE
walk_supply(VALUE self, VALUE task)
{
    rake_walk *walk = frugal_rake_walk_get(self);
    rake_plan *plan = frugal_rake_plan_get(walk->plan);

    if (RARRAY_LEN(plan->scope_prefixes)) frugal_rake_plan_restructure(plan);
    frugal_rake_walk_add_found(walk, task);
    return Qnil;
}

/* The arguments of the task on top. Valid after `settle`. */
static VALUE
walk_arguments(VALUE self)
{
    return frugal_rake_walk_top(frugal_rake_walk_get(self))->arguments;
}

/* The chain of invocations down to the task on top, as Rake would have it. */
static VALUE
walk_chain(VALUE self)
{
    rake_walk *walk = frugal_rake_walk_get(self);
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

/* finish(result): ends the task on top. The result is what its `invoke` returns. */
static VALUE
walk_finish(VALUE self, VALUE result)
{
    frugal_rake_walk_pop(frugal_rake_walk_get(self), result);
    return Qnil;
}

/* distrust: from now on, Rake's own methods do everything. */
static VALUE
walk_distrust(VALUE self)
{
    frugal_rake_walk_get(self)->stock_only = true;
    return Qnil;
}

void
frugal_rake_walk_init(VALUE module)
{
    VALUE walk = frugal_rake_stack_define(module);

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
    rb_define_singleton_method(walk, "min_prefetch=", walk_set_min_prefetch, 1);
    rb_define_method(walk, "advance", walk_advance, 0);
    rb_define_method(walk, "settle", walk_settle, 0);
    rb_define_method(walk, "task", walk_task, 0);
    rb_define_method(walk, "child", walk_child, 0);
    rb_define_method(walk, "name", walk_name, 0);
    rb_define_method(walk, "supply", walk_supply, 1);
    rb_define_method(walk, "arguments", walk_arguments, 0);
    rb_define_method(walk, "chain", walk_chain, 0);
    rb_define_method(walk, "finish", walk_finish, 1);
    rb_define_method(walk, "distrust", walk_distrust, 0);
}
