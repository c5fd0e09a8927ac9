package frugal.rake;

import frugal.system.Helpers;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Asks for the files of the next tasks on another thread while the walk continues, as C's rake_prefetch.c does. An
 * answer is what the task itself would get a moment later, since no code of Ruby runs in between: the walk ends the
 * thread before it returns to Ruby.
 */
final class Prefetch implements Runnable {
    /** A thread for fewer tasks would cost more than it saves. */
    static final int FEWEST = 512;
    /** How many tasks it is ahead of the walk, at most: its results must still be in the processor's cache. */
    static final int MOST = 1024;
    /** How many tasks are collected at once. */
    static final int AT_ONCE = 128;

    private static final long PAUSE = 20_000; // nanoseconds

    private final Queue<List<FileAnswer>> waiting = new ConcurrentLinkedQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopped;
    private List<FileAnswer> answers;

    /** @return null if there is no thread for it */
    static Prefetch start() {
        Prefetch prefetch = new Prefetch();
        try {
            Helpers.start(prefetch);
            return prefetch;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return null;
        }
    }

    void add(ThreadContext context, Plan plan, List<Facts> tasks) {
        answers = new ArrayList<>(tasks.size() * 2);
        for (Facts task : tasks) collect(context, plan, plan.current(context, task));
        waiting.add(answers);
    }

    /** The file of the task, and those of its prerequisites that are files or have no task yet. */
    private void collect(ThreadContext context, Plan plan, Facts task) {
        if (task.kind != Facts.FILE || !task.provable || task.names == null || !task.lasting()) return;
        if (Tasks.ALREADY_INVOKED.get(task.task).isTrue()) return;
        for (int i = 0; i < task.names.length; i++) {
            IRubyObject name = task.names[i];
            if (!Names.provable(name)) return; // Rake looks it up
            IRubyObject found = plan.find(context, task.scope, name);
            if (found == null) {
                FileAnswer leaf = plan.answer(name);
                task.setLeaf(i, leaf);
                add(leaf);
            } else {
                task.setFound(i, plan.facts(context, found));
                addFile(plan, task.found(i));
            }
        }
        addFile(plan, task);
    }

    private void addFile(Plan plan, Facts task) {
        if (task.kind != Facts.FILE || !task.provable || task.answer != null) return;
        task.answer = plan.answer(task.name);
        add(task.answer);
    }

    private void add(FileAnswer answer) {
        if (!answer.asked()) answers.add(answer);
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                List<FileAnswer> next = waiting.poll();
                if (next == null) {
                    LockSupport.parkNanos(PAUSE);
                    continue;
                }
                for (int i = 0; i < next.size() && !stopped; i++) next.get(i).ask();
            }
        } finally {
            ended.countDown();
        }
    }

    /** Waits for the call in progress. The walk asks for the remaining files. */
    void end() {
        stopped = true;
        Helpers.await(ended);
    }
}
