package frugal.rake;

import java.util.ArrayList;
import java.util.List;
import org.jruby.runtime.builtin.IRubyObject;

/** A task whose invocation has started. */
final class Frame {
    final Facts facts;
    final IRubyObject task;
    /** The names of its prerequisites when it started. */
    final IRubyObject[] names;
    /** The tasks found for them so far. */
    final List<Facts> prerequisites;
    /** The index of the prerequisite to invoke next. */
    int next;
    /** The prerequisites before this one were prefetched, in that generation of the plan. */
    int prefetched;
    int prefetchGeneration = -1;
    /** Set before code of the program runs, to what Rake would have at that time. */
    IRubyObject arguments;
    IRubyObject chain;
    IRubyObject lock;
    /** Whether it raised when it was invoked before. */
    final boolean failed;

    Frame(Facts facts, IRubyObject[] names, boolean failed) {
        this.facts = facts;
        this.task = facts.task;
        this.names = names;
        this.failed = failed;
        this.prerequisites = new ArrayList<>(names.length);
    }
}
