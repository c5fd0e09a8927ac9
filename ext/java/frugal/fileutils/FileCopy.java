package frugal.fileutils;

import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;
import org.jruby.runtime.ThreadContext;

/** Copies the bytes of a file to another one. One object copies one file after the other. */
final class FileCopy {
    /** Copied by one system call; small enough that an event of the thread does not have to wait for long. */
    private static final long CHUNK = 8 << 20;

    private static final int SOURCE = OpenFlags.O_RDONLY.intValue() | OpenFlags.O_NOFOLLOW.intValue() |
        OpenFlags.O_NONBLOCK.intValue() | OpenFlags.O_CLOEXEC.intValue();
    private static final int TARGET = OpenFlags.O_WRONLY.intValue() | OpenFlags.O_CREAT.intValue() |
        OpenFlags.O_NONBLOCK.intValue() | OpenFlags.O_CLOEXEC.intValue();
    private static final int TRUNCATE = OpenFlags.O_TRUNC.intValue();
    private static final int EXCLUSIVE = OpenFlags.O_EXCL.intValue();

    private static final int EDQUOT = Errno.EDQUOT.intValue();
    private static final int EEXIST = Errno.EEXIST.intValue();
    private static final int EFBIG = Errno.EFBIG.intValue();
    private static final int EINTR = Errno.EINTR.intValue();
    private static final int EINVAL = Errno.EINVAL.intValue();
    private static final int EIO = Errno.EIO.intValue();
    private static final int ENOENT = Errno.ENOENT.intValue();
    private static final int ENOSPC = Errno.ENOSPC.intValue();

    private enum Method { RANGE, SENDFILE, BUFFER }

    private final Buffer buffer;
    private int from = -1;
    private int to = -1;
    private boolean created;
    private long size;
    private long remaining;
    /** The cheapest way of copying that these file systems support. */
    private Method method = Libc.copiesRanges() ? Method.RANGE : Method.SENDFILE;

    FileCopy(Buffer buffer) {
        this.buffer = buffer;
    }

    /** Whether the target of the last copy did not exist before. */
    boolean created() {
        return created;
    }

    /**
     * Opens a regular file, and creates the target with its mode. Where the target's folder is not new, the name is
     * checked first, and a regular file is overwritten.
     *
     * @return 0, or an errno; after an errno nothing is open
     */
    int open(Place place) {
        place.putSource(buffer);
        from = Libc.openat(place.from, buffer.address, SOURCE, 0);
        if (from < 0) return -from;
        int error = create(place);
        if (error != 0) close();
        return error;
    }

    private int create(Place place) {
        buffer.bytes.put(Buffer.DATA, (byte) 0);
        int error = -Libc.statx(from, buffer.data(), Libc.AT_EMPTY_PATH, buffer.status());
        if (error != 0) return error;
        int mode = Statx.mode(buffer);
        if ((mode & Statx.FORMAT) != Statx.REGULAR) return EINVAL;
        size = remaining = Statx.size(buffer);
        // Some files of the kernel (in /proc) have the size 0, but contain bytes.
        if (size == 0 && Libc.read(from, buffer.data(), 1) != 0) return EINVAL;

        long device = Statx.device(buffer);
        long inode = Statx.inode(buffer);
        place.putTarget(buffer);
        created = true;
        if (!place.fresh) {
            error = -Libc.statx(place.to, buffer.address, 0, buffer.status());
            if (error != 0 && error != ENOENT) return error;
            created = error == ENOENT;
            if (!created && !overwrites(device, inode)) return EEXIST;
        }
        to = Libc.openat(place.to, buffer.address, TARGET | (created ? EXCLUSIVE : TRUNCATE), mode & 07777);
        return Math.max(-to, 0);
    }

    /** Whether the target that exists is another regular file. */
    private boolean overwrites(long device, long inode) {
        return (Statx.mode(buffer) & Statx.FORMAT) == Statx.REGULAR &&
            (Statx.device(buffer) != device || Statx.inode(buffer) != inode);
    }

    /**
     * Copies as many bytes as the source had when it was opened, and closes both files. Throws for an event of the
     * thread: then they are still open.
     *
     * @return false if it failed
     */
    boolean run(ThreadContext context) {
        while (remaining > 0) {
            context.pollThreadEvents();
            long bytes = copy(Math.min(remaining, CHUNK));
            if (bytes > 0) {
                remaining -= bytes;
            } else if (bytes == 0) {
                if (remaining < size) break; // the source was truncated meanwhile
                return fail(); // the source's size was wrong
            } else if (bytes != -EINTR) {
                if (method == Method.BUFFER || isPermanent(-bytes)) return fail();
                method = method == Method.RANGE ? Method.SENDFILE : Method.BUFFER;
            }
        }
        Libc.close(from);
        from = -1;
        int result = Libc.close(to); // a network file system may report a full disk only here
        to = -1;
        return result == 0;
    }

    private static boolean isPermanent(long error) {
        return error == ENOSPC || error == EDQUOT || error == EIO || error == EFBIG;
    }

    /** copy_file_range and sendfile advance the positions of both files only by what they copied. */
    private long copy(long bytes) {
        switch (method) {
            case RANGE: return Libc.copyFileRange(from, to, bytes);
            case SENDFILE: return Libc.sendfile(from, to, bytes);
            default: return copyByBuffer(bytes);
        }
    }

    private long copyByBuffer(long bytes) {
        long got = Libc.read(from, buffer.data(), Math.min(bytes, Buffer.DATA_ROOM));
        for (long at = 0; at < got;) {
            long wrote = Libc.write(to, buffer.data() + at, got - at);
            if (wrote < 0 && wrote != -EINTR) return wrote;
            if (wrote > 0) at += wrote;
        }
        return got;
    }

    private boolean fail() {
        close();
        return false;
    }

    void close() {
        if (from >= 0) Libc.close(from);
        if (to >= 0) Libc.close(to);
        from = to = -1;
    }
}
