package frugal.system;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Memory outside of Java's heap for the parameters and results of system calls.
 *
 * <p>A call takes a {@link Buffer} and gives it back in a finally clause. A bounded pool keeps the buffers. There is no
 * buffer for each thread, because under JRuby each Fiber and each Enumerator has its own thread.
 */
public final class Buffers {
    /** How many buffers are kept. More can be in use at once; those are freed when they are given back. */
    private static final int KEPT = 16;
    private static final AtomicReferenceArray<Buffer> POOL = new AtomicReferenceArray<>(KEPT);

    private Buffers() {
    }

    public static Buffer take() {
        for (int i = 0; i < KEPT; i++) {
            Buffer buffer = POOL.get(i);
            if (buffer != null && POOL.compareAndSet(i, buffer, null)) return buffer;
        }
        return new Buffer(Buffer.SIZE);
    }

    public static void give(Buffer buffer) {
        for (int i = 0; i < KEPT; i++) {
            if (POOL.get(i) == null && POOL.compareAndSet(i, null, buffer)) return;
        }
        buffer.free();
    }

    /** Memory for a file that does not fit into a buffer of the pool. Its owner frees it. */
    public static Buffer allocate(int size) {
        return new Buffer(size);
    }

    /** Memory with one owner at a time. A buffer of the pool has a place for a path, for a status and for data. */
    public static final class Buffer {
        /** A longer path fails like a path of this length: the kernel's limit is 4,096 bytes with the NUL. */
        public static final int PATH_ROOM = 4200;
        public static final int STATUS = 4224;
        public static final int DATA = 4608;
        public static final int DATA_ROOM = 64 * 1024;
        public static final int SIZE = DATA + DATA_ROOM;

        /** The same memory as seen from Java, in the byte order of the machine. */
        public final ByteBuffer bytes;
        public final long address;

        private Buffer(int size) {
            address = MemoryIO.getInstance().allocateMemory(size, false);
            if (address == 0) throw new OutOfMemoryError("frugal: no memory for " + size + " bytes");
            bytes = MemoryIO.getInstance().newDirectByteBuffer(address, size).order(ByteOrder.nativeOrder());
        }

        public long status() {
            return address + STATUS;
        }

        public long data() {
            return address + DATA;
        }

        /** Copies bytes out of this memory. */
        public void get(int from, byte[] target, int at, int length) {
            ((java.nio.Buffer) bytes).position(from);
            bytes.get(target, at, length);
        }

        /** Copies bytes into this memory. */
        public void put(int to, byte[] source, int at, int length) {
            ((java.nio.Buffer) bytes).position(to);
            bytes.put(source, at, length);
        }

        /** Writes a name or a path of less than PATH_ROOM bytes, with a NUL, at the start of this memory. */
        public void putName(byte[] source, int at, int length) {
            put(0, source, at, length);
            bytes.put(length, (byte) 0);
        }

        public void free() {
            MemoryIO.getInstance().freeMemory(address);
        }
    }
}
