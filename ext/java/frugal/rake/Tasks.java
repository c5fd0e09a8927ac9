package frugal.rake;

import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Reads the instance variables of Rake's tasks, and makes tasks. */
final class Tasks {
    static final Variable NAME = new Variable("@name");
    static final Variable PREREQUISITES = new Variable("@prerequisites");
    static final Variable ACTIONS = new Variable("@actions");
    static final Variable ALREADY_INVOKED = new Variable("@already_invoked");
    static final Variable COMMENTS = new Variable("@comments");
    static final Variable LOCK = new Variable("@lock");
    static final Variable APPLICATION = new Variable("@application");
    static final Variable SCOPE = new Variable("@scope");
    static final Variable ARG_NAMES = new Variable("@arg_names");
    static final Variable LOCATIONS = new Variable("@locations");
    static final Variable INVOCATION_EXCEPTION = new Variable("@invocation_exception");
    static final Variable ORDER_ONLY = new Variable("@order_only_prerequisites");

    private Tasks() {
    }

    /** @return nil if there is no such variable */
    static IRubyObject get(IRubyObject object, String variable) {
        IRubyObject value = object.getInstanceVariables().getInstanceVariable(variable);
        return value == null ? object.getRuntime().getNil() : value;
    }

    /**
     * Does what Task.new does, for Task, FileTask and FileCreationTask. It sets the same instance variables in the
     * same order, since `instance_variables` shows the order, and all are the task's own, since any Ruby code may read
     * them.
     */
    static IRubyObject create(Ruby runtime, IRubyObject application, RubyClass type, IRubyObject name) {
        IRubyObject nil = runtime.getNil();
        IRubyObject task = type.allocate();
        NAME.set(task, name);
        PREREQUISITES.set(task, RubyArray.newEmptyArray(runtime));
        ACTIONS.set(task, RubyArray.newEmptyArray(runtime));
        ALREADY_INVOKED.set(task, runtime.getFalse());
        COMMENTS.set(task, RubyArray.newEmptyArray(runtime));
        LOCK.set(task, Upstream.instance.monitor.allocate());
        APPLICATION.set(task, application);
        SCOPE.set(task, get(application, "@scope"));
        ARG_NAMES.set(task, nil);
        LOCATIONS.set(task, RubyArray.newEmptyArray(runtime));
        INVOCATION_EXCEPTION.set(task, nil);
        ORDER_ONLY.set(task, RubyArray.newEmptyArray(runtime));
        return task;
    }

    /** Whether {@link #enhance} does what Task#enhance would. */
    static boolean enhanceable(IRubyObject task) {
        IRubyObject actions = ACTIONS.get(task);
        return exactArray(PREREQUISITES.get(task)) && exactArray(actions) && !actions.isFrozen();
    }

    /**
     * Task#enhance. The task gets another Array each time, as by Rake's |=, unless no code of the program can have
     * seen the one that it has (`unseen`).
     *
     * @param prerequisites a new Array that the task may keep, or null
     * @param action a Proc, or null
     */
    static void enhance(ThreadContext context, IRubyObject task, RubyArray<?> prerequisites, IRubyObject action,
                        boolean unseen) {
        RubyArray<?> added = prerequisites;
        if (added == null && !unseen) added = RubyArray.newEmptyArray(context.runtime);
        if (added != null) {
            RubyArray<?> before = (RubyArray<?>) PREREQUISITES.get(task);
            PREREQUISITES.set(task, unseen && added.size() <= 1 ? added : before.op_or(added));
        }
        if (action != null) ((RubyArray<?>) ACTIONS.get(task)).append(action);
    }

    static boolean exactArray(IRubyObject value) {
        return value instanceof RubyArray && value.getMetaClass() == value.getRuntime().getArray();
    }
}
