package frugal;

import frugal.Buffers.Buffer;
import java.util.concurrent.locks.LockSupport;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyNumeric;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * Frugal::Native::Java::OpenFile: a descriptor, with the methods of IO that a StoreFile calls. Each method that reads
 * or writes is one system call. Its owner closes it: nothing else does.
 */
public final class OpenFile extends RubyObject {
    private static final int EINTR = Errno.EINTR.intValue();
    private static final int EWOULDBLOCK = Errno.EWOULDBLOCK.intValue();
    private static final int ENOENT = Errno.ENOENT.intValue();
    private static final int ENOSPC = Errno.ENOSPC.intValue();
    private static final int FLAGS = OpenFlags.O_CLOEXEC.intValue() | OpenFlags.O_NONBLOCK.intValue();
    private static final int WRITABLE = OpenFlags.O_RDWR.intValue() | OpenFlags.O_CREAT.intValue();
    /** How long a thread waits for a lock before it tries again, at first and at most. */
    private static final long FIRST_WAIT = 50_000;
    private static final long LONGEST_WAIT = 10_000_000;

    private RubyString path;
    private volatile int descriptor = -1;
    private long position;

    OpenFile(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** open(path, follow, writable) -> an OpenFile; nil: no such file to read; false: JRuby has to open it. */
    @JRubyMethod(meta = true)
    public static IRubyObject open(ThreadContext context, IRubyObject self, IRubyObject path, IRubyObject follow,
                                   IRubyObject writable) {
        OpenFile file = new OpenFile(context.runtime, (RubyClass) self);
        file.path = path.convertToString();
        int flags = FLAGS | (writable.isTrue() ? WRITABLE : 0) |
            (follow.isTrue() ? 0 : OpenFlags.O_NOFOLLOW.intValue());
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(file.path, buffer)) return context.fals;
            int result;
            do {
                context.pollThreadEvents();
                result = Libc.openat(Libc.AT_FDCWD, buffer.address, flags, 0666);
            } while (result == -EINTR);
            if (result == -ENOENT && !writable.isTrue()) return context.nil;
            if (result < 0) throw Engine.instance.fault(context, -result, file.path);
            file.descriptor = result;
            return file;
        } finally {
            Buffers.give(buffer);
        }
    }

    /** *Cost*: one statx(2). @return an Identity */
    @JRubyMethod
    public IRubyObject stat(ThreadContext context) {
        Buffer buffer = Buffers.take();
        try {
            buffer.bytes.put(0, (byte) 0);
            done(context, Libc.statx(opened(), buffer.address, Libc.AT_EMPTY_PATH, buffer.status()));
            return Identity.of(context.runtime, buffer);
        } finally {
            Buffers.give(buffer);
        }
    }

    /** As File#flock: 0, or false if LOCK_NB was given and another one has the lock. Timeout and kill end the wait. */
    @JRubyMethod
    public IRubyObject flock(ThreadContext context, IRubyObject operation) {
        int wanted = RubyNumeric.num2int(operation);
        long wait = FIRST_WAIT;
        for (;;) {
            int result = Libc.flock(opened(), wanted | Libc.LOCK_NB);
            if (result == 0) return context.runtime.newFixnum(0);
            if (result != -EWOULDBLOCK && result != -EINTR) throw Engine.instance.fault(context, -result, path);
            if (result == -EWOULDBLOCK && (wanted & Libc.LOCK_NB) != 0) return context.fals;

            context.pollThreadEvents();
            if (result == -EINTR) continue;
            pause(context, wait);
            wait = Math.min(wait * 2, LONGEST_WAIT);
        }
    }

    /** From a millisecond on, Thread#stop? is true meanwhile, as it is in a flock of IO. */
    private static void pause(ThreadContext context, long nanoseconds) {
        if (nanoseconds < 1_000_000) {
            LockSupport.parkNanos(nanoseconds);
            return;
        }
        try {
            context.getThread().sleep(nanoseconds / 1_000_000);
        } catch (InterruptedException e) {
            context.pollThreadEvents(); // raises what interrupts it
        }
    }

    @JRubyMethod
    public IRubyObject seek(ThreadContext context, IRubyObject offset) {
        position = RubyNumeric.num2long(offset);
        return context.runtime.newFixnum(0);
    }

    /** read(size) -> a binary String of at most that many bytes from the position on. */
    @JRubyMethod
    public IRubyObject read(ThreadContext context, IRubyObject size) {
        byte[] bytes = new byte[RubyNumeric.num2int(size)];
        Transfer transfer = new Transfer(bytes.length);
        int used = 0;
        try {
            while (used < bytes.length) {
                int part = transfer.part(bytes.length - used);
                int got = (int) Libc.pread(opened(), transfer.address, part, position + used);
                if (got == -EINTR) continue;
                if (got == 0) break;
                done(context, got);
                transfer.buffer.get(transfer.at, bytes, used, got);
                used += got;
            }
        } finally {
            transfer.end();
        }
        position += used;
        ByteList list = new ByteList(bytes, 0, used, ASCIIEncoding.INSTANCE, false);
        return RubyString.newString(context.runtime, list);
    }

    /** write(bytes): at the position, all of them. */
    @JRubyMethod
    public IRubyObject write(ThreadContext context, IRubyObject text) {
        ByteList list = text.convertToString().getByteList();
        int size = list.realSize();
        Transfer transfer = new Transfer(size);
        int used = 0;
        try {
            while (used < size) {
                int part = transfer.part(size - used);
                transfer.buffer.put(transfer.at, list.unsafeBytes(), list.begin() + used, part);
                int wrote = (int) Libc.pwrite(opened(), transfer.address, part, position + used);
                if (wrote == -EINTR) continue;
                done(context, wrote == 0 ? -ENOSPC : wrote);
                used += wrote;
            }
        } finally {
            transfer.end();
        }
        position += used;
        return context.runtime.newFixnum(used);
    }

    @JRubyMethod
    public IRubyObject truncate(ThreadContext context, IRubyObject size) {
        int result;
        do {
            result = Libc.ftruncate(opened(), RubyNumeric.num2long(size));
        } while (result == -EINTR);
        done(context, result);
        return context.runtime.newFixnum(0);
    }

    @JRubyMethod
    public synchronized IRubyObject close(ThreadContext context) {
        if (descriptor >= 0) Libc.close(descriptor);
        descriptor = -1;
        return context.nil;
    }

    private int opened() {
        int number = descriptor;
        if (number < 0) throw getRuntime().newIOError("closed stream");
        return number;
    }

    private void done(ThreadContext context, long result) {
        if (result < 0) throw Engine.instance.fault(context, (int) -result, path);
    }

    /** Memory for the bytes of one call: of the pool, or as large as they are. */
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
