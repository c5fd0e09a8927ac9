package frugal.system;

/**
 * The records of getdents64, which are the same on all architectures, as bytes in Java's heap.
 *
 * <p>Each but "." and "..": {@code while (records.next()) use(records.from(), records.length())}.
 */
public final class Records {
    private static final int LENGTH = 16;
    private static final int TYPE = 18;
    private static final int NAME = 19;
    private static final boolean LITTLE = java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN;

    private final byte[] bytes;
    private final int used;
    private int next;
    private int type;
    private int from;
    private int length;

    public Records(byte[] bytes) {
        this(bytes, bytes.length);
    }

    /** @param used how many of the bytes are records */
    public Records(byte[] bytes, int used) {
        this.bytes = bytes;
        this.used = used;
    }

    /** Receives the place of a name in the bytes. */
    public interface Name {
        void at(int from, int length);
    }

    /** Calls with each name but "." and "..". */
    public void each(Name name) {
        while (next()) name.at(from, length);
    }

    /** Moves to the next name but "." and "..". @return false at the end */
    public boolean next() {
        while (next < used) {
            int at = next;
            next += size(at);
            type = bytes[at + TYPE];
            from = at + NAME;
            int end = from;
            while (bytes[end] != 0) end++;
            length = end - from;
            if (!dots()) return true;
        }
        return false;
    }

    /** The kernel's DT_…, or 0 if the file system does not report it. */
    public int type() {
        return type;
    }

    /** Where the name begins in the bytes. */
    public int from() {
        return from;
    }

    /** How many bytes the name has. */
    public int length() {
        return length;
    }

    /** The two bytes are in the order of the machine; a record is shorter than 32 KiB. */
    private int size(int at) {
        int one = bytes[at + LENGTH] & 0xff;
        int two = bytes[at + LENGTH + 1] & 0xff;
        return LITTLE ? one | two << 8 : two | one << 8;
    }

    private boolean dots() {
        return bytes[from] == '.' && (length == 1 || length == 2 && bytes[from + 1] == '.');
    }
}
