package frugal.rake;

import org.jruby.RubyArray;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Finds the prerequisites of a task by their names, all before the first is invoked, as Rake does. */
final class Resolution {
    private Resolution() {
    }

    /** @return false if Rake has to look the next name up */
    static boolean resolve(ThreadContext context, Plan plan, Frame frame) {
        if (frame.prerequisites.size() == frame.names.length) return true;
        if (frame.facts.scope == null) return false;
        boolean fresh = frame.facts.lasting() && plan.current(frame.facts);
        Boolean possible = null; // no code of the program runs in between
        while (frame.prerequisites.size() < frame.names.length) {
            int index = frame.prerequisites.size();
            Facts found = fresh ? frame.facts.found(index) : null;
            if (found == null) {
                IRubyObject name = frame.names[index];
                if (!Names.provable(name)) return false;
                FileAnswer leaf = fresh ? frame.facts.leaf(index) : null;
                found = leaf == null ? find(context, plan, frame, name) : made(plan, leaf);
                if (found == null) {
                    if (possible == null) possible = Upstream.instance.definitionPossible();
                    if (possible) found = synthesize(context, plan, (RubyString) name, leaf);
                }
            }
            if (found == null || found.task == frame.task) return false;
            if (fresh) frame.facts.setFound(index, found);
            frame.prerequisites.add(found);
        }
        return true;
    }

    private static Facts find(ThreadContext context, Plan plan, Frame frame, IRubyObject name) {
        IRubyObject task = plan.find(context, frame.facts.scope, name);
        return task == null ? null : plan.facts(context, task);
    }

    /** The task that the walk has made since the look-up of a name found none. */
    private static Facts made(Plan plan, FileAnswer leaf) {
        return leaf.made != null && plan.current(leaf.made) ? leaf.made : null;
    }

    /** Makes the task of a source file, as Rake does when it first looks the name up. */
    private static Facts synthesize(ThreadContext context, Plan plan, RubyString name, FileAnswer leaf) {
        RubyHash tasks = plan.tasks();
        if (tasks == null || rulesMatch(context, plan, name)) return null;
        FileAnswer answer = leaf == null ? plan.answer(name) : leaf;
        if (Plan.time(answer) < 0) return null;
        IRubyObject task = Tasks.create(context.runtime, plan.application, Upstream.instance.file, name);
        tasks.op_aset(context, name, task);
        Facts made = plan.facts(context, task);
        made.answer = answer;
        made.fresh = true;
        return answer.made = made;
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
