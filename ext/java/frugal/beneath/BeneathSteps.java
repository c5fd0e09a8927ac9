package frugal.beneath;

import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;

/**
 * Opens a path beneath a directory, name by name, where openat2(2) is not available. No name is opened through a link:
 * the link's text replaces its name, and is followed in the same way. ".." is never passed to the kernel, which would
 * go to the parent of the place to which the directory may have been moved. Instead the names before it are opened
 * again from the root, without the last. The twin of ext/frugal/core/beneath/beneath_steps.c.
 */
final class BeneathSteps {
    private static final int ENOENT = Errno.ENOENT.intValue();
    private static final int EISDIR = Errno.EISDIR.intValue();
    private static final int EXDEV = Errno.EXDEV.intValue();
    private static final int EINVAL = Errno.EINVAL.intValue();
    private static final int ELOOP = Errno.ELOOP.intValue();
    private static final int EMLINK = Errno.EMLINK.intValue();
    private static final int ENOTDIR = Errno.ENOTDIR.intValue();
    private static final int ENAMETOOLONG = Errno.ENAMETOOLONG.intValue();
    private static final int NOFOLLOW = OpenFlags.O_NOFOLLOW.intValue() | OpenFlags.O_CLOEXEC.intValue();
    private static final int DIRECTORY = Libc.O_PATH | OpenFlags.O_DIRECTORY.intValue() | NOFOLLOW;
    private static final int LINK_ROOM = 4096;
    private static final int MAX_LINKS = 40; // Linux's limit
    private static final int MAX_RESTARTS = 512;
    private static final byte[] NONE = {};

    private final int root;
    private final boolean follow;
    private final int flags;
    private final Deque<byte[]> remaining = new ArrayDeque<>();
    private final List<byte[]> done = new ArrayList<>(); // the names between the root and the current directory
    private int directory;
    private int links;
    private int restarts;

    private BeneathSteps(int root, boolean follow, int flags) {
        this.root = root;
        this.directory = root;
        this.follow = follow;
        this.flags = flags;
    }

    /**
     * @param follow whether links that stay beneath the directory are followed
     * @param flags for the last name
     * @return a descriptor, or a negative errno
     */
    static int open(int root, byte[] path, boolean follow, int flags) {
        BeneathSteps steps = new BeneathSteps(root, follow, flags);
        Buffer buffer = Buffers.take();
        try {
            steps.prepend(path);
            return steps.open(buffer);
        } finally {
            steps.moveTo(root);
            Buffers.give(buffer);
        }
    }

    private int open(Buffer buffer) {
        while (!remaining.isEmpty()) {
            byte[] name = remaining.removeFirst();
            if (name.length == 0 || is(name, ".")) continue;
            if (name.length >= Buffer.PATH_ROOM) return -ENAMETOOLONG;
            if (!remaining.isEmpty() || is(name, "..")) {
                int errno = is(name, "..") ? goUp() : enter(buffer, name);
                if (errno != 0) return -errno;
                continue;
            }
            int result = openat(buffer, name, flags | NOFOLLOW);
            if (result >= 0 || !follow || !mayBeLink(-result)) return result;
            int errno = expand(buffer, -result);
            if (errno != 0) return -errno;
        }
        return -EISDIR;
    }

    private int openat(Buffer buffer, byte[] name, int how) {
        buffer.put(0, name, 0, name.length);
        buffer.bytes.put(name.length, (byte) 0);
        return Libc.openat(directory, buffer.address, how, 0);
    }

    private int enter(Buffer buffer, byte[] name) {
        int result = openat(buffer, name, DIRECTORY);
        if (result < 0) return follow && mayBeLink(-result) ? expand(buffer, -result) : -result;
        moveTo(result);
        done.add(name);
        return 0;
    }

    private int goUp() {
        if (done.isEmpty()) return EXDEV;
        if (++restarts > MAX_RESTARTS) return ELOOP;
        if (remaining.isEmpty()) remaining.addFirst(NONE); // an empty name: the name before it must be a directory
        for (int i = done.size() - 2; i >= 0; i--) remaining.addFirst(done.get(i));
        done.clear();
        moveTo(root);
        return 0;
    }

    /** Replaces a link, whose name is in the buffer, by its text. @param errno the result if the name is not a link */
    private int expand(Buffer buffer, int errno) {
        int length = Libc.readlinkat(directory, buffer.address, buffer.data(), LINK_ROOM);
        if (length <= 0) return length == 0 ? ENOENT : length == -EINVAL ? errno : -length;
        if (length == LINK_ROOM) return ENAMETOOLONG;
        byte[] text = new byte[length];
        buffer.get(Buffer.DATA, text, 0, length);
        if (text[0] == '/') return EXDEV;
        if (++links > MAX_LINKS) return ELOOP;
        prepend(text);
        return 0;
    }

    /** Puts a path's names before the remaining ones. After a slash at its end, there is an empty name, as in goUp. */
    private void prepend(byte[] path) {
        int end = path.length;
        for (int at = path.length - 1; at >= -1; at--) {
            if (at >= 0 && path[at] != '/') continue;
            remaining.addFirst(java.util.Arrays.copyOfRange(path, at + 1, end));
            end = at;
        }
    }

    private void moveTo(int descriptor) {
        if (directory != root) Libc.close(directory);
        directory = descriptor;
    }

    private static boolean mayBeLink(int errno) {
        return errno == ELOOP || errno == ENOTDIR || errno == EMLINK;
    }

    private static boolean is(byte[] name, String text) {
        if (name.length != text.length()) return false;
        for (int i = 0; i < name.length; i++) {
            if (name[i] != text.charAt(i)) return false;
        }
        return true;
    }
}
