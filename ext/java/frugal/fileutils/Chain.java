package frugal.fileutils;

import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import jnr.constants.platform.Errno;

/**
 * Creates a directory, which did not exist a moment ago, and its missing parents. For n missing directories that takes
 * n - 1 calls that fail and n that succeed.
 */
final class Chain {
    private static final int ENOENT = Errno.ENOENT.intValue();
    private static final int EEXIST = Errno.EEXIST.intValue();

    private final byte[] path;
    private final int mode;
    private final boolean exact;
    private final Buffer buffer = Buffers.take();

    /** @param exact each directory gets exactly this mode, whatever the umask */
    Chain(byte[] path, int mode, boolean exact) {
        this.path = path;
        this.mode = mode;
        this.exact = exact;
    }

    /** @return false at the first error; directories that were created stay */
    boolean make() {
        try {
            return makeAll();
        } finally {
            Buffers.give(buffer);
        }
    }

    private boolean makeAll() {
        int length = path.length;
        for (int result = make(length); result != 0; result = make(length)) {
            length = result == -ENOENT ? parent(length) : 0;
            if (length == 0) return false;
        }
        change();
        while (length < path.length) {
            length = next(length);
            int result = make(length);
            if (result == 0) change();
            else if (result != -EEXIST || !exists()) return false; // another process may have created it first
        }
        return true;
    }

    private int make(int length) {
        buffer.putName(path, 0, length);
        return Libc.mkdirat(Libc.AT_FDCWD, buffer.address, mode);
    }

    /** FileUtils ignores an error, since the directory exists. */
    private void change() {
        if (exact) Libc.chmod(buffer.address, mode);
    }

    private boolean exists() {
        return Libc.statx(Libc.AT_FDCWD, buffer.address, 0, buffer.status()) == 0 &&
            (Statx.mode(buffer) & Statx.FORMAT) == Statx.DIRECTORY;
    }

    /** The length of the path of the parent directory; 0 if the path has none that could be created. */
    private int parent(int length) {
        while (length > 0 && path[length - 1] == '/') length--;
        while (length > 0 && path[length - 1] != '/') length--;
        while (length > 0 && path[length - 1] == '/') length--;
        return length;
    }

    /** The length of the path with the next name. */
    private int next(int length) {
        while (length < path.length && path[length] == '/') length++;
        while (length < path.length && path[length] != '/') length++;
        return length;
    }
}
