package frugal.walk;

import frugal.walk.Refresh.Relisted;
import java.util.List;
import org.jruby.RubyArray;
import org.jruby.runtime.ThreadContext;

/** Compares the lists of a {@link Refresh} with those of the tree, and makes them the state of the tree. */
final class Changes {
    private final ThreadContext context;
    private final PathStrings paths;
    private final List<Relisted> relisted;
    private final int number;
    private final RubyArray<?> added;
    private final RubyArray<?> removed;

    /** @param number the number of the refresh, with which old nodes are marked */
    Changes(ThreadContext context, PathStrings paths, List<Relisted> relisted, int number) {
        this.context = context;
        this.paths = paths;
        this.relisted = relisted;
        this.number = number;
        this.added = context.runtime.newArray();
        this.removed = context.runtime.newArray();
    }

    // -- which paths were added and removed --

    /**
     * Compares the lists. Upper directories come first: this marks lower ones that were removed, or compared already.
     *
     * @return an Array of added and an Array of removed paths, in no order
     */
    RubyArray<?> compare() {
        NodeStack pairs = new NodeStack();
        for (Relisted one : relisted) {
            if (one.old.handled == number) continue;
            pairs.push(one.old);
            pairs.push(one.node);
            while (!pairs.isEmpty()) {
                Node node = pairs.pop();
                Node old = pairs.pop();
                if (old != one.old) old.handled = number;
                compare(old, node, pairs);
                context.pollThreadEvents();
            }
        }
        return RubyArray.newArray(context.runtime, added, removed);
    }

    private void compare(Node old, Node node, NodeStack pairs) {
        int i = 0;
        int j = 0;
        while (i < old.count() || j < node.count()) {
            int order = i == old.count() ? 1 : j == node.count() ? -1 : old.compareNames(i, node, j);
            if (order < 0) add(removed, old, i++);
            else if (order > 0) add(added, node, j++);
            else compareSame(old.childAt(i++), node.childAt(j++), node.previous != null, pairs);
        }
    }

    /** @param carriedOver {@link #keep} takes the old directory over as it is */
    private void compareSame(Node old, Node node, boolean carriedOver, NodeStack pairs) {
        if (old == null && node != null) addBelow(added, node);
        if (old != null && node == null) addBelow(removed, old);
        if (old == null || node == null || carriedOver) return;
        pairs.push(old);
        pairs.push(node);
    }

    private void add(RubyArray<?> list, Node node, int entry) {
        if (node.kept(entry)) list.append(paths.path(context, paths.beginning(node), node, entry));
        Node child = node.childAt(entry);
        if (child != null) addBelow(list, child);
    }

    /** Adds all paths below a directory. Removed directories are marked, so they are not compared again. */
    private void addBelow(RubyArray<?> list, Node top) {
        NodeStack stack = new NodeStack();
        stack.push(top);
        while (!stack.isEmpty()) {
            Node node = stack.pop();
            if (list == removed) node.handled = number;
            byte[] beginning = paths.beginning(node);
            for (int i = 0; i < node.count(); i++) {
                if (node.kept(i)) list.append(paths.path(context, beginning, node, i));
            }
            for (Node child : node.children) stack.push(child);
        }
    }

    // -- the new state --

    /** Makes the new lists the state of the tree. Nothing can interrupt it. */
    void keep() {
        for (int i = relisted.size(); i-- > 0;) {
            Relisted one = relisted.get(i);
            if (one.old.handled == number) continue;
            if (one.node.previous != null) carryOver(one.node);
            one.old.take(one.node);
        }
    }

    /** Takes over the subdirectories that still exist. All are found first: a node finds its name by its index. */
    private static void carryOver(Node node) {
        Node[] known = new Node[node.children.length];
        for (int i = 0; i < known.length; i++) known[i] = node.previous.child(node.children[i]);
        for (int i = 0; i < known.length; i++) {
            if (known[i] == null) continue;
            known[i].index = node.children[i].index;
            node.children[i] = known[i];
        }
        node.previous = null;
    }
}
