package frugal.walk;

import frugal.system.Helpers;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jruby.runtime.ThreadContext;

/**
 * The workers of a walk: the calling thread, and helpers. Each takes directories from its own stack, last in, first
 * out, and gives half of it away only when another worker is idle. So nothing is locked while all workers are busy,
 * and no call is nested, however deep the tree is.
 */
final class Workers {
    /** What a worker does with a directory. */
    interface Task {
        /** Lists a directory, and pushes those below it. */
        void enter(Node node, NodeStack stack, Listing listing);

        /** Makes the object with which a worker lists directories. The worker frees it. */
        Listing listing();
    }

    /** With so many directories on its stack, a worker starts a helper. */
    private static final int WORTH_A_THREAD = 16;
    /** In milliseconds: while it waits, the calling thread polls its events at least this often. */
    private static final int PAUSE = 20;

    private final Task task;
    private volatile int most;

    // The monitor of this object guards the rest, except for what is read while a worker is busy.
    private final NodeStack pool = new NodeStack();
    private volatile int workers;
    private volatile int waiting;
    private volatile boolean cancelled;
    private int idle;
    private boolean finished;
    private Throwable failure;

    /** @param threads how many work at most, the calling one included */
    Workers(int threads, Task task) {
        this.most = threads;
        this.task = task;
    }

    boolean cancelled() {
        return cancelled;
    }

    /** Lists directories and all below them. Throws what an event of the calling thread, or a helper, has thrown. */
    void run(List<Node> tops, ThreadContext host) {
        synchronized (this) {
            begin(tops);
            workers = 1;
        }
        boolean done = false;
        try {
            work(host);
            done = true;
        } finally {
            if (!done) cancel();
            join();
        }
        check();
    }

    /** Lists on helpers alone, for {@link Stream}. @return false if there is no thread for one */
    synchronized boolean start(Node top) {
        begin(Collections.singletonList(top));
        return addHelper();
    }

    private void begin(List<Node> tops) {
        finished = false;
        idle = 0;
        for (Node top : tops) pool.push(top);
    }

    synchronized void cancel() {
        cancelled = true;
        notifyAll();
    }

    /** Whether any helper still works, for {@link Stream}. */
    synchronized boolean working() {
        return workers > 0 && !cancelled;
    }

    /** Waits until no worker is left, which is soon: the walk has ended, or was cancelled. */
    synchronized void join() {
        while (workers > 0) pause();
    }

    /** Throws what a helper has thrown. */
    synchronized void check() {
        if (failure instanceof Error) throw (Error) failure;
        if (failure != null) throw (RuntimeException) failure;
    }

    // -- a worker --

    private void work(ThreadContext host) {
        NodeStack stack = new NodeStack();
        Listing listing = task.listing();
        try {
            while (!cancelled && (!stack.isEmpty() || take(stack, host))) {
                task.enter(stack.pop(), stack, listing);
                if (host != null) host.pollThreadEvents();
                if (stack.size() > 1 && waiting > 0) share(stack);
                if (stack.size() >= WORTH_A_THREAD && workers < most) addHelper();
            }
        } finally {
            listing.free();
            leave();
        }
    }

    private void help() {
        try {
            work(null);
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private synchronized void fail(Throwable reason) {
        if (failure == null) failure = reason;
        cancel();
    }

    private synchronized void leave() {
        workers--;
        notifyAll();
    }

    private synchronized void share(NodeStack stack) {
        if (!pool.isEmpty()) return;
        stack.giveOldest((stack.size() + 1) / 2, pool);
        notifyAll();
    }

    /** Fills an empty stack. @return false when the walk has finished, or was cancelled */
    private boolean take(NodeStack stack, ThreadContext host) {
        synchronized (this) {
            if (takeFromPool(stack)) return true;
            if (++idle == workers) {
                finished = true;
                notifyAll();
            }
            waiting++;
        }
        for (;;) {
            synchronized (this) {
                if (!finished && !cancelled && pool.isEmpty()) pause();
                boolean found = !cancelled && takeFromPool(stack);
                if (found || finished || cancelled) {
                    waiting--;
                    idle--;
                    return found;
                }
            }
            if (host != null) host.pollThreadEvents();
        }
    }

    private boolean takeFromPool(NodeStack stack) {
        if (pool.isEmpty()) return false;
        pool.giveLatest(workers > 1 ? (pool.size() + 1) / 2 : pool.size(), stack);
        return true;
    }

    /** The caller holds the monitor. */
    void pause() {
        try {
            wait(PAUSE);
        } catch (InterruptedException e) {
            // An event of the calling thread, which polls its events later. Helpers are not interrupted.
        }
    }

    private synchronized boolean addHelper() {
        if (workers >= most || finished || cancelled) return false;
        workers++;
        try {
            Helpers.start(this::help);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            workers--;
            most = workers; // do not try again
            return false;
        }
    }
}
