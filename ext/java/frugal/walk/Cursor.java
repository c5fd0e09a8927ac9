package frugal.walk;

import java.util.Arrays;

/**
 * Goes through the entries of a tree in the order of the walk: a directory before its entries.
 *
 * <pre>{@code
 * for (Cursor cursor = new Cursor(root, false); cursor.next();) use(cursor.node(), cursor.entry());
 * }</pre>
 */
final class Cursor {
    private final boolean all;
    private Node[] nodes = new Node[16];
    private int[] entries = new int[16];
    private int[] children = new int[16]; // which child comes next
    private int depth;
    private Node below;

    /** @param all also entries that are only entered, not listed */
    Cursor(Node root, boolean all) {
        this.all = all;
        this.below = root;
    }

    /** The directory of the current entry. */
    Node node() {
        return nodes[depth - 1];
    }

    int entry() {
        return entries[depth - 1];
    }

    /** The node of the current entry, if it is entered, or null. */
    Node child() {
        return below;
    }

    /** @return false at the end */
    boolean next() {
        for (;;) {
            if (below != null && below.count() > 0) descend();
            below = null;
            if (depth == 0) return false;
            int top = depth - 1;
            Node node = nodes[top];
            int entry = ++entries[top];
            if (entry == node.count()) {
                nodes[top] = null;
                depth--;
                continue;
            }
            int child = children[top];
            if (child < node.children.length && node.children[child].index == entry) {
                below = node.children[child];
                children[top]++;
            }
            if (all || node.kept(entry)) return true;
        }
    }

    private void descend() {
        if (depth == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * depth);
            entries = Arrays.copyOf(entries, 2 * depth);
            children = Arrays.copyOf(children, 2 * depth);
        }
        nodes[depth] = below;
        entries[depth] = -1;
        children[depth++] = 0;
    }
}
