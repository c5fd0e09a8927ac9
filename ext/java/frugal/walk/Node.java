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
    final Node parent;
    /** Which entry of the parent this is. */
    final int index;
    /** Levels below the root, which has 0. */
    final int depth;
    /** A symbolic link leads here. */
    final boolean link;

    boolean entered;
    /** An errno, if it could not be listed completely. */
    int error;
    /** Open until all children are opened, else -1. */
    int descriptor = -1;
    /** Where links are followed. */
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

    /** Where `gitignore` is asked for: null, or the rules in this directory. */
    IgnoreLevels.Own rules;

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

    void awaitChildren(int count) {
        unopened = count;
    }

    /** @return whether all children are opened now */
    boolean childOpened() {
        return UNOPENED.decrementAndGet(this) == 0;
    }
}
