package frugal.rake;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jruby.RubyString;
import org.jruby.runtime.builtin.IRubyObject;

/** The kernel's answer about one file. The walk's thread or the prefetching thread asks for it, whichever is first. */
final class FileAnswer {
    private static final int ASKED = 1;
    private static final int KNOWN = 2;
    private static final AtomicIntegerFieldUpdater<FileAnswer> STATE =
        AtomicIntegerFieldUpdater.newUpdater(FileAnswer.class, "state");

    private final RubyString name;
    private volatile int state;
    private long time = FileTimes.STOCK;
    /** The task that the walk has made for the file. */
    Facts made;

    FileAnswer(IRubyObject name) {
        this.name = (RubyString) name;
    }

    /** Cost: one statx(2), once. @return nanoseconds, or a constant of FileTimes */
    long time() {
        if (state != KNOWN && !ask()) {
            while (state != KNOWN) Thread.yield(); // the other thread is in its system call
        }
        return time;
    }

    boolean asked() {
        return state != 0;
    }

    /** @return false if it was asked before */
    boolean ask() {
        if (!STATE.compareAndSet(this, 0, ASKED)) return false;
        try {
            time = FileTimes.modified(name);
        } finally {
            state = KNOWN; // also without memory for the call: then JRuby has to answer
        }
        return true;
    }
}
