package frugal.walk;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Compiles one wildcard pattern, with git's semantics, to an {@link IgnoreProgram}. */
final class IgnoreCompiler {
    /** git's own classes, as pairs of first and last byte: only ASCII; the spaces include neither VT nor FF. */
    private static final String[][] CLASSES = {
        {"alnum", "09AZaz"}, {"alpha", "AZaz"}, {"blank", "\t\t  "}, {"cntrl", "\001\037\177\177"}, {"digit", "09"},
        {"graph", "!~"}, {"lower", "az"}, {"print", " ~"}, {"punct", "!/:@[`{~"}, {"space", "\t\n\r\r  "},
        {"upper", "AZ"}, {"xdigit", "09AFaf"}
    };

    private final byte[] pattern;
    private final int end;
    private final boolean forPaths;
    private final ByteArrayOutputStream code = new ByteArrayOutputStream();
    private int at;
    private boolean wildcardSeen;

    private IgnoreCompiler(byte[] pattern, int from, int end, boolean forPaths) {
        this.pattern = pattern;
        this.at = from;
        this.end = end;
        this.forPaths = forPaths;
    }

    /**
     * Compiles a part of the bytes, which has no NUL.
     *
     * @param forPaths it matches paths, and two stars may match folders; otherwise it matches names
     * @return null for a pattern with which git never matches anything
     */
    static IgnoreProgram compile(byte[] pattern, int from, int end, boolean forPaths) {
        IgnoreCompiler compiler = new IgnoreCompiler(pattern, from, end, forPaths);
        while (compiler.at < end) {
            if (!compiler.instruction()) return null;
        }
        compiler.code.write(IgnoreProgram.END);
        return new IgnoreProgram(compiler.code.toByteArray());
    }

    /** The byte at a place, or 0 at the end. */
    private int peek(int place) {
        return place < end ? pattern[place] & 0xff : 0;
    }

    /** @return false if the pattern can match nothing */
    private boolean instruction() {
        int one = peek(at);
        if (one == '*') {
            code.write(stars());
        } else if (one == '?') {
            code.write(IgnoreProgram.ANY);
            at++;
        } else if (one == '[') {
            if (!set()) return false;
        } else {
            return literal(one);
        }
        wildcardSeen = true;
        return true;
    }

    private boolean literal(int one) {
        if (one == '\\') {
            wildcardSeen = true;
            one = peek(++at);
        }
        if (one == 0) return false;
        code.write(IgnoreProgram.LITERAL);
        code.write(one);
        at++;
        return true;
    }

    /**
     * Several stars differ from one only as a complete part of a path. But git before 2.53 does not check the byte
     * before them if they are the first special character: `a**` followed by `/b` also matches "ab" and "ax/y/b".
     */
    private byte stars() {
        int first = at;
        boolean starts = !wildcardSeen || pattern[first - 1] == '/';
        while (peek(at) == '*') at++;
        if (!forPaths || at - first < 2 || !starts) return IgnoreProgram.STAR;
        if (at == end) return IgnoreProgram.DOUBLE_STAR;
        if (peek(at) == '\\' && peek(at + 1) == '/') return IgnoreProgram.DOUBLE_STAR; // that slash is required
        if (peek(at) != '/') return IgnoreProgram.STAR;
        at++;
        return IgnoreProgram.FOLDERS;
    }

    private boolean set() {
        byte[] set = new byte[IgnoreProgram.SET_BYTES];
        int first = peek(++at);
        boolean negated = first == '!' || first == '^';
        if (negated) at++;
        if (!members(set)) return false;
        for (int i = 0; negated && i < set.length; i++) set[i] = (byte) ~set[i];
        set['/' / 8] &= (byte) ~(1 << '/' % 8);
        code.write(IgnoreProgram.SET);
        code.write(set, 0, set.length);
        return true;
    }

    /** Reads the members and the closing bracket. @return false if that is missing, or if a class is unknown */
    private boolean members(byte[] set) {
        int rangeStart = 0; // the byte that a range may begin with, or 0
        do { // a closing bracket is a member if it comes first
            int one = peek(at);
            int next = peek(at + 1);
            if (one == '-' && rangeStart != 0 && next != 0 && next != ']') {
                at++;
                int last = escaped();
                if (last == 0) return false;
                add(set, rangeStart, last);
                rangeStart = 0;
            } else if (one == '[' && next == ':') {
                int close = at + 2;
                while (close < end && pattern[close] != ']') close++;
                if (close >= end) return false;
                boolean named = close > at + 2 && pattern[close - 1] == ':';
                if (named && !addClass(set, at + 2, close - 1)) return false;
                if (!named) add(set, '[', '[');
                if (named) at = close;
                rangeStart = named ? 0 : '[';
            } else {
                rangeStart = escaped();
                if (rangeStart == 0) return false;
                add(set, rangeStart, rangeStart);
            }
            at++;
        } while (peek(at) != ']');
        at++;
        return true;
    }

    /** The current byte, or the next one if the current one is a backslash. */
    private int escaped() {
        return peek(at) == '\\' ? peek(++at) : peek(at);
    }

    private boolean addClass(byte[] set, int from, int to) {
        String name = new String(pattern, from, to - from, StandardCharsets.ISO_8859_1);
        for (String[] one : CLASSES) {
            if (!one[0].equals(name)) continue;
            for (int i = 0; i < one[1].length(); i += 2) add(set, one[1].charAt(i), one[1].charAt(i + 1));
            return true;
        }
        return false;
    }

    private static void add(byte[] set, int from, int to) {
        for (int one = from; one <= to; one++) set[one >> 3] |= (byte) (1 << (one & 7));
    }
}
