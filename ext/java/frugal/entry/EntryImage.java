package frugal.entry;

import frugal.binding.OpenFile;
import frugal.system.Identity;
import java.util.Arrays;
import jnr.constants.platform.Errno;
import org.jruby.runtime.ThreadContext;

/** What an entry's file contains: the twin of ext/frugal/core/entry/entry_read.c. */
final class EntryImage {
    /** A larger file takes a second read. */
    private static final int ROOM = 16_385;
    private static final int ENOMEM = Errno.ENOMEM.intValue();
    private static final byte[] NONE = {};

    /** Only FOUND has a record. */
    enum State { FOUND, EMPTY, FOREIGN, DAMAGED, HUGE, SPECIAL, UNLINKED, CHANGING }

    private final OpenFile file;
    private final byte[] id;
    /** Whether to ask for the attributes first, which finds EMPTY, HUGE, SPECIAL and UNLINKED. */
    private final boolean examines;
    /** Of a larger file, only the first bytes are read. */
    private final long largest;

    Identity status;
    State state = State.FOUND;
    byte[] content = NONE;
    EntryRecord record;

    EntryImage(OpenFile file, byte[] id, boolean examines, long largest) {
        this.file = file;
        this.id = id;
        this.examines = examines;
        this.largest = largest;
    }

    /**
     * Reads the whole file. While it is being written, reads again, until the record is settled or the bytes stay the
     * same. Unchanged bytes mean that a process was killed while it wrote.
     *
     * @param reads how often, at most
     */
    void read(ThreadContext context, int reads) {
        readOnce(context);
        for (int left = reads - 1; left > 0 && !settled(); left--) {
            byte[] last = content;
            readOnce(context);
            if (settled() || Arrays.equals(content, last)) return;
            if (left == 1) state = State.CHANGING;
        }
    }

    /**
     * Reads a file again by one call, under the lock. `size` bytes of it were read before.
     *
     * @return false if that is not enough: it has grown, or it is marked as deleted, or has no valid record
     */
    boolean reread(ThreadContext context, int size) {
        int room = size < ROOM ? ROOM : size + 1; // a byte more, which a larger file fills
        content = file.readOnce(context, room, 0);
        if (content.length == room || content.length < EntryRecord.HEAD) return false;
        if (content[EntryRecord.FLAG_AT] != 0) return false;
        state = find();
        return state == State.FOUND;
    }

    private void readOnce(ThreadContext context) {
        content = NONE;
        record = null;
        state = State.FOUND;
        if (examines) {
            status = file.examine(context);
            state = stateOfFile();
        }
        if (state != State.FOUND) return;
        content = file.readOnce(context, ROOM, 0);
        if (content.length == ROOM) readRest(context);
        state = find();
    }

    private void readRest(ThreadContext context) {
        if (!examines) status = file.examine(context);
        if (status.size <= ROOM || status.size > largest) return;
        if (status.size > Integer.MAX_VALUE - 16) throw file.fault(context, ENOMEM);
        byte[] rest = file.readOnce(context, (int) status.size - ROOM, ROOM);
        content = Arrays.copyOf(content, ROOM + rest.length);
        System.arraycopy(rest, 0, content, ROOM, rest.length);
    }

    private State stateOfFile() {
        if (status.links == 0) return State.UNLINKED;
        if (!status.isFile()) return State.SPECIAL;
        if (status.size == 0) return State.EMPTY;
        return status.size > largest ? State.HUGE : State.FOUND;
    }

    private State find() {
        if (content.length == 0) return State.EMPTY;
        if (!EntryRecord.belongs(content, id)) return State.FOREIGN;
        record = EntryRecord.find(content);
        return record == null ? State.DAMAGED : State.FOUND;
    }

    /** Whether a read without the lock has the result of a read with the lock. */
    private boolean settled() {
        return state == State.FOUND ? record.isSettled() : state != State.DAMAGED && state != State.FOREIGN;
    }
}
