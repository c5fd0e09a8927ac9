package frugal.walk;

import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jruby.runtime.ThreadContext;

/**
 * Finds the directories of a tree that have changed since they were listed, with one statx each, and lists the changed
 * ones again. The tree itself does not change: {@link Changes} compares the lists, and makes the new ones its state.
 */
final class Refresh implements Workers.Task {
    /** A directory that is listed again: its node in the tree, and the node with the new list. */
    static final class Relisted {
        final Node old;
        final Node node;

        /** @param same it is the same directory: its children that still exist are not listed again */
        Relisted(Node old, boolean same) {
            this.old = old;
            node = new Node(old.parent, old.index, false);
            node.previous = same ? old : null;
        }
    }

    /** A longer path is not examined: the directory is listed again, which opens it in parts. */
    private static final int PATH_MAX = 4096;
    private static final int BETWEEN_EVENTS = 64;
    private static final int DIRECTORY = 0040000;
    private static final byte[] GITIGNORE = IgnoreFile.bytes(".gitignore");

    final List<Relisted> relisted = new ArrayList<>();
    private final Selection selection;
    private final Node root;
    private final Descriptors descriptors = new Descriptors();
    private IgnoreAbove above;
    private int examined;

    Refresh(Selection selection, Node root) {
        this.selection = selection;
        this.root = root;
    }

    /** Opens the root, whose path is in a buffer. @return 0, or an errno */
    int open(Buffer buffer) {
        return descriptors.openRoot(buffer);
    }

    int descriptor() {
        return descriptors.root();
    }

    /** Called if the root does not exist: all its entries are removed. */
    void missing() {
        if (root.entered) relisted.add(new Relisted(root, false));
    }

    /** Examines and lists. Throws for an event of the thread. @param above the rules as they are now, or null */
    void run(ThreadContext host, IgnoreAbove before, IgnoreAbove above) {
        this.above = above;
        Buffer buffer = Buffers.take();
        try {
            checkRoot(host, buffer, !Objects.equals(before, above));
        } finally {
            Buffers.give(buffer);
        }
        relisted.sort(Comparator.comparingInt(one -> one.node.depth));
        if (relisted.isEmpty()) return;
        List<Node> tops = new ArrayList<>();
        for (int i = relisted.size(); i-- > 0;) tops.add(relisted.get(i).node);
        new Workers(selection.threads, this).run(tops, host);
    }

    /** Closes all descriptors. */
    void close() {
        List<Node> tops = new ArrayList<>();
        for (Relisted one : relisted) tops.add(one.node);
        descriptors.close(tops);
    }

    // -- which directories have changed --

    private void checkRoot(ThreadContext host, Buffer buffer, boolean rulesChanged) {
        buffer.bytes.put(0, (byte) 0);
        boolean known = Libc.statx(descriptors.root(), buffer.address, Libc.AT_EMPTY_PATH, buffer.status()) == 0 &&
            !rulesChanged && root.stamp != null && root.stamp.same(buffer);
        if (!known) {
            relisted.add(new Relisted(root, false));
            return;
        }
        boolean changed = !root.stamp.reliable() || root.stamp.changed(buffer);
        if (changed || rulesMayDiffer(root, buffer, 0)) relisted.add(new Relisted(root, true));
        NodeStack stack = new NodeStack();
        stack.push(root);
        while (!stack.isEmpty()) checkChildren(host, stack.pop(), buffer, stack);
    }

    private void checkChildren(ThreadContext host, Node node, Buffer buffer, NodeStack stack) {
        if (node.children.length == 0) return;
        int length = writePath(node, buffer);
        for (Node child : node.children) {
            if (++examined % BETWEEN_EVENTS == 0) host.pollThreadEvents();
            int end = length + child.nameLength();
            boolean stated = child.stamp != null && child.stamp.reliable() && length >= 0 && end < PATH_MAX;
            if (stated && !sameDirectory(child, buffer, length, end)) {
                relisted.add(new Relisted(child, false));
                continue;
            }
            if (!stated || child.stamp.changed(buffer) || rulesMayDiffer(child, buffer, end)) {
                relisted.add(new Relisted(child, true));
            }
            stack.push(child);
        }
    }

    /** The path from the root with a slash at its end. @return its length, or -1 if it is too long */
    private static int writePath(Node node, Buffer buffer) {
        int length = 0;
        for (Node one = node; one.parent != null; one = one.parent) length += one.nameLength() + 1;
        if (length >= PATH_MAX) return -1;
        int at = length;
        for (Node one = node; one.parent != null; one = one.parent) {
            buffer.bytes.put(--at, (byte) '/');
            at -= one.nameLength();
            buffer.put(at, one.parent.names, one.parent.begin(one.index), one.nameLength());
        }
        return length;
    }

    private boolean sameDirectory(Node child, Buffer buffer, int at, int end) {
        buffer.put(at, child.parent.names, child.parent.begin(child.index), end - at);
        buffer.bytes.put(end, (byte) 0);
        int errno = -Libc.statx(descriptors.root(), buffer.address, Libc.AT_SYMLINK_NOFOLLOW, buffer.status());
        return errno == 0 && (Statx.mode(buffer) & Statx.FORMAT) == DIRECTORY && child.stamp.same(buffer);
    }

    /**
     * Whether the rules of a directory that was not listed again may have changed. A repository has several files of
     * rules, any of which may appear or disappear, and a .git without a HEAD may become one, so they are always read
     * again.
     *
     * @param end where the path of the directory in the buffer ends
     */
    private boolean rulesMayDiffer(Node node, Buffer buffer, int end) {
        if (node.rules == null) return false;
        IgnoreFile file = node.rules.file;
        if (node.rules.hasGit || file.error != 0 || file.stamp == null || !file.stamp.reliable()) return true;
        if (end + 1 + GITIGNORE.length >= PATH_MAX) return true;
        if (end > 0) buffer.bytes.put(end++, (byte) '/');
        buffer.put(end, GITIGNORE, 0, GITIGNORE.length);
        buffer.bytes.put(end + GITIGNORE.length, (byte) 0);
        int errno = -Libc.statx(descriptors.root(), buffer.address, Libc.AT_SYMLINK_NOFOLLOW, buffer.status());
        return errno != 0 || !file.stamp.same(buffer) || file.stamp.changed(buffer);
    }

    // -- listing --

    @Override
    public Listing listing() {
        return new Listing(selection, above);
    }

    @Override
    public void enter(Node node, NodeStack stack, Listing listing) {
        int descriptor = descriptors.open(node, listing.buffer);
        if (descriptor < 0) {
            node.error = -descriptor;
            return;
        }
        int before = stack.size();
        boolean listed = false;
        try {
            if (!stamp(node, descriptor, listing.buffer)) return;
            node.entered = true;
            listing.list(node, descriptor);
            if (node.previous != null && !Objects.equals(node.rules, node.previous.rules)) node.previous = null;
            for (int i = node.children.length; i-- > 0;) {
                Node child = node.children[i];
                if (node.previous == null || node.previous.child(child) == null) stack.push(child);
            }
            listed = true;
        } finally {
            if (!listed && node.parent != null) Libc.close(descriptor);
        }
        descriptors.keepOrClose(node, descriptor, stack.size() - before);
    }

    private static boolean stamp(Node node, int descriptor, Buffer buffer) {
        long now = Stamp.now();
        buffer.bytes.put(0, (byte) 0);
        node.error = -Libc.statx(descriptor, buffer.address, Libc.AT_EMPTY_PATH, buffer.status());
        if (node.error == 0) node.stamp = new Stamp(buffer, now);
        return node.error == 0;
    }
}
