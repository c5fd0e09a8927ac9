package frugal.walk;

/** The patterns of one .gitignore, parsed as git parses them. Immutable, so several threads may use it. */
final class IgnoreRules {
    /** The verdict of the last pattern that matches. */
    enum Verdict { EXCLUDED, INCLUDED }

    /** A pattern. It is a program, or literal bytes that a text equals or ends with. */
    private static final class Pattern {
        IgnoreProgram program;
        byte[] literal;
        boolean ending;
        boolean negative;
        boolean directoriesOnly;
        boolean forPaths; // it has a slash; otherwise it matches names
        Pattern previous;
        int number;

        boolean matches(byte[] text, int from, int end) {
            if (literal == null) return program.matches(text, from, end);
            int size = end - from;
            if (size < literal.length || !ending && size > literal.length) return false;
            for (int i = 1; i <= literal.length; i++) {
                if (text[end - i] != literal[literal.length - i]) return false;
            }
            return true;
        }
    }

    /** The chain of the patterns whose last byte may vary. */
    private static final int ANY_LAST = 256;

    /** The latest pattern of each chain: most patterns match only texts with a certain last byte. */
    private final Pattern[] latest = new Pattern[ANY_LAST + 1];
    private int count;

    /** @param bytes the content of a file. Patterns that can match nothing are left out. */
    IgnoreRules(byte[] bytes) {
        boolean marked = bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB &&
            bytes[2] == (byte) 0xBF; // the mark of UTF-8
        for (int at = marked ? 3 : 0; at < bytes.length;) {
            int newline = indexOf(bytes, '\n', at, bytes.length);
            int end = newline < 0 ? bytes.length : newline;
            if (end > at && bytes[at] != '#') line(bytes, at, end);
            at = end + 1;
        }
    }

    /**
     * The verdict on a path. The verdict of the deepest folder's file counts; all paths below an excluded directory are
     * excluded.
     *
     * @param text from `path` to `end`: the path from the folder of the rules, without a slash at either end
     * @param name where the last part of the path begins
     * @param directory whether it is one; a link to one is not
     * @return null if no pattern matches
     */
    Verdict match(byte[] text, int path, int name, int end, boolean directory) {
        Pattern same = latest[text[end - 1] & 0xff];
        Pattern any = latest[ANY_LAST];
        while (same != null || any != null) {
            boolean takeAny = same == null || any != null && any.number > same.number;
            Pattern pattern = takeAny ? any : same;
            if ((directory || !pattern.directoriesOnly) && pattern.matches(text, pattern.forPaths ? path : name, end)) {
                return pattern.negative ? Verdict.INCLUDED : Verdict.EXCLUDED;
            }
            if (takeAny) any = any.previous;
            else same = same.previous;
        }
        return null;
    }

    // -- parsing --

    private void line(byte[] bytes, int at, int end) {
        if (bytes[end - 1] == '\r') end--;
        int nul = indexOf(bytes, 0, at, end);
        end = trim(bytes, at, nul < 0 ? end : nul); // git ignores what follows a NUL
        Pattern pattern = new Pattern();
        if (at < end && bytes[at] == '!') {
            pattern.negative = true;
            at++;
        }
        if (at < end && bytes[end - 1] == '/') {
            pattern.directoriesOnly = true;
            end--;
        }
        if (indexOf(bytes, '/', at, end) >= 0) {
            pattern.forPaths = true;
            if (bytes[at] == '/') at++;
            int name = afterAnyFolder(bytes, at, end);
            if (name >= 0) { // the name alone matches the same paths, and faster
                pattern.forPaths = false;
                at = name;
            }
        }
        if (at == end) return;
        pattern.program = IgnoreCompiler.compile(bytes, at, end, pattern.forPaths);
        if (pattern.program != null) add(pattern);
    }

    private void add(Pattern pattern) {
        int last = pattern.program.lastByte();
        pattern.ending = !pattern.forPaths && pattern.program.startsWithStar();
        pattern.literal = pattern.program.literal(pattern.ending);
        int chain = last < 0 ? ANY_LAST : last;
        pattern.number = count++;
        pattern.previous = latest[chain];
        latest[chain] = pattern;
    }

    /** The end without trailing spaces. A space after a backslash is not removed. */
    private static int trim(byte[] bytes, int at, int end) {
        int kept = at;
        while (at < end) {
            boolean escape = bytes[at] == '\\' && end - at > 1;
            boolean blank = bytes[at] == ' ';
            at += escape ? 2 : 1;
            if (!blank) kept = at;
        }
        return kept;
    }

    /** The place after two stars and a slash at the beginning, if there is no other slash; or -1. */
    private static int afterAnyFolder(byte[] bytes, int at, int end) {
        int first = at;
        while (at < end && bytes[at] == '*') at++;
        if (at - first < 2 || at == end || bytes[at] != '/') return -1;
        return indexOf(bytes, '/', at + 1, end) < 0 ? at + 1 : -1;
    }

    private static int indexOf(byte[] bytes, int wanted, int from, int end) {
        for (int i = from; i < end; i++) {
            if (bytes[i] == (byte) wanted) return i;
        }
        return -1;
    }
}
