package frugal.walk;

import java.util.Arrays;

/** A stack of directories. Not for several threads at once. */
final class NodeStack {
    private Node[] nodes = new Node[64];
    private int count;

    int size() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void push(Node node) {
        if (count == nodes.length) nodes = Arrays.copyOf(nodes, 2 * count);
        nodes[count++] = node;
    }

    Node pop() {
        Node node = nodes[--count];
        nodes[count] = null;
        return node;
    }

    /** Moves nodes from the bottom: these are higher up in the tree, so there is more below them. */
    void giveOldest(int number, NodeStack to) {
        for (int i = 0; i < number; i++) to.push(nodes[i]);
        System.arraycopy(nodes, number, nodes, 0, count - number);
        clear(count - number);
    }

    /** Moves nodes from the top, in their order. */
    void giveLatest(int number, NodeStack to) {
        for (int i = count - number; i < count; i++) to.push(nodes[i]);
        clear(count - number);
    }

    private void clear(int from) {
        Arrays.fill(nodes, from, count, null);
        count = from;
    }
}
