package frugal.walk;

import org.jruby.RubyArray;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;

/** The directories of a walk that could not be listed completely, and the files of ignore rules that could not be read. */
final class Failures {
    private final ThreadContext context;
    private final Walk walk;
    private final PathStrings paths;
    private final RubyString root;
    private final RubyArray<?> list;

    /** @param root its path as it was given */
    Failures(ThreadContext context, Walk walk, PathStrings paths, RubyString root) {
        this.context = context;
        this.walk = walk;
        this.paths = paths;
        this.root = root;
        this.list = context.runtime.newArray();
    }

    /** @return an Array of Arrays with path and errno, in the order of the walk */
    RubyArray<?> list() {
        if (walk.above() != null) {
            for (IgnoreAbove.Level level : walk.above().levels) add(walk.root, level.file);
        }
        if (walk.root.error != 0) add(root, walk.root.error);
        addRules(walk.root);
        for (Cursor cursor = new Cursor(walk.root, true); cursor.next();) {
            Node child = cursor.child();
            if (child == null) continue;
            if (child.error != 0) add(path(cursor), child.error);
            addRules(child);
        }
        return list;
    }

    private RubyString path(Cursor cursor) {
        return paths.path(context, paths.beginning(cursor.node()), cursor.node(), cursor.entry());
    }

    private void addRules(Node node) {
        if (node.rules == null) return;
        if (node.rules.file != null) add(node, node.rules.file);
        if (node.rules.exclude != null) add(node, node.rules.exclude);
    }

    private void add(Node node, IgnoreFile file) {
        if (file.error != 0) add(paths.file(context, node, file.path), file.error);
    }

    private void add(RubyString path, int errno) {
        list.append(RubyArray.newArray(context.runtime, path, context.runtime.newFixnum(errno)));
    }
}
