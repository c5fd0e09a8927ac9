package frugal.probe;

import frugal.binding.Engine;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Helpers;
import frugal.system.Libc;
import frugal.system.Statx;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.util.ByteList;

/**
 * Examines many files on several threads, as C's stat_batch.c does: the probes mtimes and stats. The calling thread is
 * one of them, and polls its events after each slice. The others run no Ruby code.
 */
final class Batch implements Runnable {
    /** With fewer files, a thread costs more than it saves. */
    private static final int FILES_PER_THREAD = 512;
    private static final int USEFUL_THREADS = 4;
    /** How many files a thread takes at a time: an interrupted batch waits until the other threads end their slices. */
    private static final int SLICE = 16;

    private final byte[][] paths;
    private final int[] errnos;
    private final byte[] statuses;
    private final AtomicInteger next = new AtomicInteger();
    private final CountDownLatch ended;
    private volatile boolean cancelled;

    private Batch(List<RubyString> names, int helpers) {
        int count = names.size();
        paths = new byte[count][];
        for (int i = 0; i < count; i++) { // copies, because another thread may change a String meanwhile
            ByteList list = names.get(i).getByteList();
            if (list.getEncoding().isAsciiCompatible()) paths[i] = list.bytes();
        }
        errnos = new int[count];
        statuses = new byte[count * Statx.USED];
        ended = new CountDownLatch(helpers);
    }

    /** @return null if one thread is faster */
    static Batch run(ThreadContext context, List<RubyString> names) {
        int threads = Math.min(names.size() / FILES_PER_THREAD + 1, USEFUL_THREADS);
        if (threads == 1 || names.size() > Integer.MAX_VALUE / Statx.USED) return null;

        Batch batch = new Batch(names, threads - 1);
        for (int i = 1; i < threads; i++) batch.help();
        try {
            Buffer buffer = Buffers.take();
            try {
                while (batch.slice(buffer)) context.pollThreadEvents();
            } finally {
                Buffers.give(buffer);
            }
        } finally {
            batch.cancelled = true; // all files are done, or an event of the thread has ended the batch
            Helpers.await(batch.ended);
        }
        return batch;
    }

    private void help() {
        try {
            Helpers.start(this);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            ended.countDown();
        }
    }

    @Override
    public void run() {
        Buffer buffer = Buffers.take();
        try {
            while (!cancelled && slice(buffer)) continue;
        } finally {
            Buffers.give(buffer);
            ended.countDown();
        }
    }

    /** @return false if there is none left */
    private boolean slice(Buffer buffer) {
        int first = next.getAndAdd(SLICE);
        int end = Math.min(first + SLICE, paths.length);
        for (int i = first; i < end; i++) {
            byte[] path = paths[i];
            if (path == null || !Engine.instance.paths.write(path, 0, path.length, buffer)) {
                errnos[i] = Engine.STOCK;
                continue;
            }
            errnos[i] = -Libc.statx(Libc.AT_FDCWD, buffer.address, 0, buffer.status());
            if (errnos[i] == 0) buffer.get(Buffer.STATUS, statuses, i * Statx.USED, Statx.USED);
        }
        return first < paths.length;
    }

    /** Puts the status of a file into a buffer. @return 0, a positive errno, or STOCK */
    int status(int index, Buffer buffer) {
        if (errnos[index] == 0) buffer.put(Buffer.STATUS, statuses, index * Statx.USED, Statx.USED);
        return errnos[index];
    }
}
