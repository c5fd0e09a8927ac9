package frugal.store;

import frugal.binding.OpenFile;
import frugal.system.Identity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import org.jruby.RubyThread;

/**
 * The open files of stores, the files in transactions, and the files that are kept for other objects of the same file.
 * The class guards all of them: a thread does not close a file that another thread holds.
 */
final class StorePool {
    /** The most files that stay open while they are not in a transaction. */
    private static final int OPEN = 32;
    private static final ArrayList<StoreFile> open = new ArrayList<>(); // the oldest first
    private static final ArrayList<StoreFile> held = new ArrayList<>();
    private static final ArrayDeque<StoreFile> kept = new ArrayDeque<>(); // the newest first

    private StorePool() {
    }

    /** Replaces the file's descriptor. */
    static synchronized void add(StoreFile file, OpenFile opened, boolean writable) {
        close(file);
        while (open.size() >= OPEN && closeOldest()) continue;
        file.file = opened;
        file.writable = writable;
        open.add(file);
    }

    static synchronized void close(StoreFile file) {
        if (file.file == null) return;
        file.file.close();
        file.file = null;
        file.lock = StoreFile.UNLOCKED;
        remove(open, file);
    }

    /** Closes the oldest file that is not in a transaction. False: there is none. */
    static synchronized boolean closeOldest() {
        for (StoreFile file : open) {
            if (file.held != StoreFile.FREE) continue;
            close(file);
            return true;
        }
        return false;
    }

    /** Begins the use of a file by an object. False: another transaction uses it. */
    static synchronized boolean seize(StoreFile file, RubyThread thread) {
        if (file.held != StoreFile.FREE) return false;
        hold(file, StoreFile.ENTERED, thread);
        return true;
    }

    static synchronized void hold(StoreFile file, int how, RubyThread thread) {
        if (file.held == StoreFile.FREE) held.add(file);
        file.held = how;
        file.holder = thread;
    }

    /** Ends the use of a file. Closes it if more than {@link #OPEN} are open, as after many transactions at once. */
    static synchronized void release(StoreFile file) {
        if (file.held != StoreFile.FREE) remove(held, file);
        file.held = StoreFile.FREE;
        file.holder = null;
        if (open.size() > OPEN) close(file);
    }

    /** Whether this thread is in another transaction of the same file, so waiting for the lock would never end. */
    static synchronized boolean waitsForItself(StoreFile file, Identity identity, int how, RubyThread thread) {
        if (held.isEmpty() || held.size() == 1 && held.get(0) == file) return false;
        for (StoreFile other : held) {
            if (other == file || other.holder != thread || other.held == StoreFile.ENTERED) continue;
            if (how == StoreFile.SHARED && other.held == StoreFile.SHARED) continue;
            if (identity.sameFile(other.opened)) return true;
        }
        return false;
    }

    /** Compares by identity: equals would call Ruby. */
    private static void remove(ArrayList<StoreFile> list, StoreFile file) {
        int at = list.size() - 1;
        while (at >= 0 && list.get(at) != file) at--;
        if (at >= 0) list.remove(at);
    }

    /** Makes it the newest of the open files. False: it is not open. */
    static synchronized boolean touch(StoreFile file) {
        if (file.file == null) return false;
        if (open.get(open.size() - 1) == file) return true;
        remove(open, file);
        return open.add(file);
    }

    static synchronized void keep(StoreFile file) {
        if (kept.peekFirst() == file) return;
        drop(file);
        kept.addFirst(file);
    }

    static synchronized void drop(StoreFile file) {
        for (Iterator<StoreFile> each = kept.iterator(); each.hasNext();) {
            if (each.next() == file) each.remove();
        }
    }

    /** The kept files that are in no transaction, the newest first. */
    static synchronized ArrayList<StoreFile> kept() {
        ArrayList<StoreFile> list = new ArrayList<>();
        for (StoreFile file : kept) {
            if (file.held == StoreFile.FREE) list.add(file);
        }
        return list;
    }
}
