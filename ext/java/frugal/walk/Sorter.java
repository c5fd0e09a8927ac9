package frugal.walk;

/**
 * Sorts names by their bytes. Each name is an item: a long with its place in the bytes. Its key has the eight bytes
 * after the common beginning of all names, as a number that sorts like these bytes.
 */
final class Sorter {
    /** Lists up to this size, and parts of longer ones, are sorted by insertion. */
    private static final int SHORT = 12;

    private long[] keys = new long[64];
    private long[] otherKeys = keys;
    private long[] otherItems = {};
    private byte[] bytes;
    private int common;

    /**
     * Sorts items.
     *
     * @param items each made by {@link Listing#item}
     * @return the sorted items, or `items` itself
     */
    long[] sort(byte[] names, long[] items, int count) {
        if (count < 2) return items;
        bytes = names;
        common = commonLength(items, count);
        if (keys.length < count) keys = new long[items.length];
        for (int i = 0; i < count; i++) keys[i] = key(items[i]);
        for (int from = 0; from < count; from += SHORT) insert(keys, items, from, Math.min(count, from + SHORT));
        return count <= SHORT ? items : merge(items, count);
    }

    /** The length of the common beginning of all names. */
    private int commonLength(long[] items, int count) {
        int first = Listing.from(items[0]);
        int length = Listing.length(items[0]);
        for (int i = 1; i < count && length > 0; i++) {
            int from = Listing.from(items[i]);
            int most = Math.min(length, Listing.length(items[i]));
            length = 0;
            while (length < most && bytes[from + length] == bytes[first + length]) length++;
        }
        return length;
    }

    /** Zeros follow the end of a shorter name. With the changed sign, Java compares the keys as unsigned numbers. */
    private long key(long item) {
        int from = Listing.from(item) + common;
        int end = Math.min(from + 8, Listing.from(item) + Listing.length(item));
        long key = 0;
        int at = from;
        while (at < end) key = key << 8 | bytes[at++] & 0xff;
        int missing = 8 - (at - from);
        return (missing == 8 ? 0 : key << 8 * missing) ^ Long.MIN_VALUE;
    }

    private boolean before(long key, long item, long otherKey, long otherItem) {
        return key != otherKey ? key < otherKey : beforeInRest(item, otherItem);
    }

    private boolean beforeInRest(long item, long other) {
        int from = Listing.from(item);
        int otherFrom = Listing.from(other);
        int end = Math.min(Listing.length(item), Listing.length(other));
        for (int i = common; i < end; i++) {
            int difference = (bytes[from + i] & 0xff) - (bytes[otherFrom + i] & 0xff);
            if (difference != 0) return difference < 0;
        }
        return Listing.length(item) < Listing.length(other);
    }

    private void insert(long[] keys, long[] items, int from, int end) {
        for (int i = from + 1; i < end; i++) {
            long key = keys[i];
            long item = items[i];
            int j = i;
            for (; j > from && before(key, item, keys[j - 1], items[j - 1]); j--) {
                keys[j] = keys[j - 1];
                items[j] = items[j - 1];
            }
            keys[j] = key;
            items[j] = item;
        }
    }

    /** Merges from the bottom up, without recursion. */
    private long[] merge(long[] items, int count) {
        if (otherItems.length < items.length) otherItems = new long[items.length];
        if (otherKeys.length < keys.length || otherKeys == keys) otherKeys = new long[keys.length];
        for (int width = SHORT; width < count; width *= 2) {
            for (int from = 0; from < count; from += 2 * width) {
                merge(items, from, Math.min(count, from + width), Math.min(count, from + 2 * width));
            }
            long[] sorted = otherItems;
            otherItems = items;
            items = sorted;
            long[] sortedKeys = otherKeys;
            otherKeys = keys;
            keys = sortedKeys;
        }
        return items;
    }

    private void merge(long[] items, int from, int middle, int end) {
        int left = from;
        int right = middle;
        for (int i = from; i < end; i++) {
            boolean takeLeft = left < middle &&
                (right == end || !before(keys[right], items[right], keys[left], items[left]));
            int taken = takeLeft ? left++ : right++;
            otherItems[i] = items[taken];
            otherKeys[i] = keys[taken];
        }
    }
}
