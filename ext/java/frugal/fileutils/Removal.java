package frugal.fileutils;

import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import java.util.Arrays;
import jnr.constants.platform.Errno;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.runtime.ThreadContext;

/**
 * Removes a file, or a directory with all its entries, in the order of FileUtils: the entries in the kernel's order,
 * then the directory. A link is removed and never followed, even if it replaces a directory meanwhile.
 */
final class Removal {
    /** The kernel's limit of a path, with its NUL. */
    static final int PATH_MAX = 4096;

    /** How many nested directories are open at a time. A deeper tree is left to FileUtils. */
    private static final int LEVELS = 64;
    /** How often an entry is tried again that alternates between a directory and another file. */
    private static final int TRIES = 16;
    private static final int EACCES = Errno.EACCES.intValue();
    private static final int EISDIR = Errno.EISDIR.intValue();
    private static final int ELOOP = Errno.ELOOP.intValue();
    private static final int EMFILE = Errno.EMFILE.intValue();
    private static final int EMLINK = Errno.EMLINK.intValue();
    private static final int ENOENT = Errno.ENOENT.intValue();
    private static final int ENOSYS = Errno.ENOSYS.intValue();
    private static final int ENOTDIR = Errno.ENOTDIR.intValue();
    private static final int EOPNOTSUPP = Errno.EOPNOTSUPP.intValue();
    private static final int EPERM = Errno.EPERM.intValue();

    /** What the root was. */
    enum Kind { NOTHING, FILE, DIRECTORY }

    private final byte[] root; // without slashes at its end
    private final boolean slashed;
    private final Reach reach;
    private final boolean force;
    private final boolean skip;
    private final int longest; // path below the root that the kernel accepts
    private final Level[] levels = new Level[LEVELS];
    private final Buffer buffer = Buffers.take();

    private Kind removed = Kind.NOTHING;
    private boolean hasRemoved; // something was removed, so unlinkat is available
    private int depth;
    private int length;

    /**
     * @param force ignore errors, and remove as much as possible
     * @param skip with `force`: also ignore directories that cannot be read
     */
    Removal(byte[] path, Reach reach, boolean force, boolean skip) {
        this.root = Arrays.copyOf(path, Reach.withoutSlashes(path));
        this.slashed = root.length < path.length;
        this.reach = reach;
        this.force = force;
        this.skip = skip;
        this.longest = PATH_MAX - 2 - path.length;
    }

    /** @return null if FileUtils has to remove the rest: after an error, or in a tree that is too deep */
    Kind run(ThreadContext context) {
        if (removeRoot() != 0) return null;
        while (depth > 0) {
            context.pollThreadEvents();
            Level level = levels[depth - 1];
            if (!level.isListed() && level.list(context, buffer) != 0) return null;
            if (!(level.next() ? removeEntry(level) : leave())) return null;
        }
        return removed;
    }

    void close() {
        while (depth > 0) levels[--depth].close();
        Buffers.give(buffer);
    }

    /** Adds the names in the root. @return whether it was listed */
    boolean addNames(Ruby runtime, RubyArray<?> names) {
        if (levels[0] == null || !levels[0].isListed()) return false;
        levels[0].addNames(runtime, reach, names);
        return true;
    }

    /**
     * FileUtils takes "link/" for the directory that it leads to, and JRuby "file/" for the file: so anything but a
     * real directory is left to them.
     */
    private int removeRoot() {
        if (!slashed) return remove(Level.UNKNOWN);
        putName();
        return enter();
    }

    private boolean removeEntry(Level level) {
        if (!reach.has(level.bytes, level.from(), level.length())) return false;
        if (length + 1 + level.length() > longest) return false;
        int error = remove(level.type());
        return error == 0 || error == ENOENT; // ENOENT: another process has removed it
    }

    /**
     * Removes the current entry. If another process replaces the entry between two system calls, the entry is tried
     * again. It is not left to FileUtils, which follows paths: if the entry became a link, the files behind the link
     * would be removed.
     *
     * @return 0, or an errno
     */
    private int remove(int type) {
        boolean directory = type == Level.DIRECTORY;
        int error = 0;
        putName();
        for (int tries = 0; tries < TRIES; tries++) {
            if (!directory) {
                error = -Libc.unlinkat(parent(), buffer.address, 0);
                if (error == 0) {
                    hasRemoved = true;
                    if (depth == 0) removed = Kind.FILE;
                    return 0;
                }
                // The kernel returns EISDIR, but another errno if the parent directory is not writable.
                if (error != EISDIR && (error == ENOENT || !isDirectory())) {
                    return force && !unavailable(error) ? 0 : error;
                }
            }
            error = enter();
            if (error != ENOTDIR && error != ELOOP && error != EMLINK) return error;
            directory = false;
        }
        return error;
    }

    /** Opens the current entry, whose own entries are removed next. @return 0, or an errno if FileUtils has to */
    private int enter() {
        if (depth == LEVELS) return EMFILE;
        int opened = Libc.openat(parent(), buffer.address, Level.OPEN, 0);
        if (opened < 0) {
            if (opened != -EACCES || !force || !skip) return -opened;
            Libc.unlinkat(parent(), buffer.address, Libc.AT_REMOVEDIR); // it may be empty; FileUtils ignores the error
            return 0;
        }
        if (depth > 0) length += 1 + levels[depth - 1].length();
        if (levels[depth] == null) levels[depth] = new Level();
        levels[depth++].begin(opened);
        return 0;
    }

    /** Closes a directory whose entries are done, and removes it. */
    private boolean leave() {
        levels[--depth].close();
        if (depth > 0) length -= 1 + levels[depth - 1].length();
        putName();
        int result = Libc.unlinkat(parent(), buffer.address, Libc.AT_REMOVEDIR);
        if (result != 0) return force && !unavailable(-result);
        hasRemoved = true;
        if (depth == 0) removed = Kind.DIRECTORY;
        return true;
    }

    /**
     * Whether an error means that unlinkat(2) is not available (a filter denies it), rather than that this entry cannot
     * be removed. Then FileUtils may succeed by path.
     */
    private boolean unavailable(int error) {
        return error == ENOSYS || error == EOPNOTSUPP || error == EPERM && !hasRemoved;
    }

    private boolean isDirectory() {
        return Libc.statx(parent(), buffer.address, Libc.AT_SYMLINK_NOFOLLOW, buffer.status()) == 0 &&
            (Statx.mode(buffer) & Statx.FORMAT) == Statx.DIRECTORY;
    }

    private int parent() {
        return depth == 0 ? Libc.AT_FDCWD : levels[depth - 1].descriptor;
    }

    /** Writes the name of the current entry, or the path of the root. */
    private void putName() {
        if (depth == 0) {
            buffer.putName(root, 0, root.length);
        } else {
            Level level = levels[depth - 1];
            buffer.putName(level.bytes, level.from(), level.length());
        }
    }
}
