package frugal.walk;

import org.jruby.RubyArray;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;

/** The directories of a walk that could not be listed completely, and its files of rules that could not be read. */
final class Failures {
    private final ThreadContext context;
    private final Listed tree;
    private final RubyArray<?> list;

    Failures(ThreadContext context, Listed tree) {
        this.context = context;
        this.tree = tree;
        this.list = context.runtime.newArray();
    }

    /** @return an Array of Arrays with path and errno, in the order of the walk */
    RubyArray<?> list() {
        if (tree.above != null) {
            for (IgnoreAbove.Level level : tree.above.levels) add(tree.root, level.file);
        }
        if (tree.root.error != 0) add(tree.path, tree.root.error);
        addRules(tree.root);
        for (Cursor cursor = new Cursor(tree.root, true); cursor.next();) {
            Node child = cursor.child();
            if (child == null) continue;
            if (child.error != 0) add(path(cursor), child.error);
            addRules(child);
        }
        return list;
    }

    private RubyString path(Cursor cursor) {
        return tree.paths.path(context, tree.paths.beginning(cursor.node()), cursor.node(), cursor.entry());
    }

    private void addRules(Node node) {
        if (node.rules == null) return;
        if (node.rules.file != null) add(node, node.rules.file);
        if (node.rules.exclude != null) add(node, node.rules.exclude);
    }

    private void add(Node node, IgnoreFile file) {
        if (file.error != 0) add(tree.paths.file(context, node, file.path), file.error);
    }

    private void add(RubyString path, int errno) {
        list.append(RubyArray.newArray(context.runtime, path, context.runtime.newFixnum(errno)));
    }
}
