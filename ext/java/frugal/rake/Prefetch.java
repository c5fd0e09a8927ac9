package frugal.rake;

import frugal.walk.Helpers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
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

    private final List<FileAnswer> answers = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopped;

    /** @return null if there is nothing to ask, or no thread */
    static Prefetch start(ThreadContext context, Plan plan, List<Facts> tasks) {
        Prefetch prefetch = new Prefetch();
        for (Facts task : tasks) prefetch.collect(context, plan, plan.current(context, task));
        if (prefetch.answers.isEmpty()) return null;
        try {
            Helpers.start(prefetch);
            return prefetch;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            return null;
        }
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
            for (FileAnswer answer : answers) {
                if (stopped) return;
                answer.ask();
            }
        } finally {
            ended.countDown();
        }
    }

    /** Waits for the call in progress. The walk asks for what is left. */
    void end() {
        stopped = true;
        boolean interrupted = false;
        while (ended.getCount() > 0) {
            try {
                ended.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }
}
