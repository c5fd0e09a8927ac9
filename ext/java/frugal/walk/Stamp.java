package frugal.walk;

import frugal.system.Buffers.Buffer;
import frugal.system.Statx;

/** The identity and the times of a file when it was read. Times are in nanoseconds since 1970. */
final class Stamp {
    /**
     * A change sets the times to the kernel's clock, which advances in ticks of 1 to 10 ms: two changes within one tick
     * get the same time. Times in whole seconds come from file systems without fractions.
     */
    private static final long TICK = 20_000_000L;
    private static final long COARSE_TICK = 2_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    final long device;
    private final long inode;
    private final long mtime;
    private final long ctime;
    private final long read; // the time before it was read
    private boolean reliable;

    /** @param read what {@link #now} was before the status in the buffer was read */
    Stamp(Buffer buffer, long read) {
        device = Statx.device(buffer);
        inode = Statx.inode(buffer);
        mtime = Statx.seconds(buffer, Statx.MTIME) * SECOND + Statx.nanoseconds(buffer, Statx.MTIME);
        ctime = Statx.seconds(buffer, Statx.CTIME) * SECOND + Statx.nanoseconds(buffer, Statx.CTIME);
        this.read = read;
    }

    /** The kernel's clock, which is at most a tick behind that of its times. */
    static long now() {
        return System.currentTimeMillis() * 1_000_000L;
    }

    /** Decides whether a later change surely changes the times. @param ticks the times are from the kernel's clock */
    void judge(boolean ticks) {
        long tick = ctime % SECOND == 0 ? COARSE_TICK : TICK; // not the mtime, which any program can set
        reliable = ticks && Math.max(mtime, ctime) < read - tick;
    }

    /** Whether a later change of the file is certain to change its times. */
    boolean reliable() {
        return reliable;
    }

    /** Whether the status in a buffer is that of the same file. */
    boolean same(Buffer buffer) {
        return device == Statx.device(buffer) && inode == Statx.inode(buffer);
    }

    /** Whether the times are different from the status in a buffer. */
    boolean changed(Buffer buffer) {
        Stamp now = new Stamp(buffer, 0);
        return mtime != now.mtime || ctime != now.ctime;
    }
}
