package frugal.walk;

import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import java.nio.ByteOrder;
import java.util.Arrays;
import jnr.constants.platform.Errno;

/**
 * Lists one directory after the other: reads, filters and sorts the entries of each. Each worker has one, whose memory
 * all its directories share.
 */
final class Listing {
    static final int UNKNOWN = 0;
    static final int DIRECTORY = 4;
    static final int REGULAR = 8;
    static final int LINK = 10;

    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int ENOENT = Errno.ENOENT.intValue();
    private static final int EINTR = Errno.EINTR.intValue();

    /** The record of getdents64: the places of its length, its type and its name. */
    private static final int RECORD_LENGTH = 16;
    private static final int RECORD_TYPE = 18;
    private static final int RECORD_NAME = 19;
    private static final int RECORD_ALIGNED = 8;

    /** An item: the place of a name, its length in 16 bits, its type in 8, and what happens to it. */
    private static final int FROM_SHIFT = 32;
    private static final int LENGTH_SHIFT = 16;
    private static final int TYPE_SHIFT = 8;
    private static final int KEPT = 1;
    private static final int ENTERED = 2;

    private static final byte[] NO_RECORDS = {};
    private static final byte[] GIT = IgnoreFile.bytes(".git");
    private static final byte[] GITIGNORE = IgnoreFile.bytes(".gitignore");

    final Buffer buffer = Buffers.take();
    private final Selection selection;
    private final Sorter sorter = new Sorter();
    private byte[] records = NO_RECORDS;
    private int used;
    private long[] items = new long[64];
    private int count;
    private boolean allKept;
    private final IgnoreLevels levels; // null: nothing is ignored
    private boolean hasRules; // the directory has a regular file .gitignore
    private boolean hasRepository; // it has a .git

    /** @param above null, or the rules above the root */
    Listing(Selection selection, IgnoreAbove above) {
        this.selection = selection;
        this.levels = above == null ? null : new IgnoreLevels(above);
    }

    void free() {
        Buffers.give(buffer);
    }

    static int from(long item) {
        return (int) (item >>> FROM_SHIFT);
    }

    static int length(long item) {
        return (int) (item >>> LENGTH_SHIFT) & 0xffff;
    }

    private static int type(long item) {
        return (int) (item >>> TYPE_SHIFT) & 0xff;
    }

    /** Fills a node with the entries of an open directory. An error of the kernel is stored in the node. */
    void list(Node node, int descriptor) {
        used = count = 0;
        allKept = true;
        hasRules = hasRepository = false;
        read(node, descriptor);
        if (levels != null) ignore(node, descriptor);
        if (selection.sort) items = sorter.sort(records, items, count);
        build(node);
        if (selection.stat) examine(node, descriptor);
    }

    // -- reading --

    private void read(Node node, int descriptor) {
        for (;;) {
            int size = Libc.getdents(descriptor, buffer.data(), Buffer.DATA_ROOM);
            if (size == -EINTR) continue;
            if (size <= 0) {
                if (size < 0 && size != -ENOENT) node.error = -size; // ENOENT: it was removed after it was opened
                return;
            }
            if (records.length - used < size) records = Arrays.copyOf(records, Math.max(used + size, 2 * used));
            buffer.get(Buffer.DATA, records, used, size);
            int end = used + size;
            for (int at = used; at < end;) at += add(node, descriptor, at);
            used = end;
        }
    }

    /** @return the length of the record */
    private int add(Node node, int descriptor, int at) {
        byte[] bytes = records;
        int one = bytes[at + RECORD_LENGTH] & 0xff;
        int two = bytes[at + RECORD_LENGTH + 1] & 0xff;
        int size = LITTLE ? one | two << 8 : two | one << 8;
        int from = at + RECORD_NAME;
        int end = Math.max(from, at + size - RECORD_ALIGNED); // the NUL is one of the last eight bytes
        while (bytes[end] != 0) end++;
        select(node, descriptor, bytes[at + RECORD_TYPE], from, end - from);
        return size;
    }

    private void select(Node node, int descriptor, int type, int from, int length) {
        if (records[from] == '.') {
            if (levels != null && gits(descriptor, type, from, length)) return;
            if (!selection.hidden || dots(from, length)) return;
        }
        if (selection.names != null && !selection.names.plain(records, from, length)) node.odd = true;
        if (type == UNKNOWN) type = typeOf(descriptor, from, length);
        boolean kept = selection.keepsAll() || selection.keeps(records, from, length);
        boolean entered = selection.enters(type, node.depth + 1, records, from, length);
        if (!kept && !entered) return;
        allKept &= kept;
        if (count == items.length) items = Arrays.copyOf(items, 2 * count);
        items[count++] = (long) from << FROM_SHIFT | (long) length << LENGTH_SHIFT | type << TYPE_SHIFT |
            (kept ? KEPT : 0) | (entered ? ENTERED : 0);
    }

    private boolean dots(int from, int length) {
        return length == 1 || length == 2 && records[from + 1] == '.';
    }

    /** For file systems that do not store the type with the name. */
    private int typeOf(int descriptor, int from, int length) {
        writeName(records, from, length);
        if (Libc.statx(descriptor, buffer.address, Libc.AT_SYMLINK_NOFOLLOW, buffer.status()) != 0) return UNKNOWN;
        return Statx.mode(buffer) >> 12; // the kernel's own definition
    }

    private void writeName(byte[] names, int from, int length) {
        buffer.put(0, names, from, length);
        buffer.bytes.put(length, (byte) 0);
    }

    // -- what git ignores --

    /** Notices the files of git. @return whether it is .git, which is never listed */
    private boolean gits(int descriptor, int type, int from, int length) {
        if (named(GIT, from, length)) return hasRepository = true;
        if (named(GITIGNORE, from, length)) {
            hasRules = (type == UNKNOWN ? typeOf(descriptor, from, length) : type) == REGULAR;
        }
        return false;
    }

    private boolean named(byte[] name, int from, int length) {
        if (length != name.length) return false;
        for (int i = 0; i < length; i++) {
            if (records[from + i] != name[i]) return false;
        }
        return true;
    }

    /** Reads the rules of the directory, and leaves out the names that are ignored. */
    private void ignore(Node node, int descriptor) {
        byte[] exclude = hasRepository ? IgnoreFile.exclude(descriptor, NO_RECORDS, buffer) : null;
        if (hasRules || hasRepository) {
            node.rules = new IgnoreLevels.Own(hasRepository);
            if (hasRules) node.rules.file = IgnoreFile.read(descriptor, GITIGNORE, false, buffer);
            if (exclude != null) node.rules.exclude = IgnoreFile.read(descriptor, exclude, true, buffer);
        }
        if (!levels.collect(node)) return;
        int found = count;
        count = 0;
        for (int i = 0; i < found; i++) {
            long item = items[i];
            if (!levels.ignores(records, from(item), length(item), type(item) == DIRECTORY)) items[count++] = item;
        }
    }

    // -- building --

    private void build(Node node) {
        int bytes = 0;
        int entered = 0;
        for (int i = 0; i < count; i++) {
            bytes += length(items[i]);
            if ((items[i] & ENTERED) != 0) entered++;
        }
        if (count == 0) return;
        node.names = new byte[bytes];
        node.ends = new int[count];
        node.kept = allKept ? null : new boolean[count];
        if (entered > 0) node.children = new Node[entered];
        fill(node);
    }

    private void fill(Node node) {
        int at = 0;
        int child = 0;
        for (int i = 0; i < count; i++) {
            long item = items[i];
            System.arraycopy(records, from(item), node.names, at, length(item));
            at += length(item);
            node.ends[i] = at;
            if (!allKept) node.kept[i] = (item & KEPT) != 0;
            if ((item & ENTERED) != 0) node.children[child++] = new Node(node, i, type(item) == LINK);
        }
    }

    // -- times and sizes --

    private void examine(Node node, int descriptor) {
        node.mtimes = new long[count];
        node.sizes = new long[count];
        for (int i = 0; i < count; i++) {
            writeName(node.names, node.begin(i), node.length(i));
            boolean follow = type(items[i]) == LINK && selection.follow != Selection.Follow.NEVER;
            if (!(follow && examine(descriptor, 0)) && !examine(descriptor, Libc.AT_SYMLINK_NOFOLLOW)) {
                continue; // it was removed after it was listed
            }
            node.mtimes[i] = Statx.seconds(buffer, Statx.MTIME) * 1_000_000_000L +
                Statx.nanoseconds(buffer, Statx.MTIME);
            node.sizes[i] = Statx.size(buffer);
        }
    }

    private boolean examine(int descriptor, int flags) {
        return Libc.statx(descriptor, buffer.address, flags, buffer.status()) == 0;
    }
}
