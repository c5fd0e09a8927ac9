package frugal.rake;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** The tasks that a walk has in progress, which Rake has in the frames of its recursion. */
final class Stack {
    /** The arguments of the task with which the walk began. */
    final IRubyObject arguments;
    private final Ruby runtime;
    private final List<Frame> frames = new ArrayList<>();
    private final Set<IRubyObject> tasks = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IRubyObject chain;
    private RubyArray<?> callers;

    /** @param chain the Rake::InvocationChain of the caller */
    Stack(Ruby runtime, IRubyObject arguments, IRubyObject chain) {
        this.runtime = runtime;
        this.arguments = arguments;
        this.chain = chain;
    }

    int depth() {
        return frames.size();
    }

    Frame top() {
        if (!frames.isEmpty()) return frames.get(frames.size() - 1);
        throw runtime.newRuntimeError("frugal: no task of the walk is in progress");
    }

    void push(Frame frame) {
        frames.add(frame);
        tasks.add(frame.task);
    }

    void pop(ThreadContext context) {
        Frame frame = top();
        frames.remove(frames.size() - 1);
        tasks.remove(frame.task);
        if (frame.lock != null) frame.lock.callMethod(context, "exit");
    }

    /** Whether a task is in progress, here or in the chain of the caller. */
    boolean has(ThreadContext context, IRubyObject task) {
        if (tasks.contains(task)) return true;
        if (callers == null) callers = (RubyArray<?>) chain.callMethod(context, "to_a");
        for (int i = 0; i < callers.size(); i++) {
            if (callers.eltOk(i) == task) return true;
        }
        return false;
    }

    /** Takes the locks and makes the arguments that the tasks would have in stock Rake. */
    void settle(ThreadContext context) {
        for (int i = 0; i < frames.size(); i++) {
            Frame frame = frames.get(i);
            if (frame.lock != null) continue;
            frame.arguments = i == 0 ? arguments : frames.get(i - 1).arguments.callMethod(
                context, "new_scope", frame.task.callMethod(context, "arg_names"));
            IRubyObject lock = Tasks.LOCK.get(frame.task);
            lock.callMethod(context, "enter");
            frame.lock = lock;
        }
    }

    /** The chain of invocations down to the task on top, as Rake would have it. */
    IRubyObject chain(ThreadContext context) {
        IRubyObject last = chain;
        for (Frame frame : frames) {
            if (frame.chain == null) frame.chain = last.callMethod(context, "conj", frame.task);
            last = frame.chain;
        }
        return last;
    }
}
