package frugal.rake;

import org.jruby.RubyArray;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** What the plan has read of one task. Valid until Ruby code may have changed tasks. */
final class Facts {
    /** Kinds of tasks. A foreign one may behave in another way than Rake's own. */
    static final int FOREIGN = 0;
    static final int TASK = 1;
    static final int MULTI = 2;
    static final int FILE = 3;
    static final int CREATION = 4;

    final IRubyObject task;
    final int kind;
    final IRubyObject name;
    /** Whether the name can be looked up here. */
    final boolean provable;
    /** Null where the task's scope is none of Rake's. */
    final Scopes.Scope scope;
    /** The names of the prerequisites, order-only ones last; null where one of the two lists is no Array. */
    final IRubyObject[] names;

    Facts(ThreadContext context, Scopes scopes, IRubyObject task, IRubyObject application) {
        this.task = task;
        kind = kind(task, application);
        name = Tasks.get(task, "@name");
        provable = kind != FOREIGN && Names.provable(name);
        scope = kind == FOREIGN ? null : scopes.of(context, Tasks.get(task, "@scope"));
        names = kind == FOREIGN ? null : names(task);
    }

    /**
     * A task with a singleton class (an override, an extension) is foreign. So is a frozen task: it cannot be invoked,
     * and Rake raises its own error.
     */
    static int kind(IRubyObject task, IRubyObject application) {
        Upstream upstream = Upstream.instance;
        Object type = task.getMetaClass();
        int kind = type == upstream.file ? FILE : type == upstream.task ? TASK
            : type == upstream.creation ? CREATION : type == upstream.multi ? MULTI : FOREIGN;
        if (kind == FOREIGN || task.isFrozen()) return FOREIGN;
        return Tasks.get(task, "@application") == application ? kind : FOREIGN;
    }

    private static IRubyObject[] names(IRubyObject task) {
        IRubyObject prerequisites = Tasks.get(task, "@prerequisites");
        IRubyObject orderOnly = Tasks.get(task, "@order_only_prerequisites");
        if (!(prerequisites instanceof RubyArray && orderOnly instanceof RubyArray)) return null;
        RubyArray<?> first = (RubyArray<?>) prerequisites;
        RubyArray<?> last = (RubyArray<?>) orderOnly;
        IRubyObject[] all = new IRubyObject[first.size() + last.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i < first.size() ? first.eltOk(i) : last.eltOk(i - first.size());
        }
        return all;
    }
}
