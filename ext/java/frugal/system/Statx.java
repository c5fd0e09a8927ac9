package frugal.system;

import frugal.system.Buffers.Buffer;

/** Reads a struct statx, which is the same on all architectures, at {@link Buffer#STATUS} of a buffer. */
public final class Statx {
    /** The attributes of stat(2), and the time of birth. */
    public static final int MASK = 0xfff;
    /** How many bytes of the struct are read here. */
    public static final int USED = 144;
    public static final int FORMAT = 0170000;
    public static final int DIRECTORY = 0040000;
    public static final int REGULAR = 0100000;
    public static final int FIFO = 0010000;

    public static final int ATIME = 64;
    public static final int CTIME = 96;
    public static final int MTIME = 112;

    private Statx() {
    }

    public static int blockSize(Buffer buffer) {
        return buffer.bytes.getInt(Buffer.STATUS + 4);
    }

    public static int links(Buffer buffer) {
        return buffer.bytes.getInt(Buffer.STATUS + 16);
    }

    public static int owner(Buffer buffer) {
        return buffer.bytes.getInt(Buffer.STATUS + 20);
    }

    public static int group(Buffer buffer) {
        return buffer.bytes.getInt(Buffer.STATUS + 24);
    }

    /** The type and the permissions. */
    public static int mode(Buffer buffer) {
        return buffer.bytes.getShort(Buffer.STATUS + 28) & 0xffff;
    }

    public static long inode(Buffer buffer) {
        return buffer.bytes.getLong(Buffer.STATUS + 32);
    }

    public static long size(Buffer buffer) {
        return buffer.bytes.getLong(Buffer.STATUS + 40);
    }

    public static long blocks(Buffer buffer) {
        return buffer.bytes.getLong(Buffer.STATUS + 48);
    }

    /** @param which ATIME, CTIME or MTIME */
    public static long seconds(Buffer buffer, int which) {
        return buffer.bytes.getLong(Buffer.STATUS + which);
    }

    public static int nanoseconds(Buffer buffer, int which) {
        return buffer.bytes.getInt(Buffer.STATUS + which + 8);
    }

    /** The device that a special file stands for, as st_rdev. */
    public static long specialDevice(Buffer buffer) {
        return device(buffer, 128);
    }

    /** The device with the file, as st_dev. */
    public static long device(Buffer buffer) {
        return device(buffer, 136);
    }

    private static long device(Buffer buffer, int at) {
        long major = buffer.bytes.getInt(Buffer.STATUS + at) & 0xffffffffL;
        long minor = buffer.bytes.getInt(Buffer.STATUS + at + 4) & 0xffffffffL;
        return (major & 0xfff) << 8 | (major & ~0xfffL) << 32 | minor & 0xff | (minor & ~0xffL) << 12;
    }

    /** @return the word of File.ftype */
    public static String type(int mode) {
        switch (mode & FORMAT) {
            case REGULAR: return "file";
            case DIRECTORY: return "directory";
            case 0020000: return "characterSpecial";
            case 0060000: return "blockSpecial";
            case FIFO: return "fifo";
            case 0120000: return "link";
            case 0140000: return "socket";
            default: return "unknown";
        }
    }
}
