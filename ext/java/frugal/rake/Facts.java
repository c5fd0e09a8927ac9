package frugal.rake;

import org.jruby.RubyArray;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** What the plan has read of one task. Valid until Ruby code may have changed tasks. */
final class Facts {
    /** Kinds of tasks. A foreign task may behave differently from Rake's own. */
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
    /** Null if the task's scope is not one of Rake's. */
    final Scopes.Scope scope;
    /** The names of the prerequisites, order-only ones last; null if one of the two lists is not an Array. */
    final IRubyObject[] names;
    /** The plan's number when the facts were read. */
    final int structure;
    /** Whether the walk has just made the task, so nobody can have locked it. */
    boolean fresh;
    /** The answer about the file of this name, once it was needed. */
    FileAnswer answer;
    /** The tasks that were found for the names, and the answers for names without a task; with gaps, or null. */
    private Facts[] found;
    private FileAnswer[] leaves;

    Facts(ThreadContext context, Scopes scopes, IRubyObject task, IRubyObject application, int structure) {
        this.task = task;
        this.structure = structure;
        kind = kind(task, application);
        name = Tasks.NAME.get(task);
        provable = kind != FOREIGN && Names.provable(name);
        scope = kind == FOREIGN ? null : scopes.of(context, Tasks.SCOPE.get(task));
        names = kind == FOREIGN ? null : names(task);
    }

    /**
     * Whether the result of a look-up stays the same until code of Ruby runs. A name without a task may get one from
     * the walk; in a namespace, the new task may take precedence over another one.
     */
    boolean lasting() {
        return scope != null && scope.prefixes.isEmpty();
    }

    /** @return null if it is not known */
    Facts found(int index) {
        return found == null ? null : found[index];
    }

    void setFound(int index, Facts prerequisite) {
        if (found == null) found = new Facts[names.length];
        found[index] = prerequisite;
    }

    /** @return null if it is not known that the name had no task */
    FileAnswer leaf(int index) {
        return leaves == null ? null : leaves[index];
    }

    void setLeaf(int index, FileAnswer answer) {
        if (leaves == null) leaves = new FileAnswer[names.length];
        leaves[index] = answer;
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
        return Tasks.APPLICATION.get(task) == application ? kind : FOREIGN;
    }

    private static IRubyObject[] names(IRubyObject task) {
        IRubyObject prerequisites = Tasks.PREREQUISITES.get(task);
        IRubyObject orderOnly = Tasks.ORDER_ONLY.get(task);
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
