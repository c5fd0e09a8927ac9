package frugal.walk;

import frugal.system.Helpers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.jruby.RubyArray;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** The listed entries of a tree by their index. Several threads may use it. */
final class Entries {
    /** Making this number of Strings takes longer than waking up a thread. */
    private static final int WORTH_A_THREAD = 4096;

    private final Node root;
    private final PathStrings paths;
    private final int size;
    private volatile Index index;
    private volatile Beginning latest;

    /** The directory of each entry, and the entry's index in it. */
    private static final class Index {
        final Node[] nodes;
        final int[] entries;

        Index(Node root, int size) {
            nodes = new Node[size];
            entries = new int[size];
            int at = 0;
            for (Cursor cursor = new Cursor(root, false); cursor.next(); at++) {
                nodes[at] = cursor.node();
                entries[at] = cursor.entry();
            }
        }
    }

    /** The common beginning of the paths in a directory. Made once for consecutive entries. */
    private static final class Beginning {
        final Node node;
        final byte[] bytes;

        Beginning(Node node, byte[] bytes) {
            this.node = node;
            this.bytes = bytes;
        }
    }

    Entries(Node root, PathStrings paths) {
        this.root = root;
        this.paths = paths;
        this.size = count(root);
    }

    int size() {
        return size;
    }

    /** @param at an index in range */
    RubyString path(ThreadContext context, int at) {
        Index index = index();
        Node node = index.nodes[at];
        Beginning beginning = latest;
        if (beginning == null || beginning.node != node) {
            latest = beginning = new Beginning(node, paths.beginning(node));
        }
        return paths.path(context, beginning.bytes, node, index.entries[at]);
    }

    /** All paths. Helpers make a part of them, unless another encoding is needed: its conversion runs Ruby code. */
    RubyArray<?> paths(ThreadContext context, int threads) {
        IRubyObject[] made = new IRubyObject[size];
        if (paths.converts()) {
            for (int i = 0; i < size; i++) made[i] = path(context, i);
        } else {
            make(made, Math.min(threads, 1 + size / WORTH_A_THREAD));
        }
        return RubyArray.newArrayNoCopy(context.runtime, made);
    }

    /** Makes the Strings in parts of equal size. The calling thread makes the parts for which there is no helper. */
    private void make(IRubyObject[] made, int parts) {
        Index index = index();
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int part = 1; part < parts; part++) {
            int from = (int) ((long) size * part / parts);
            int end = (int) ((long) size * (part + 1) / parts);
            tasks.add(Helpers.startOrRun(() -> make(made, index, from, end)));
        }
        make(made, index, 0, size / parts);
        for (FutureTask<Void> task : tasks) Helpers.await(task);
    }

    private void make(IRubyObject[] made, Index index, int from, int end) {
        Node node = null;
        byte[] beginning = null;
        for (int i = from; i < end; i++) {
            if (index.nodes[i] != node) {
                node = index.nodes[i];
                beginning = paths.beginning(node);
            }
            made[i] = paths.path(beginning, node, index.entries[i]);
        }
    }

    private Index index() {
        Index known = index;
        return known != null ? known : (index = new Index(root, size));
    }

    private static int count(Node root) {
        int count = 0;
        NodeStack stack = new NodeStack();
        stack.push(root);
        while (!stack.isEmpty()) {
            Node node = stack.pop();
            count += node.keptCount();
            for (Node child : node.children) stack.push(child);
        }
        return count;
    }
}
