package frugal.walk;

import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyString;

/**
 * A pattern of names, as of File.fnmatch with FNM_DOTMATCH. Names may be any bytes, with which JRuby's own fails: a
 * byte that is no part of a character counts as one.
 */
final class NamePattern {
    private static final int NO_MATCH = -1;

    private final byte[] pattern;
    private final boolean characters; // in UTF-8; otherwise one byte is one
    private final boolean literal;

    NamePattern(RubyString text) {
        pattern = text.getBytes();
        characters = text.getEncoding() == UTF8Encoding.INSTANCE && !text.isBrokenString();
        boolean special = false;
        for (byte one : pattern) special |= one == '*' || one == '?' || one == '[' || one == '\\';
        literal = !special;
    }

    /** Whether it matches a name that is a part of the bytes. */
    boolean matches(byte[] names, int from, int end) {
        return literal ? equal(names, from, end) : matchesWildcards(names, from, end);
    }

    private boolean equal(byte[] names, int from, int end) {
        if (end - from != pattern.length) return false;
        for (int i = 0; i < pattern.length; i++) {
            if (names[from + i] != pattern[i]) return false;
        }
        return true;
    }

    /** Only the last star is tried again with more characters: that is enough, as in {@link IgnoreProgram#matches}. */
    private boolean matchesWildcards(byte[] names, int from, int end) {
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
            int next = name == end ? NO_MATCH : step(at, names, name, end);
            if (next != NO_MATCH) {
                at = next;
                name += size(names, name, end);
                continue;
            }
            if (star < 0 || starName == end) return false;
            starName += size(names, starName, end);
            name = starName;
            at = star;
        }
    }

    /** @return the place in the pattern after what matches one character, or NO_MATCH if that does not match */
    private int step(int at, byte[] names, int name, int end) {
        if (at == pattern.length) return NO_MATCH;
        if (pattern[at] == '?') return at + 1;
        if (pattern[at] == '[') return set(at + 1, character(names, name, end));
        at = unescaped(at);
        if (character(pattern, at, pattern.length) != character(names, name, end)) return NO_MATCH;
        return at + size(pattern, at, pattern.length);
    }

    /** @return the place after the set, or NO_MATCH if it does not have the character, or does not end */
    private int set(int at, int wanted) {
        boolean negated = at < pattern.length && (pattern[at] == '!' || pattern[at] == '^');
        boolean found = false;
        if (negated) at++;
        while (at < pattern.length && pattern[at] != ']') {
            at = unescaped(at);
            int first = character(pattern, at, pattern.length);
            int last = first;
            at += size(pattern, at, pattern.length);
            if (at + 1 < pattern.length && pattern[at] == '-' && pattern[at + 1] != ']') {
                at = unescaped(at + 1);
                last = character(pattern, at, pattern.length);
                at += size(pattern, at, pattern.length);
            }
            found |= first <= wanted && wanted <= last;
        }
        return at < pattern.length && found != negated ? at + 1 : NO_MATCH;
    }

    /** A backslash at the end is literal. */
    private int unescaped(int at) {
        return pattern[at] == '\\' && at + 1 < pattern.length ? at + 1 : at;
    }

    /** The size of the character at a place: 1 for a byte that begins none. */
    private int size(byte[] bytes, int at, int end) {
        if (!characters || bytes[at] >= 0) return 1;
        int length = UTF8Encoding.INSTANCE.length(bytes, at, end);
        return length > 0 && at + length <= end ? length : 1;
    }

    /** A number for the character at a place, in the order of characters; negative for a byte that begins none. */
    private int character(byte[] bytes, int at, int end) {
        int size = size(bytes, at, end);
        if (size == 1) return characters ? bytes[at] : bytes[at] & 0xff;
        return UTF8Encoding.INSTANCE.mbcToCode(bytes, at, end);
    }
}
