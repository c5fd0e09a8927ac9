package frugal.walk;

import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;

/**
 * Opens the directories of a walk, relative to the descriptor of their parent. The parent stays open until all its
 * children are opened. If descriptors are scarce, directories are opened by their path from the root, of any length.
 */
final class Descriptors {
    private static final int OPEN = OpenFlags.O_RDONLY.intValue() | OpenFlags.O_CLOEXEC.intValue() |
        OpenFlags.O_DIRECTORY.intValue();
    private static final int NOFOLLOW = OpenFlags.O_NOFOLLOW.intValue();
    private static final int EINTR = Errno.EINTR.intValue();
    private static final int EMFILE = Errno.EMFILE.intValue();
    private static final int ENFILE = Errno.ENFILE.intValue();
    /** The most descriptors that are kept open for children, or half of the process's limit if that is less. */
    private static final int MOST = 512;
    /** How often an open is tried again while descriptors are scarce. */
    static final int TRIES = 200;
    /** The kernel's limit of a path, with its NUL. */
    private static final int PATH_MAX = 4096;

    private final AtomicInteger kept = new AtomicInteger();
    private volatile int most;
    private int root = -1;

    /** @return 0, or an errno. @param buffer with the path of the root */
    int openRoot(Buffer buffer) {
        long limit = Libc.descriptorLimit(buffer);
        most = limit > 0 && limit < 2 * MOST ? (int) (limit / 2) : MOST;
        int descriptor = open(Libc.AT_FDCWD, buffer, OPEN);
        root = Math.max(descriptor, -1);
        return descriptor < 0 ? -descriptor : 0;
    }

    /** The descriptor of the root. */
    int root() {
        return root;
    }

    /** @return a descriptor, or a negative errno */
    int open(Node node, Buffer buffer) {
        if (node.parent == null) return root;
        int flags = OPEN | (node.link ? 0 : NOFOLLOW);
        int descriptor;
        for (int tries = 0;; tries++) {
            descriptor = openOnce(node, buffer, flags);
            if (!scarce(-descriptor) || tries == TRIES) break;
            most = 0; // from now on no directory is kept open for its children
            pause();
        }
        release(node.parent);
        return descriptor;
    }

    private int openOnce(Node node, Buffer buffer, int flags) {
        int parent = node.parent.descriptor;
        if (node.parent.parent == null) parent = root;
        if (parent < 0) return openFromRoot(node, buffer, flags);
        int length = node.nameLength();
        buffer.put(0, node.parent.names, node.parent.begin(node.index), length);
        buffer.bytes.put(length, (byte) 0);
        return open(parent, buffer, flags);
    }

    /** @param buffer with a path. @return a descriptor, or a negative errno */
    static int open(int directory, Buffer buffer, int flags) {
        int descriptor;
        do {
            descriptor = Libc.openat(directory, buffer.address, flags, 0);
        } while (descriptor == -EINTR);
        return descriptor;
    }

    /** Opens a path of any length, in parts that the kernel accepts. */
    private int openFromRoot(Node node, Buffer buffer, int flags) {
        byte[] path = pathFromRoot(node);
        int directory = root;
        int from = 0;
        for (;;) {
            int end = path.length;
            if (end - from >= PATH_MAX) {
                end = from + PATH_MAX - 1;
                while (path[end] != '/') end--;
            }
            buffer.put(0, path, from, end - from);
            buffer.bytes.put(end - from, (byte) 0);
            int next = open(directory, buffer, end == path.length ? flags : OPEN);
            if (directory != root) Libc.close(directory);
            if (next < 0 || end == path.length) return next;
            directory = next;
            from = end + 1;
        }
    }

    private static byte[] pathFromRoot(Node node) {
        int size = -1;
        for (Node one = node; one.parent != null; one = one.parent) size += one.nameLength() + 1;
        byte[] path = new byte[size];
        int at = size;
        for (Node one = node; one.parent != null; one = one.parent) {
            at -= one.nameLength();
            one.copyName(path, at);
            if (--at >= 0) path[at] = '/';
        }
        return path;
    }

    /** Closes a parent when its last child was opened. The root stays open until the end. */
    private void release(Node parent) {
        if (parent.parent == null || parent.descriptor < 0 || !parent.childOpened()) return;
        closeKept(parent);
    }

    private void closeKept(Node node) {
        Libc.close(node.descriptor);
        node.descriptor = -1;
        kept.decrementAndGet();
    }

    /** Whether an errno means that the process, or the system, has no free descriptor. */
    static boolean scarce(int errno) {
        return errno == EMFILE || errno == ENFILE;
    }

    /** Waits for other workers, which close descriptors soon. */
    static void pause() {
        LockSupport.parkNanos(100_000);
    }

    /** Keeps a directory open for its children, or closes it if there are none, or if too many are open already. */
    void keepOrClose(Node node, int descriptor, int children) {
        if (node.parent == null) return;
        if (children == 0 || kept.get() >= most) {
            Libc.close(descriptor);
            return;
        }
        kept.incrementAndGet();
        node.awaitChildren(children);
        node.descriptor = descriptor;
    }

    /** Closes all open directories: the root, these directories, and the ones below. Call it when no worker runs. */
    void close(List<Node> tops) {
        if (root >= 0) Libc.close(root);
        root = -1;
        NodeStack rest = new NodeStack();
        for (Node top : tops) rest.push(top);
        while (kept.get() > 0 && !rest.isEmpty()) {
            Node node = rest.pop();
            if (node.descriptor >= 0) closeKept(node);
            for (Node child : node.children) rest.push(child);
        }
    }
}
