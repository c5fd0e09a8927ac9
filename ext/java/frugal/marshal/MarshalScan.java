package frugal.marshal;

import java.util.ArrayList;
import org.jcodings.specific.USASCIIEncoding;
import org.jruby.util.ByteList;

/**
 * Reads a Marshal dump token by token, and copies values of it into another dump.
 *
 * <p>It supports values without a class, but no links between objects. For anything else (an object, a Struct, a Time,
 * instance variables, a Hash with a default, a Symbol beyond ASCII), {@link #value} returns false: such a dump has to
 * be loaded as a whole.
 */
final class MarshalScan {
    private static final int DEPTH = 200;

    final byte[] bytes;
    final int size;
    int at;
    /** The symbols in the order of their first occurrences, by which links refer to them. */
    final ArrayList<ByteList> symbols;
    /** Whether a Hash inside of a value has a String as a key. Equal keys are one object: stock's dump has links. */
    boolean textKeys;
    private MarshalWriter writer;
    private int copied;

    MarshalScan(byte[] bytes, int size, ArrayList<ByteList> symbols) {
        this.bytes = bytes;
        this.size = size;
        this.symbols = symbols;
    }

    /** Reads the version and the start of a container. @return the number of its elements; -1: it is another value */
    int open(char type) {
        if (size < 4 || bytes[0] != 4 || bytes[1] != 8 || bytes[2] != type) return -1;
        at = 3;
        return count();
    }

    /** Copies the value at an offset, which was read before. */
    void copy(int from, MarshalWriter to) {
        writer = to;
        at = copied = from;
        value(0);
        writer.put(bytes, copied, at);
        writer = null;
    }

    /** Moves to the end of the value at the offset {@link #at}. False: this class does not support the value. */
    boolean value(int depth) {
        if (depth > DEPTH || at >= size) return false;
        switch (bytes[at++]) {
            case '0': case 'T': case 'F': return true;
            case 'i': return number() != BAD;
            case ':': case ';':
                at--;
                return symbol();
            case '"': case 'f': return skip(count());
            case 'I': return at < size && bytes[at++] == '"' && skip(count()) && encoding();
            case 'l': return sign() && skip(2 * (long) count());
            case '[': return values(count(), depth);
            case '{': return pairs(count(), depth);
            default: return false;
        }
    }

    private boolean values(int count, int depth) {
        for (int i = 0; i < count; i++) {
            if (!value(depth + 1)) return false;
        }
        return count >= 0;
    }

    private boolean pairs(int count, int depth) {
        for (int i = 0; i < count; i++) {
            if (at < size && (bytes[at] == '"' || bytes[at] == 'I')) textKeys = true;
            if (!value(depth + 1) || !value(depth + 1)) return false;
        }
        return count >= 0;
    }

    private boolean sign() {
        if (at >= size || bytes[at] != '+' && bytes[at] != '-') return false;
        at++;
        return true;
    }

    /** Reads one instance variable: E, which is true for UTF-8, and false for US-ASCII. False: there are others. */
    private boolean encoding() {
        if (count() != 1) return false;
        int name = at;
        if (!symbol()) return false;
        ByteList read = symbolAt(name);
        if (read.realSize() != 1 || read.get(0) != 'E' || at >= size) return false;
        byte value = bytes[at++];
        return value == 'T' || value == 'F';
    }

    private boolean symbol() {
        int start = at;
        boolean link = at < size && bytes[at] == ';';
        if (at >= size || bytes[at++] != (link ? ';' : ':')) return false;
        if (link) {
            long number = number();
            if (number < 0 || number >= symbols.size()) return false;
        } else {
            int length = count();
            int text = at;
            if (!skip(length)) return false;
            if (writer == null) {
                for (int i = text; i < at; i++) {
                    if (bytes[i] < 0) return false;
                }
                symbols.add(name(text, length));
            }
        }
        if (writer != null) {
            int end = at;
            writer.put(bytes, copied, start);
            writer.symbol(symbolAt(start));
            at = copied = end;
        }
        return true;
    }

    /** The symbol that is written at an offset: in full, or as a link to an earlier one. Does not move. */
    ByteList symbolAt(int offset) {
        int back = at;
        at = offset + 1;
        long number = number();
        ByteList symbol = bytes[offset] == ';' ? symbols.get((int) number) : name(at, (int) number);
        at = back;
        return symbol;
    }

    private ByteList name(int from, int length) {
        return new ByteList(bytes, from, length, USASCIIEncoding.INSTANCE, true);
    }

    private boolean skip(long length) {
        if (length < 0 || length > size - at) return false;
        at += length;
        return true;
    }

    /** A number of bytes or values, each of which takes at least one byte; -1 if it is not plausible. */
    int count() {
        long number = number();
        return number < 0 || number > size - at ? -1 : (int) number;
    }

    static final long BAD = Long.MIN_VALUE;

    /** The Integer at the offset {@link #at}; BAD: the dump ends before. */
    long number() {
        if (at >= size) return BAD;
        int first = bytes[at++];
        if (first == 0) return 0;
        if (first > 4) return first - 5;
        if (first < -4) return first + 5;
        int width = Math.abs(first);
        if (width > size - at) return BAD;
        long number = first < 0 ? -1L << 8 * width : 0;
        for (int i = 0; i < width; i++) number |= (bytes[at++] & 0xffL) << 8 * i;
        return number;
    }
}
