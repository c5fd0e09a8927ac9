package frugal.rake;

import frugal.FileTimes;
import org.jruby.RubyArray;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Finds the prerequisites of a task by their names, all before the first is invoked, as Rake does. */
final class Resolution {
    private Resolution() {
    }

    /** @return false where Rake has to look the next name up */
    static boolean resolve(ThreadContext context, Plan plan, Frame frame) {
        if (frame.prerequisites.size() == frame.names.length) return true;
        if (frame.facts.scope == null) return false;
        Boolean possible = null; // no code of the program runs in between
        while (frame.prerequisites.size() < frame.names.length) {
            IRubyObject name = frame.names[frame.prerequisites.size()];
            if (!Names.provable(name)) return false;
            IRubyObject found = plan.find(context, frame.facts.scope, name);
            if (found == null) {
                if (possible == null) possible = Upstream.instance.definitionPossible();
                if (possible) found = synthesize(context, plan, (RubyString) name);
            }
            if (found == null || found == frame.task) return false;
            frame.prerequisites.add(found);
        }
        return true;
    }

    /** Makes the task of a source file, as Rake does when it first looks the name up. */
    private static IRubyObject synthesize(ThreadContext context, Plan plan, RubyString name) {
        RubyHash tasks = plan.tasks();
        if (tasks == null || rulesMatch(context, plan, name) || plan.time(name) < 0) return null;
        IRubyObject task = Tasks.create(context.runtime, plan.application, Upstream.instance.file, name);
        tasks.op_aset(context, name, task);
        return task;
    }

    static boolean rulesMatch(ThreadContext context, Plan plan, IRubyObject name) {
        IRubyObject rules = Tasks.get(plan.application, "@rules");
        if (!(rules instanceof RubyArray)) return true;
        RubyArray<?> all = (RubyArray<?>) rules;
        for (int i = 0; i < all.size(); i++) {
            IRubyObject rule = all.eltOk(i);
            if (!(rule instanceof RubyArray)) return true;
            IRubyObject pattern = ((RubyArray<?>) rule).entry(0);
            if (!pattern.isTrue()) continue;
            if (pattern.getMetaClass() != context.runtime.getRegexp()
                || pattern.callMethod(context, "match?", name).isTrue()) return true;
        }
        return false;
    }
}
