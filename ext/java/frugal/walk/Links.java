package frugal.walk;

import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import frugal.walk.Selection.Follow;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Decides which open directories are listed where links are followed.
 *
 * <p>With Follow.ONCE a directory is listed once: links wait until all real directories are listed, and are then
 * decided one by one, in the order of the walk. So the order in which the threads run does not decide which link enters
 * a directory.
 */
final class Links {
    private final Follow follow;
    private final Identities visited = new Identities();
    private final Deque<Node> waiting = new ArrayDeque<>();

    Links(Follow follow) {
        this.follow = follow;
    }

    /**
     * Whether to list an open directory: always, unless links are followed and it is a repetition. Any worker may call
     * this method, which does not change the set of visited directories.
     */
    boolean shouldList(Node node, int descriptor, Buffer buffer) {
        if (follow == Follow.NEVER) return true;
        buffer.bytes.put(0, (byte) 0);
        int errno = -Libc.statx(descriptor, buffer.address, Libc.AT_EMPTY_PATH, buffer.status());
        if (errno != 0) {
            node.error = errno;
            return false;
        }
        node.device = Statx.device(buffer);
        node.inode = Statx.inode(buffer);
        return follow == Follow.PATHS ? !ownAncestor(node) : !visited.contains(node.device, node.inode);
    }

    /** Even a real directory may be its own ancestor, below a link to a directory above the root. */
    private static boolean ownAncestor(Node node) {
        for (Node above = node.parent; above != null; above = above.parent) {
            if (above.inode == node.inode && above.device == node.device) return true;
        }
        return false;
    }

    /** Whether links to directories wait for {@link #next}. */
    boolean wait(Node node) {
        return node.link && follow == Follow.ONCE;
    }

    /** Marks all directories below one as visited, and adds the links below it to those that wait. */
    void gather(Node top) {
        NodeStack stack = new NodeStack();
        stack.push(top);
        while (!stack.isEmpty()) {
            Node node = stack.pop();
            if (node.link && node != top) {
                waiting.add(node);
            } else if (node.entered) {
                visited.add(node.device, node.inode);
                for (int i = node.children.length; i-- > 0;) stack.push(node.children[i]);
            }
        }
    }

    /** @return the next link to try, or null */
    Node next() {
        return waiting.poll();
    }
}
