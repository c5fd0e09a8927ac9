package frugal.walk;

import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** The common methods of {@link Tree} and {@link Snapshot}: they read what was listed. */
public abstract class Listed extends RubyObject {
    transient Node root;
    transient Selection selection;
    /** Null: nothing is ignored. */
    transient IgnoreAbove above;
    transient PathStrings paths;
    transient Entries entries;
    /** The path of the root as it was given. */
    RubyString path;

    Listed(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    @JRubyMethod
    public IRubyObject size(ThreadContext context) {
        return context.runtime.newFixnum(entries.size());
    }

    /** at(index): a String. Raises IndexError for an index out of range. */
    @JRubyMethod
    public IRubyObject at(ThreadContext context, IRubyObject index) {
        long at = index.convertToInteger().getLongValue();
        if (at >= 0 && at < entries.size()) return entries.path(context, (int) at);
        throw context.runtime.newIndexError("frugal: no entry " + at + " of " + entries.size());
    }

    @Override
    @JRubyMethod
    public RubyArray<?> to_a(ThreadContext context) {
        return entries.paths(context, selection.threads);
    }

    /** failures: an Array of path and errno: directories that could not be listed completely, and files of rules. */
    @JRubyMethod
    public IRubyObject failures(ThreadContext context) {
        return new Failures(context, this).list();
    }

    /** longest: the length in bytes of the longest path of a directory that the walk enters. */
    @JRubyMethod
    public IRubyObject longest(ThreadContext context) {
        int longest = paths.length(root);
        for (Cursor cursor = new Cursor(root, true); cursor.next();) {
            if (cursor.child() != null) longest = Math.max(longest, paths.length(cursor.child()));
        }
        return context.runtime.newFixnum(longest);
    }
}
