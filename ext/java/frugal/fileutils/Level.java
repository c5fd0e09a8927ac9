package frugal.fileutils;

import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Records;
import java.util.Arrays;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.runtime.ThreadContext;

/**
 * One open directory while a tree is removed or copied, and its entries in the kernel's order. Its records are read
 * before any entry is removed or copied; the current one is {@link #bytes} at {@link #from}.
 */
final class Level {
    /** The kernel's types of an entry. */
    static final int UNKNOWN = 0;
    static final int DIRECTORY = 4;
    static final int REGULAR = 8;
    static final int LINK = 10;

    /** Another process may have replaced the directory: do not follow a link, and do not block on a FIFO. */
    static final int OPEN = OpenFlags.O_RDONLY.intValue() | OpenFlags.O_DIRECTORY.intValue() |
        OpenFlags.O_NOFOLLOW.intValue() | OpenFlags.O_NONBLOCK.intValue() | OpenFlags.O_CLOEXEC.intValue();

    private static final int ENOENT = Errno.ENOENT.intValue();
    private static final int EINTR = Errno.EINTR.intValue();
    private static final byte[] NONE = {};

    int descriptor = -1;
    byte[] bytes = NONE;
    private int used;
    private boolean listed;
    private Records records;

    /** Starts with another open directory; the memory is used again. */
    void begin(int opened) {
        descriptor = opened;
        used = 0;
        listed = false;
    }

    boolean isListed() {
        return listed;
    }

    /** @return 0, or an errno. Throws for an event of the thread. */
    int list(ThreadContext context, Buffer buffer) {
        for (;;) {
            context.pollThreadEvents();
            int size = Libc.getdents(descriptor, buffer.data(), Buffer.DATA_ROOM);
            if (size == -EINTR) continue;
            if (size == 0 || size == -ENOENT) break; // ENOENT: it was removed after it was opened
            if (size < 0) return -size;
            if (bytes.length - used < size) bytes = Arrays.copyOf(bytes, Math.max(used + size, 2 * used));
            buffer.get(Buffer.DATA, bytes, used, size);
            used += size;
        }
        listed = true;
        records = new Records(bytes, used);
        return 0;
    }

    boolean next() {
        return records.next();
    }

    int type() {
        return records.type();
    }

    int from() {
        return records.from();
    }

    int length() {
        return records.length();
    }

    void addNames(Ruby runtime, Reach reach, RubyArray<?> names) {
        Records all = new Records(bytes, used);
        while (all.next()) names.append(reach.string(runtime, bytes, all.from(), all.length()));
    }

    void close() {
        if (descriptor >= 0) Libc.close(descriptor);
        descriptor = -1;
    }
}
