package frugal.binding;

import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Identity;
import frugal.system.Libc;
import java.util.concurrent.locks.LockSupport;
import jnr.constants.platform.Errno;
import jnr.constants.platform.Fcntl;
import org.jruby.RubyString;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.ThreadContext;

/** A descriptor with its calls. Only its owner closes it. */
public final class OpenFile {
    private static final int EINTR = Errno.EINTR.intValue();
    private static final int EWOULDBLOCK = Errno.EWOULDBLOCK.intValue();
    private static final int ENOSPC = Errno.ENOSPC.intValue();
    /** How long a thread waits for a lock before it tries again, at first and at most. */
    private static final long FIRST_WAIT = 50_000;
    private static final long LONGEST_WAIT = 10_000_000;

    /** A struct flock of 64-bit Linux: the type is first, and the numbers after it are zero. */
    private static final int LOCK_SIZE = 32;
    private static final int LOCK_FROM = 8;
    private static final int LOCK_BYTES = 16;
    private static final short WRITE_LOCK = (short) Fcntl.F_WRLCK.intValue();
    private static final short UNLOCK = (short) Fcntl.F_UNLCK.intValue();

    public final int descriptor;
    /** For errors. */
    private final RubyString path;

    public OpenFile(int descriptor, RubyString path) {
        this.descriptor = descriptor;
        this.path = path;
    }

    public void close() {
        Libc.close(descriptor);
    }

    /** *Cost*: one statx(2). @return null if it fails */
    public Identity stat() {
        Buffer buffer = Buffers.take();
        try {
            buffer.bytes.put(0, (byte) 0);
            int result = Libc.statx(descriptor, buffer.address, Libc.AT_EMPTY_PATH, buffer.status());
            return result == 0 ? Identity.of(buffer) : null;
        } finally {
            Buffers.give(buffer);
        }
    }

    /** The same; raises the fault. */
    public Identity examine(ThreadContext context) {
        Buffer buffer = Buffers.take();
        try {
            buffer.bytes.put(0, (byte) 0);
            check(context, -Libc.statx(descriptor, buffer.address, Libc.AT_EMPTY_PATH, buffer.status()));
            return Identity.of(buffer);
        } finally {
            Buffers.give(buffer);
        }
    }

    /** Tries to lock, without waiting. *Cost*: one flock(2). @return whether it is locked */
    public boolean lock(ThreadContext context, int how) {
        int result;
        do {
            result = Libc.flock(descriptor, how | Libc.LOCK_NB);
        } while (result == -EINTR);
        if (result != 0 && result != -EWOULDBLOCK) throw fault(context, -result);
        return result == 0;
    }

    /** Waits for the lock. Timeout and Thread#kill end the wait. */
    public void waitForLock(ThreadContext context, int how) {
        waitForLock(context, how, Double.POSITIVE_INFINITY);
    }

    /** The same, with a limit in seconds. @return whether it is locked */
    public boolean waitForLock(ThreadContext context, int how, double seconds) {
        long start = System.nanoTime();
        long wait = FIRST_WAIT;
        while (!lock(context, how)) {
            context.pollThreadEvents();
            if (System.nanoTime() - start >= seconds * 1e9) return false;
            pause(context, wait);
            wait = Math.min(wait * 2, LONGEST_WAIT);
        }
        return true;
    }

    /** @return 0, or the errno */
    public int unlock() {
        return -Libc.flock(descriptor, Libc.LOCK_UN);
    }

    /**
     * Tries to lock or unlock bytes of the file (F_OFD_SETLK), without waiting. Other open files in this process do not
     * share the lock. *Cost*: one fcntl(2). @return 0, or the errno
     */
    public int lockRange(boolean lock, long from, long size) {
        Buffer buffer = Buffers.take();
        try {
            for (int i = 0; i < LOCK_SIZE; i += 8) buffer.bytes.putLong(Buffer.DATA + i, 0);
            buffer.bytes.putShort(Buffer.DATA, lock ? WRITE_LOCK : UNLOCK);
            buffer.bytes.putLong(Buffer.DATA + LOCK_FROM, from);
            buffer.bytes.putLong(Buffer.DATA + LOCK_BYTES, size);
            return -Libc.fcntl(descriptor, Libc.F_OFD_SETLK, buffer.data());
        } finally {
            Buffers.give(buffer);
        }
    }

    /** @return the end of the oldest lock of another open file in a range, or 0 */
    public long rangeEnd(long from, long size) {
        Buffer buffer = Buffers.take();
        try {
            for (int i = 0; i < LOCK_SIZE; i += 8) buffer.bytes.putLong(Buffer.DATA + i, 0);
            buffer.bytes.putShort(Buffer.DATA, WRITE_LOCK);
            buffer.bytes.putLong(Buffer.DATA + LOCK_FROM, from);
            buffer.bytes.putLong(Buffer.DATA + LOCK_BYTES, size);
            if (Libc.fcntl(descriptor, Libc.F_OFD_GETLK, buffer.data()) != 0) return 0;
            if (buffer.bytes.getShort(Buffer.DATA) == UNLOCK) return 0;
            return buffer.bytes.getLong(Buffer.DATA + LOCK_FROM) + buffer.bytes.getLong(Buffer.DATA + LOCK_BYTES);
        } finally {
            Buffers.give(buffer);
        }
    }

    /** Raises the fault of an errno that is not 0. */
    public void check(ThreadContext context, int errno) {
        if (errno != 0) throw fault(context, errno);
    }

    public RaiseException fault(ThreadContext context, int errno) {
        return Engine.instance.fault(context, errno, path);
    }

    /** Waits. If that takes a millisecond or more, Thread#stop? is true meanwhile, as during File#flock. */
    public static void pause(ThreadContext context, long nanoseconds) {
        if (nanoseconds < 1_000_000) {
            LockSupport.parkNanos(nanoseconds);
            return;
        }
        try {
            context.getThread().sleep(nanoseconds / 1_000_000);
        } catch (InterruptedException e) {
            context.pollThreadEvents(); // raises an interrupt
        }
    }

    /** Reads from an offset on, until the array is full or the file ends. @return the number of bytes */
    public int read(ThreadContext context, byte[] bytes, long offset) {
        Transfer transfer = new Transfer(bytes.length);
        int used = 0;
        try {
            while (used < bytes.length) {
                int part = transfer.part(bytes.length - used);
                int got = (int) Libc.pread(descriptor, transfer.address, part, offset + used);
                if (got == -EINTR) continue;
                if (got == 0) break;
                if (got < 0) throw fault(context, -got);
                transfer.buffer.get(transfer.at, bytes, used, got);
                used += got;
            }
        } finally {
            transfer.end();
        }
        return used;
    }

    /** Reads by one pread(2). @return the bytes; an empty array at the end of the file */
    public byte[] readOnce(ThreadContext context, int room, long offset) {
        Transfer transfer = new Transfer(room);
        try {
            int got;
            do {
                got = (int) Libc.pread(descriptor, transfer.address, transfer.part(room), offset);
            } while (got == -EINTR);
            if (got < 0) throw fault(context, -got);
            byte[] bytes = new byte[got];
            transfer.buffer.get(transfer.at, bytes, 0, got);
            return bytes;
        } finally {
            transfer.end();
        }
    }

    /** Writes all bytes at an offset. @return 0, or the errno */
    public int write(byte[] bytes, int from, int size, long offset) {
        Transfer transfer = new Transfer(size);
        int used = 0;
        try {
            while (used < size) {
                int part = transfer.part(size - used);
                transfer.buffer.put(transfer.at, bytes, from + used, part);
                int wrote = (int) Libc.pwrite(descriptor, transfer.address, part, offset + used);
                if (wrote == -EINTR) continue;
                if (wrote <= 0) return wrote == 0 ? ENOSPC : -wrote;
                used += wrote;
            }
        } finally {
            transfer.end();
        }
        return 0;
    }

    /** @return 0, or the errno */
    public int cut(long size) {
        int result;
        do {
            result = Libc.ftruncate(descriptor, size);
        } while (result == -EINTR);
        return -result;
    }

    /** Memory for the bytes of one call: from the pool, or of their size if they are too many. */
    private static final class Transfer {
        private static final int LARGEST = 64 << 20;

        final Buffer buffer;
        final int at;
        final long address;
        private final boolean pooled;
        private final int room;

        Transfer(int size) {
            pooled = size <= Buffer.DATA_ROOM;
            room = pooled ? Buffer.DATA_ROOM : Math.min(size, LARGEST);
            buffer = pooled ? Buffers.take() : Buffers.allocate(room);
            at = pooled ? Buffer.DATA : 0;
            address = buffer.address + at;
        }

        int part(int left) {
            return Math.min(left, room);
        }

        void end() {
            if (pooled) Buffers.give(buffer);
            else buffer.free();
        }
    }
}
