package frugal.walk;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jruby.runtime.ThreadContext;

/** The directories that helpers have listed and the calling thread has not taken yet. */
final class Stream {
    private final Workers workers;
    private final Deque<Node> ready = new ArrayDeque<>();

    Stream(Workers workers) {
        this.workers = workers;
    }

    void add(Node node) {
        synchronized (workers) {
            ready.add(node);
            workers.notifyAll();
        }
    }

    /** Waits for a listed directory. @return null when there are no more. Throws for an event of the thread. */
    Node take(ThreadContext host) {
        for (;;) {
            host.pollThreadEvents(); // also if there is no wait and nothing to yield
            synchronized (workers) {
                if (ready.isEmpty() && workers.working()) workers.pause();
                if (!ready.isEmpty()) return ready.poll();
                if (!workers.working()) return null;
            }
        }
    }
}
