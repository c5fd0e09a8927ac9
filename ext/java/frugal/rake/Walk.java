package frugal.rake;

import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.CallSite;
import org.jruby.runtime.MethodIndex;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Frugal::Native::Java::RakeWalk: one invocation of a task and its prerequisites, in Rake's order, on its own stack.
 * {@link #advance} continues until Ruby has to act, and returns the action; see Dropin::Rake::Invocation.
 */
public final class Walk extends RubyObject {
    private static final int STEPS_BETWEEN_EVENTS = 1024;

    private static final CallSite LOCKED = MethodIndex.getFunctionalCallSite("mon_locked?");
    private static final CallSite OWNED = MethodIndex.getFunctionalCallSite("mon_owned?");

    private Plan plan;
    private IRubyObject root;
    private Stack stack;
    private IRubyObject child;
    private IRubyObject result;
    private boolean started;
    private boolean stockOnly;

    public Walk(Ruby runtime, RubyClass type) {
        super(runtime, type);
        child = result = runtime.getNil();
    }

    /** RakeWalk.new(plan, task, arguments, chain) */
    @JRubyMethod(required = 4)
    public IRubyObject initialize(ThreadContext context, IRubyObject[] given) {
        plan = (Plan) given[0];
        root = given[1];
        stack = new Stack(context.runtime, given[2], given[3]);
        return this;
    }

    /**
     * Continues until Ruby has to act.
     *
     * <p>Cost: at most one statx(2) for each name until code of the program runs; no exception.
     *
     * @return :done, or the action: :lookup, :foreign, :circular, :failed, :needed or :execute
     */
    @JRubyMethod
    public IRubyObject advance(ThreadContext context) {
        synchronized (plan) {
            try {
                String action = untilAction(context);
                return context.runtime.newSymbol(action == null ? "done" : action);
            } finally {
                plan.endPrefetch();
            }
        }
    }

    private String untilAction(ThreadContext context) {
        boolean alone = aloneOrInvalid(context);
        for (int steps = 1; !(started && stack.depth() == 0); steps++) {
            if (steps % STEPS_BETWEEN_EVENTS == 0) {
                context.pollThreadEvents();
                alone = aloneOrInvalid(context);
            }
            String action = step(context, alone);
            started = true;
            if (action != null) return action;
        }
        return null;
    }

    /** While another thread may run, no answer is valid. */
    private boolean aloneOrInvalid(ThreadContext context) {
        if (Upstream.instance.alone()) return true;
        plan.invalidate(context);
        return false;
    }

    private String step(ThreadContext context, boolean alone) {
        if (stack.depth() == 0) return enter(context, plan.facts(context, root), alone);
        Frame frame = stack.top();
        if (frame.failed) return "failed";
        if (frame.prerequisites.size() < frame.names.length
            && (stockOnly || !Resolution.resolve(context, plan, frame))) return "lookup";
        if (frame.next == frame.prerequisites.size()) return leave(context, frame);
        if (alone && !stockOnly) plan.prefetch(context, frame);
        return enter(context, frame.prerequisites.get(frame.next++), alone);
    }

    private String enter(ThreadContext context, Facts found, boolean alone) {
        IRubyObject task = child = found.task;
        // In Ruby code, another thread may run at any point. Then Rake's own method is called, with its locks.
        if (stockOnly || !alone) return "foreign";
        Facts facts = plan.current(context, found);
        if (facts.kind == Facts.FOREIGN || facts.kind == Facts.MULTI || facts.names == null) return "foreign";
        if (stack.has(context, task)) return "circular";
        if (!facts.fresh && lockedElsewhere(context, task)) return "foreign";
        if (!Tasks.ALREADY_INVOKED.get(task).isTrue()) {
            Tasks.ALREADY_INVOKED.set(task, context.tru);
            if (facts.names.length == 0 && facts.kind == Facts.FILE && isFalse(plan.needed(context, facts))) {
                result = context.nil;
                return null;
            }
            stack.push(new Frame(facts, facts.names, false));
            return null;
        }
        result = context.nil;
        if (!Tasks.INVOCATION_EXCEPTION.get(task).isTrue()) return null;
        stack.push(new Frame(facts, new IRubyObject[0], true));
        return "failed";
    }

    private String leave(ThreadContext context, Frame frame) {
        Boolean needed = stockOnly ? null : plan.needed(context, plan.current(context, frame.facts));
        if (needed == null) return "needed";
        if (!needed) {
            pop(context, context.nil);
            return null;
        }
        IRubyObject actions = Tasks.ACTIONS.get(frame.task);
        IRubyObject name = Tasks.NAME.get(frame.task);
        boolean empty = actions instanceof RubyArray && ((RubyArray<?>) actions).isEmpty();
        if (!empty || !Names.provable(name) || Resolution.rulesMatch(context, plan, name)) return "execute";
        pop(context, actions);
        return null;
    }

    private static boolean isFalse(Boolean known) {
        return known != null && !known;
    }

    /** A fiber owns a Monitor, so another fiber of this thread may hold it. */
    private static boolean lockedElsewhere(ThreadContext context, IRubyObject task) {
        IRubyObject lock = Tasks.LOCK.get(task);
        return LOCKED.call(context, lock, lock).isTrue() && !OWNED.call(context, lock, lock).isTrue();
    }

    /** Takes the locks and makes the arguments that the tasks on the stack would have in stock Rake. */
    @JRubyMethod
    public IRubyObject settle(ThreadContext context) {
        stack.settle(context);
        return context.nil;
    }

    @JRubyMethod
    public IRubyObject task(ThreadContext context) {
        return stack.top().task;
    }

    /** The task to invoke next, for :foreign and :circular. */
    @JRubyMethod
    public IRubyObject child(ThreadContext context) {
        return child;
    }

    /** The name to look up, for :lookup. */
    @JRubyMethod
    public IRubyObject name(ThreadContext context) {
        return stack.top().names[stack.top().prerequisites.size()];
    }

    /**
     * Adds the prerequisite that Ruby has found. A rule may have made tasks, and in a namespace such a task can take
     * precedence over one that was found before.
     */
    @JRubyMethod
    public IRubyObject supply(ThreadContext context, IRubyObject task) {
        plan.restructure(context);
        stack.top().prerequisites.add(plan.facts(context, task));
        return context.nil;
    }

    /** The arguments of the task on top. Valid after `settle`. */
    @JRubyMethod
    public IRubyObject arguments(ThreadContext context) {
        return stack.top().arguments;
    }

    @JRubyMethod(name = "root_arguments")
    public IRubyObject rootArguments(ThreadContext context) {
        return stack.arguments;
    }

    /** The chain of invocations down to the task on top, as Rake would have it. */
    @JRubyMethod
    public IRubyObject chain(ThreadContext context) {
        return stack.chain(context);
    }

    /** Ends the task on top. The result is what its `invoke` returns. */
    @JRubyMethod
    public IRubyObject finish(ThreadContext context, IRubyObject result) {
        pop(context, result);
        return context.nil;
    }

    @JRubyMethod
    public IRubyObject result(ThreadContext context) {
        return result;
    }

    @JRubyMethod
    public IRubyObject depth(ThreadContext context) {
        return context.runtime.newFixnum(stack.depth());
    }

    /** From now on, Rake's own methods do everything. */
    @JRubyMethod
    public IRubyObject distrust(ThreadContext context) {
        stockOnly = true;
        return context.nil;
    }

    private void pop(ThreadContext context, IRubyObject result) {
        this.result = result;
        stack.pop(context);
    }
}
