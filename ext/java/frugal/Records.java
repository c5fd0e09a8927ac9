package frugal;

/** The records of getdents64, which are the same on all architectures, as bytes in Java's heap. */
final class Records {
    private static final int LENGTH = 16;
    private static final int NAME = 19;

    private final byte[] bytes;

    Records(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Gets the place of a name in the bytes. */
    interface Name {
        void at(int from, int length);
    }

    /** Calls with each name but "." and "..". */
    void each(Name name) {
        for (int at = 0; at < bytes.length; at += length(at)) {
            int from = at + NAME;
            int end = from;
            while (bytes[end] != 0) end++;
            if (!dots(from, end - from)) name.at(from, end - from);
        }
    }

    /** The two bytes are in the order of the machine; a record is shorter than 32 KiB. */
    private int length(int at) {
        int one = bytes[at + LENGTH] & 0xff;
        int two = bytes[at + LENGTH + 1] & 0xff;
        return java.nio.ByteOrder.nativeOrder() == java.nio.ByteOrder.LITTLE_ENDIAN ? one | two << 8 : two | one << 8;
    }

    private boolean dots(int from, int length) {
        return bytes[from] == '.' && (length == 1 || length == 2 && bytes[from + 1] == '.');
    }
}
