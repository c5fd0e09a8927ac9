package frugal.rake;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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
 * Frugal::Native::Java::RakeWalk: one invocation of a task and its prerequisites, in Rake's order, on a stack of its
 * own. {@link #advance} continues until Ruby has to act, and returns the action; see Dropin::Rake::Invocation.
 */
public final class Walk extends RubyObject {
    private static final int STEPS_BETWEEN_EVENTS = 1024;

    private static final CallSite LOCKED = MethodIndex.getFunctionalCallSite("mon_locked?");
    private static final CallSite OWNED = MethodIndex.getFunctionalCallSite("mon_owned?");

    private final List<Frame> frames = new ArrayList<>();
    private final Set<IRubyObject> onStack = Collections.newSetFromMap(new IdentityHashMap<>());
    private Plan plan;
    private IRubyObject root;
    private IRubyObject arguments;
    private IRubyObject chain;
    private RubyArray<?> callers;
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
        arguments = given[2];
        chain = given[3];
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
            boolean alone = aloneOrInvalid(context);
            for (int steps = 1; !(started && frames.isEmpty()); steps++) {
                if (steps % STEPS_BETWEEN_EVENTS == 0) {
                    context.pollThreadEvents();
                    alone = aloneOrInvalid(context);
                }
                String action = step(context, alone);
                started = true;
                if (action != null) return context.runtime.newSymbol(action);
            }
            return context.runtime.newSymbol("done");
        }
    }

    /** While another thread may run, no answer is valid. */
    private boolean aloneOrInvalid(ThreadContext context) {
        if (Upstream.instance.alone()) return true;
        plan.invalidate(context);
        return false;
    }

    private String step(ThreadContext context, boolean alone) {
        if (frames.isEmpty()) return enter(context, root, alone);
        Frame frame = top();
        if (frame.failed) return "failed";
        if (frame.prerequisites.size() < frame.names.length
            && (stockOnly || !Resolution.resolve(context, plan, frame))) return "lookup";
        if (frame.next == frame.prerequisites.size()) return leave(context, frame);
        return enter(context, frame.prerequisites.get(frame.next++), alone);
    }

    private String enter(ThreadContext context, IRubyObject task, boolean alone) {
        child = task;
        // In Ruby code, another thread may run at any point. Then Rake's own method is called, with its locks.
        if (stockOnly || !alone) return "foreign";
        Facts facts = plan.facts(context, task);
        if (facts.kind == Facts.FOREIGN || facts.kind == Facts.MULTI || facts.names == null) return "foreign";
        if (inChain(context, task)) return "circular";
        if (lockedElsewhere(context, task)) return "foreign";
        if (!Tasks.get(task, "@already_invoked").isTrue()) {
            Tasks.set(task, "@already_invoked", context.tru);
            if (facts.names.length == 0 && facts.kind == Facts.FILE && isFalse(plan.needed(context, facts))) {
                result = context.nil;
                return null;
            }
            push(new Frame(facts, facts.names, false));
            return null;
        }
        result = context.nil;
        if (!Tasks.get(task, "@invocation_exception").isTrue()) return null;
        push(new Frame(facts, new IRubyObject[0], true));
        return "failed";
    }

    private String leave(ThreadContext context, Frame frame) {
        Boolean needed = stockOnly ? null : plan.needed(context, plan.facts(context, frame.task));
        if (needed == null) return "needed";
        if (!needed) {
            pop(context, context.nil);
            return null;
        }
        IRubyObject actions = Tasks.get(frame.task, "@actions");
        IRubyObject name = Tasks.get(frame.task, "@name");
        boolean empty = actions instanceof RubyArray && ((RubyArray<?>) actions).isEmpty();
        if (!empty || !Names.provable(name) || Resolution.rulesMatch(context, plan, name)) return "execute";
        pop(context, actions);
        return null;
    }

    private static boolean isFalse(Boolean known) {
        return known != null && !known;
    }

    private boolean inChain(ThreadContext context, IRubyObject task) {
        if (onStack.contains(task)) return true;
        if (callers == null) callers = (RubyArray<?>) chain.callMethod(context, "to_a");
        for (int i = 0; i < callers.size(); i++) {
            if (callers.eltOk(i) == task) return true;
        }
        return false;
    }

    /** A fiber owns a Monitor, so another fiber of this thread may hold it. */
    private static boolean lockedElsewhere(ThreadContext context, IRubyObject task) {
        IRubyObject lock = Tasks.get(task, "@lock");
        return LOCKED.call(context, lock, lock).isTrue() && !OWNED.call(context, lock, lock).isTrue();
    }

    /** Takes the locks and makes the arguments that the tasks on the stack would have in stock Rake. */
    @JRubyMethod
    public IRubyObject settle(ThreadContext context) {
        for (int i = 0; i < frames.size(); i++) {
            Frame frame = frames.get(i);
            if (frame.lock != null) continue;
            frame.arguments = i == 0 ? arguments : frames.get(i - 1).arguments.callMethod(
                context, "new_scope", frame.task.callMethod(context, "arg_names"));
            IRubyObject lock = Tasks.get(frame.task, "@lock");
            lock.callMethod(context, "enter");
            frame.lock = lock;
        }
        return context.nil;
    }

    @JRubyMethod
    public IRubyObject task(ThreadContext context) {
        return top().task;
    }

    /** The task to invoke next, for :foreign and :circular. */
    @JRubyMethod
    public IRubyObject child(ThreadContext context) {
        return child;
    }

    /** The name to look up, for :lookup. */
    @JRubyMethod
    public IRubyObject name(ThreadContext context) {
        return top().names[top().prerequisites.size()];
    }

    /**
     * Adds the prerequisite that Ruby has found. A rule may have made tasks, and in a namespace such a task can take
     * precedence over one that was found before.
     */
    @JRubyMethod
    public IRubyObject supply(ThreadContext context, IRubyObject task) {
        plan.restructure(context);
        top().prerequisites.add(task);
        return context.nil;
    }

    /** The arguments of the task on top. Valid after `settle`. */
    @JRubyMethod
    public IRubyObject arguments(ThreadContext context) {
        return top().arguments;
    }

    @JRubyMethod(name = "root_arguments")
    public IRubyObject rootArguments(ThreadContext context) {
        return arguments;
    }

    /** The chain of invocations down to the task on top, as Rake would have it. */
    @JRubyMethod
    public IRubyObject chain(ThreadContext context) {
        IRubyObject last = chain;
        for (Frame frame : frames) {
            if (frame.chain == null) frame.chain = last.callMethod(context, "conj", frame.task);
            last = frame.chain;
        }
        return last;
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
        return context.runtime.newFixnum(frames.size());
    }

    /** From now on, Rake's own methods do everything. */
    @JRubyMethod
    public IRubyObject distrust(ThreadContext context) {
        stockOnly = true;
        return context.nil;
    }

    private void push(Frame frame) {
        frames.add(frame);
        onStack.add(frame.task);
    }

    private void pop(ThreadContext context, IRubyObject result) {
        Frame frame = top();
        frames.remove(frames.size() - 1);
        onStack.remove(frame.task);
        this.result = result;
        if (frame.lock != null) frame.lock.callMethod(context, "exit");
    }

    private Frame top() {
        if (!frames.isEmpty()) return frames.get(frames.size() - 1);
        throw getRuntime().newRuntimeError("frugal: no task of the walk is in progress");
    }
}
