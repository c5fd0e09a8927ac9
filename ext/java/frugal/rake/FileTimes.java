package frugal.rake;

import frugal.binding.Engine;
import frugal.probe.Probes;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import org.jruby.Ruby;
import org.jruby.RubyString;
import org.jruby.RubyTime;

/** The modification time of a file as a number, for many files in a row: no object of Ruby is made for it. */
public final class FileTimes {
    /** Results of {@link #modified} that are not times. */
    public static final long MISSING = -1;
    /** The kernel returned another error than ENOENT. */
    public static final long FAULT = -2;
    /** JRuby has to answer: for a path into a jar, and for times that JRuby compares in its own way. */
    public static final long STOCK = -3;

    private static final long BILLION = 1_000_000_000;
    private static final int ENOENT = jnr.constants.platform.Errno.ENOENT.intValue();

    private FileTimes() {
    }

    /**
     * The nanoseconds since 1970, or MISSING (only ENOENT), FAULT or STOCK.
     *
     * <p>Cost: one statx(2); no exception.
     */
    public static long modified(RubyString path) {
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(path, buffer)) return STOCK;
            int errno = -Libc.statx(Libc.AT_FDCWD, buffer.address, 0, buffer.status());
            if (errno == ENOENT) return MISSING;
            if (errno != 0) return Engine.refused(errno) ? STOCK : FAULT;
            long seconds = Statx.seconds(buffer, Statx.MTIME);
            if (seconds < 0 || seconds >= Long.MAX_VALUE / BILLION - 1) return STOCK;
            return seconds * BILLION + Statx.nanoseconds(buffer, Statx.MTIME);
        } finally {
            Buffers.give(buffer);
        }
    }

    /** @param nanoseconds a time of {@link #modified} */
    public static RubyTime time(Ruby runtime, long nanoseconds) {
        return Probes.time(runtime, nanoseconds / BILLION, (int) (nanoseconds % BILLION));
    }

    /** The nanoseconds since 1970 of a Time, or STOCK if it is before 1970 or too late for a long. */
    public static long nanoseconds(RubyTime time) {
        long milliseconds = time.getTimeInMillis();
        if (milliseconds < 0 || milliseconds >= Long.MAX_VALUE / 1_000_000 - 1) return STOCK;
        return milliseconds * 1_000_000 + time.getNSec();
    }
}
