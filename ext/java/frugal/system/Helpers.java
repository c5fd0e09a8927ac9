package frugal.system;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that help the calling threads of walks, batches and Rake's tasks. They are daemons, so they do not keep
 * the JVM alive, and they end after some time without work. They run no Ruby code, so they are not threads of Ruby.
 */
public final class Helpers {
    private static final int MOST = 64;
    private static final int KEPT_SECONDS = 10;
    private static final ThreadPoolExecutor THREADS = new ThreadPoolExecutor(
        0, MOST, KEPT_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), Helpers::thread);

    private Helpers() {
    }

    /** Throws RejectedExecutionException if there are too many, OutOfMemoryError if the system refuses a thread. */
    public static void start(Runnable task) {
        THREADS.execute(task);
    }

    /** Runs a task on a helper, or at once if there is none. */
    public static FutureTask<Void> startOrRun(Runnable action) {
        FutureTask<Void> task = new FutureTask<>(action, null);
        try {
            start(task);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            task.run();
        }
        return task;
    }

    /** Waits for helpers that are about to end. An interrupt does not end the wait. */
    public static void await(CountDownLatch ended) {
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

    /** Waits for a short task. An interrupt does not end the wait. Throws what the task has thrown. */
    public static void await(FutureTask<Void> task) {
        boolean interrupted = false;
        for (;;) {
            try {
                task.get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "frugal walk");
        thread.setDaemon(true);
        return thread;
    }
}
