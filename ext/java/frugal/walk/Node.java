package frugal.walk;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A directory that is entered: the names of its entries as bytes, one after the other, and a node for each entry that
 * is entered, too. One thread at a time works on a node.
 */
final class Node {
    private static final AtomicIntegerFieldUpdater<Node> UNOPENED =
        AtomicIntegerFieldUpdater.newUpdater(Node.class, "unopened");
    private static final byte[] NO_NAMES = {};
    private static final int[] NO_ENDS = {};
    private static final Node[] NO_CHILDREN = {};

    /** Null: this is the root. */
    Node parent;
    /** The index of this directory in its parent. */
    int index;
    /** Levels below the root, which has 0. */
    final int depth;
    /** A symbolic link leads here. */
    final boolean link;

    boolean entered;
    /** An errno, if it could not be listed completely. */
    int error;
    /** If `Selection.names` is not null: the directory has a name that is not plain. */
    boolean odd;
    /** Open until all children are opened, else -1. */
    int descriptor = -1;
    /** Set if links are followed. */
    long device;
    long inode;

    byte[] names = NO_NAMES;
    /** Where each name ends. */
    int[] ends = NO_ENDS;
    /** Whether each entry is listed, or only entered. Null: all are listed. */
    boolean[] kept;
    /** The entries that are entered, in the order of the entries. */
    Node[] children = NO_CHILDREN;
    /** Nanoseconds since 1970, and bytes, of each entry; with the option `stat`. */
    long[] mtimes;
    long[] sizes;

    /** With the option `gitignore`: the rules in this directory, or null. */
    IgnoreLevels.Own rules;

    /** In a snapshot: null if it could not be read. */
    Stamp stamp;
    /** In a refresh: the node of the same directory in the tree, whose children are not listed again. */
    Node previous;
    /** The last refresh that found it removed, or compared it already. */
    int handled;

    private volatile int unopened;

    Node(Node parent, int index, boolean link) {
        this.parent = parent;
        this.index = index;
        this.link = link;
        this.depth = parent == null ? 0 : parent.depth + 1;
    }

    int count() {
        return ends.length;
    }

    /** Where the name of an entry begins. */
    int begin(int entry) {
        return entry == 0 ? 0 : ends[entry - 1];
    }

    int length(int entry) {
        return ends[entry] - begin(entry);
    }

    boolean kept(int entry) {
        return kept == null || kept[entry];
    }

    int keptCount() {
        if (kept == null) return ends.length;
        int count = 0;
        for (boolean one : kept) {
            if (one) count++;
        }
        return count;
    }

    /** The length of this directory's own name; not for the root. */
    int nameLength() {
        return parent.length(index);
    }

    /** Copies this directory's own name; not for the root. */
    void copyName(byte[] target, int at) {
        System.arraycopy(parent.names, parent.begin(index), target, at, nameLength());
    }

    // -- for a refresh --

    /** The child of an entry, or null if that is not entered. */
    Node childAt(int entry) {
        int from = 0;
        int to = children.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (children[middle].index == entry) return children[middle];
            if (children[middle].index < entry) from = middle + 1;
            else to = middle;
        }
        return null;
    }

    /** The child with the name of another node's child, or null. Siblings are sorted. */
    Node child(Node other) {
        int from = 0;
        int to = children.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            int order = compareNames(children[middle].index, other.parent, other.index);
            if (order == 0) return children[middle];
            if (order < 0) from = middle + 1;
            else to = middle;
        }
        return null;
    }

    /** The order of the name of an entry and that of another node's. */
    int compareNames(int entry, Node other, int otherEntry) {
        int from = begin(entry);
        int otherFrom = other.begin(otherEntry);
        int end = Math.min(length(entry), other.length(otherEntry));
        for (int i = 0; i < end; i++) {
            int difference = (names[from + i] & 0xff) - (other.names[otherFrom + i] & 0xff);
            if (difference != 0) return difference;
        }
        return length(entry) - other.length(otherEntry);
    }

    /** Takes over what another node has listed. */
    void take(Node other) {
        entered = other.entered;
        error = other.error;
        names = other.names;
        ends = other.ends;
        kept = other.kept;
        children = other.children;
        rules = other.rules;
        stamp = other.stamp;
        for (Node child : children) child.parent = this;
    }

    // -- for the descriptors --

    void awaitChildren(int count) {
        unopened = count;
    }

    /** @return whether all children are opened now */
    boolean childOpened() {
        return UNOPENED.decrementAndGet(this) == 0;
    }
}
