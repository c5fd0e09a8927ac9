package frugal.walk;

/** A set of directories by device and inode: a hash table of longs with open addressing. */
final class Identities {
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private long[] pairs = new long[512]; // device, inode; an inode of 0 is an empty place
    private int count;

    boolean contains(long device, long inode) {
        return pairs[place(pairs, device, inode) + 1] != 0;
    }

    void add(long device, long inode) {
        int at = place(pairs, device, inode);
        if (pairs[at + 1] != 0) return;
        pairs[at] = device;
        pairs[at + 1] = inode;
        if (++count * 4 > pairs.length) grow();
    }

    private void grow() {
        long[] larger = new long[2 * pairs.length];
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i + 1] == 0) continue;
            int at = place(larger, pairs[i], pairs[i + 1]);
            larger[at] = pairs[i];
            larger[at + 1] = pairs[i + 1];
        }
        pairs = larger;
    }

    /** The place of a directory in the table, or the free place for it. */
    private static int place(long[] pairs, long device, long inode) {
        int mask = pairs.length / 2 - 1;
        int at = (int) ((inode ^ device << 40) * MIX >>> 20) & mask;
        while (pairs[2 * at + 1] != 0 && (pairs[2 * at + 1] != inode || pairs[2 * at] != device)) at = at + 1 & mask;
        return 2 * at;
    }
}
