package frugal.binding;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import jnr.constants.platform.Errno;
import org.jruby.runtime.ThreadContext;

/**
 * The open file of an object of Ruby. A thread may close it while others use it: the last of them closes the
 * descriptor, so another file cannot get its number meanwhile.
 *
 * <p>An object may be lost before the program closes it, for example if its thread is killed between two statements.
 * Java's garbage collector finds the lost object, and its descriptor is closed when the next file is opened.
 */
public final class Descriptor extends PhantomReference<Object> {
    private static final int EMFILE = Errno.EMFILE.intValue();
    private static final int ENFILE = Errno.ENFILE.intValue();
    private static final int ENOMEM = Errno.ENOMEM.intValue();
    /** In ms: how long a collection may take to find a lost object, and the pause after one that found none. */
    private static final int PATIENCE = 100;
    private static final int PAUSE = 1000;
    private static final long NEVER = Long.MIN_VALUE;

    private static final ReferenceQueue<Object> LOST = new ReferenceQueue<>();
    /** Keeps the references. */
    private static final Set<Descriptor> OPEN = ConcurrentHashMap.newKeySet();
    private static long inVain = NEVER;

    private final OpenFile file;
    private int users; // guarded by this object, like the next field
    private boolean closed;

    public Descriptor(Object owner, OpenFile file) {
        super(owner, LOST);
        this.file = file;
        OPEN.add(this);
        closeLost();
    }

    /** Begins a use, which {@link #leave} ends. @return null if it is closed */
    public synchronized OpenFile enter() {
        if (closed) return null;
        users++;
        return file;
    }

    /** The number of the descriptor, between {@link #enter} and {@link #leave}. */
    public int number() {
        return file.descriptor;
    }

    /** The same as enter; raises IOError if it is closed. */
    public OpenFile use(ThreadContext context) {
        OpenFile open = enter();
        if (open == null) throw context.runtime.newIOError("closed file");
        return open;
    }

    public void leave() {
        synchronized (this) {
            if (--users > 0 || !closed) return;
        }
        file.close();
    }

    /** May be called again. */
    public void close() {
        synchronized (this) {
            if (closed) return;
            closed = true;
            OPEN.remove(this);
            if (users > 0) return;
        }
        file.close();
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    private static boolean closeLost() {
        boolean any = false;
        for (Reference<?> lost = LOST.poll(); lost != null; lost = LOST.poll()) {
            ((Descriptor) lost).close();
            any = true;
        }
        return any;
    }

    /** Whether an errno means that there are no more descriptors, or no memory for one. */
    public static boolean exhausted(int errno) {
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM;
    }

    /** Collects garbage, unless a recent collection found nothing. @return whether a descriptor was closed */
    public static synchronized boolean collect() {
        if (closeLost()) return true;
        long now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        if (OPEN.isEmpty() || inVain != NEVER && now - inVain < PAUSE) return false;
        System.gc();
        Reference<?> lost = null;
        try {
            lost = LOST.remove(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Ruby's interrupt, raised at the next poll of the events
        }
        inVain = lost == null ? now : NEVER;
        if (lost == null) return false;
        ((Descriptor) lost).close();
        closeLost();
        return true;
    }
}
