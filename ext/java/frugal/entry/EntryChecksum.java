package frugal.entry;

import java.util.zip.CRC32;

/** CRC-32 as of zlib, by Java's own class, which uses the processor's instructions. */
final class EntryChecksum {
    private static final int POLYNOMIAL = 0xEDB88320; // bits reflected

    private EntryChecksum() {
    }

    /**
     * The checksum of bytes that follow others, whose checksum is `crc`. Java's class cannot start with a checksum, so
     * it first gets four bytes that lead to `crc`.
     */
    static int after(int crc, byte[] bytes, int from, int length) {
        CRC32 sum = new CRC32();
        if (crc != 0) sum.update(leadingTo(crc));
        sum.update(bytes, from, length);
        return (int) sum.getValue();
    }

    /** Four bytes whose checksum is `crc`. Each bit is a step of the computation, and each step can be undone. */
    private static byte[] leadingTo(int crc) {
        int state = ~crc;
        for (int bit = 0; bit < 32; bit++) {
            state = state < 0 ? (state ^ POLYNOMIAL) << 1 | 1 : state << 1;
        }
        state = ~state;
        return new byte[] {(byte) state, (byte) (state >> 8), (byte) (state >> 16), (byte) (state >> 24)};
    }
}
