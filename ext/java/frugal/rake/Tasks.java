package frugal.rake;

import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyBasicObject;
import org.jruby.RubyClass;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Reads the instance variables of Rake's tasks, and makes tasks. */
final class Tasks {
    private Tasks() {
    }

    /** @return nil where there is no such variable */
    static IRubyObject get(IRubyObject object, String variable) {
        IRubyObject value = object.getInstanceVariables().getInstanceVariable(variable);
        return value == null ? object.getRuntime().getNil() : value;
    }

    static void set(IRubyObject object, String variable, IRubyObject value) {
        ((RubyBasicObject) object).setInstanceVariable(variable, value);
    }

    /**
     * Does what Task.new does, for Task, FileTask and FileCreationTask. It sets the same instance variables in the
     * same order, since `instance_variables` shows the order, and all are the task's own, since any Ruby code may read
     * them.
     */
    static IRubyObject create(Ruby runtime, IRubyObject application, RubyClass type, IRubyObject name) {
        IRubyObject nil = runtime.getNil();
        IRubyObject task = type.allocate();
        set(task, "@name", name);
        set(task, "@prerequisites", RubyArray.newEmptyArray(runtime));
        set(task, "@actions", RubyArray.newEmptyArray(runtime));
        set(task, "@already_invoked", runtime.getFalse());
        set(task, "@comments", RubyArray.newEmptyArray(runtime));
        set(task, "@lock", Upstream.instance.monitor.allocate());
        set(task, "@application", application);
        set(task, "@scope", get(application, "@scope"));
        set(task, "@arg_names", nil);
        set(task, "@locations", RubyArray.newEmptyArray(runtime));
        set(task, "@invocation_exception", nil);
        set(task, "@order_only_prerequisites", RubyArray.newEmptyArray(runtime));
        return task;
    }

    /** Whether {@link #enhance} does what Task#enhance would. */
    static boolean enhanceable(IRubyObject task) {
        IRubyObject actions = get(task, "@actions");
        return exactArray(get(task, "@prerequisites")) && exactArray(actions) && !actions.isFrozen();
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
            RubyArray<?> before = (RubyArray<?>) get(task, "@prerequisites");
            set(task, "@prerequisites", unseen && added.size() <= 1 ? added : before.op_or(added));
        }
        if (action != null) ((RubyArray<?>) get(task, "@actions")).append(action);
    }

    static boolean exactArray(IRubyObject value) {
        return value instanceof RubyArray && value.getMetaClass() == value.getRuntime().getArray();
    }
}
