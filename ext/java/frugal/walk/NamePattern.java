package frugal.walk;

import java.util.Arrays;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyString;

/**
 * A pattern of names, as of File.fnmatch with FNM_DOTMATCH. If a name is not valid text, JRuby's own method fails. This
 * class then compares bytes, not characters, like fnmatch(3) in the C engine.
 */
final class NamePattern {
    private static final int NO_MATCH = -1;

    private final byte[] pattern;
    private final boolean characters; // valid UTF-8; otherwise each byte is a character
    private final boolean literal;

    NamePattern(RubyString text) {
        pattern = withoutOpenEscape(text.getBytes());
        characters = text.getEncoding() == UTF8Encoding.INSTANCE && !text.isBrokenString();
        boolean special = false;
        for (byte one : pattern) special |= one == '*' || one == '?' || one == '[' || one == '\\';
        literal = !special;
    }

    /** Whether it matches a name that is a part of the bytes. */
    boolean matches(byte[] names, int from, int end) {
        if (literal) return equal(names, from, end);
        return matchesWildcards(names, from, end, characters && valid(names, from, end));
    }

    private boolean equal(byte[] names, int from, int end) {
        if (end - from != pattern.length) return false;
        for (int i = 0; i < pattern.length; i++) {
            if (names[from + i] != pattern[i]) return false;
        }
        return true;
    }

    /** A backslash at the end that escapes nothing has no effect. */
    private static byte[] withoutOpenEscape(byte[] bytes) {
        int count = 0;
        while (count < bytes.length && bytes[bytes.length - 1 - count] == '\\') count++;
        return count % 2 == 0 ? bytes : Arrays.copyOf(bytes, bytes.length - 1);
    }

    private static boolean valid(byte[] names, int from, int end) {
        int length = 1;
        for (int at = from; at < end && length > 0; at += length) {
            length = names[at] >= 0 ? 1 : UTF8Encoding.INSTANCE.length(names, at, end);
        }
        return length > 0;
    }

    /** Only the last star is tried again with more characters: that is enough, as in {@link IgnoreProgram#matches}. */
    private boolean matchesWildcards(byte[] names, int from, int end, boolean wide) {
        int at = 0;
        int name = from;
        int star = -1;
        int starName = from;
        for (;;) {
            if (at < pattern.length && pattern[at] == '*') {
                star = ++at;
                starName = name;
                continue;
            }
            if (name == end && at == pattern.length) return true;
            int next = name == end ? NO_MATCH : step(at, names, name, end, wide);
            if (next != NO_MATCH) {
                at = next;
                name += size(names, name, end, wide);
                continue;
            }
            if (star < 0 || starName == end) return false;
            starName += size(names, starName, end, wide);
            name = starName;
            at = star;
        }
    }

    /** @return the place in the pattern after what matches one character, or NO_MATCH if that does not match */
    private int step(int at, byte[] names, int name, int end, boolean wide) {
        if (at == pattern.length) return NO_MATCH;
        if (pattern[at] == '?') return at + 1;
        if (pattern[at] == '[') return set(at + 1, character(names, name, end, wide), wide);
        at = unescaped(at);
        if (character(pattern, at, pattern.length, wide) != character(names, name, end, wide)) return NO_MATCH;
        return at + size(pattern, at, pattern.length, wide);
    }

    /** @return the place after the set, or NO_MATCH if it does not have the character, or does not end */
    private int set(int at, int wanted, boolean wide) {
        boolean negated = at < pattern.length && (pattern[at] == '!' || pattern[at] == '^');
        boolean found = false;
        if (negated) at++;
        while (at < pattern.length && pattern[at] != ']') {
            at = unescaped(at);
            int first = character(pattern, at, pattern.length, wide);
            int last = first;
            at += size(pattern, at, pattern.length, wide);
            if (at + 1 < pattern.length && pattern[at] == '-' && pattern[at + 1] != ']') {
                at = unescaped(at + 1);
                last = character(pattern, at, pattern.length, wide);
                at += size(pattern, at, pattern.length, wide);
            }
            found |= wanted == first || wanted == last || first < wanted && wanted < last; // also of a reversed range
        }
        return at < pattern.length && found != negated ? at + 1 : NO_MATCH;
    }

    private int unescaped(int at) {
        return pattern[at] == '\\' && at + 1 < pattern.length ? at + 1 : at;
    }

    private static int size(byte[] bytes, int at, int end, boolean wide) {
        return wide && bytes[at] < 0 ? UTF8Encoding.INSTANCE.length(bytes, at, end) : 1;
    }

    private static int character(byte[] bytes, int at, int end, boolean wide) {
        return wide && bytes[at] < 0 ? UTF8Encoding.INSTANCE.mbcToCode(bytes, at, end) : bytes[at] & 0xff;
    }
}
