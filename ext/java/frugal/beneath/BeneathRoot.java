package frugal.beneath;

import frugal.binding.Descriptor;
import frugal.binding.Engine;
import frugal.binding.OpenFile;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Identity;
import frugal.system.Libc;
import java.util.concurrent.TimeUnit;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;
import org.jruby.RubyString;

/**
 * The directory of a {@link Beneath}. It is kept open, so its own path is not resolved for each file. Another
 * directory may get its path (a deployment swaps a link), so the path is checked again after some time.
 */
final class BeneathRoot {
    static final int FLAGS = Libc.O_PATH | OpenFlags.O_DIRECTORY.intValue() | OpenFlags.O_CLOEXEC.intValue();
    private static final int ENOENT = Errno.ENOENT.intValue();

    private final RubyString path;
    private final long valid; // milliseconds
    private volatile Descriptor open;
    private volatile boolean missing;
    private volatile long checkedAt;
    private Identity identity; // guarded by this object

    BeneathRoot(RubyString path, long valid) {
        this.path = path;
        this.valid = valid;
    }

    /** @return the descriptor, which the caller leaves after use; null, with the errno in the array */
    Descriptor enter(int[] errno) {
        long now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        Descriptor here = open;
        if (here != null && !missing && now - checkedAt < valid && here.enter() != null) return here;
        return check(now, errno);
    }

    private synchronized Descriptor check(long now, int[] errno) {
        checkedAt = now;
        int result = !missing && isCurrent() ? 0 : reopen();
        missing = result != 0;
        errno[0] = result;
        if (result != 0) return null;
        open.enter();
        return open;
    }

    private boolean isCurrent() {
        if (open == null) return false;
        Buffer buffer = Buffers.take();
        try {
            return Engine.instance.paths.write(path, buffer) &&
                Libc.statx(Libc.AT_FDCWD, buffer.address, 0, buffer.status()) == 0 &&
                identity.sameFile(Identity.of(buffer));
        } finally {
            Buffers.give(buffer);
        }
    }

    /** Threads that use the old directory continue to use it. @return 0, or the errno */
    private int reopen() {
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(path, buffer)) return ENOENT;
            int descriptor = Libc.openat(Libc.AT_FDCWD, buffer.address, FLAGS, 0);
            if (descriptor < 0) return -descriptor;
            OpenFile file = new OpenFile(descriptor, path);
            Identity found = file.stat();
            if (found == null) {
                file.close();
                return ENOENT;
            }
            Descriptor old = open;
            open = new Descriptor(this, file);
            identity = found;
            if (old != null) old.close();
            return 0;
        } finally {
            Buffers.give(buffer);
        }
    }
}
