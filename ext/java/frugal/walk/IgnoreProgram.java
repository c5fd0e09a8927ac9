package frugal.walk;

/**
 * A wildcard pattern of git, compiled to a program that matches complete texts. Immutable.
 *
 * <pre>{@code IgnoreProgram.compile("doc/**&#47;a?".getBytes(), 0, 8, true).matches(path, from, end)}</pre>
 */
final class IgnoreProgram {
    /** The instructions, one byte each, followed by their operands. */
    static final byte END = 0;
    /** The byte that follows. */
    static final byte LITERAL = 1;
    /** Any byte but a slash. */
    static final byte ANY = 2;
    /** One byte of the set in the 32 bytes that follow, one bit for each byte. */
    static final byte SET = 3;
    /** Any bytes but slashes. */
    static final byte STAR = 4;
    /** Any bytes. */
    static final byte DOUBLE_STAR = 5;
    /** Any number of folders, each with its slash. */
    static final byte FOLDERS = 6;

    static final int SET_BYTES = 32;

    private final byte[] code;

    IgnoreProgram(byte[] code) {
        this.code = code;
    }

    private static int size(byte instruction) {
        return instruction == LITERAL ? 2 : instruction == SET ? 1 + SET_BYTES : 1;
    }

    /**
     * Whether the program matches all of a text.
     *
     * <p>Each star first matches as few bytes as possible. Only the last one is tried again with more: the instructions
     * after an earlier one match as early as possible within the same folder, and every match that is possible from a
     * later position is possible from that one too. The same holds for what follows the last DOUBLE_STAR or FOLDERS. So
     * it takes at most O(n² m) for a text of n bytes and a pattern of m bytes.
     */
    boolean matches(byte[] text, int from, int end) {
        int program = 0;
        int at = from;
        int star = -1; // the instruction after the last star, and where it was tried last
        int starAt = 0;
        int deep = -1; // the same for the last DOUBLE_STAR or FOLDERS
        int deepAt = 0;
        for (;;) {
            byte instruction = code[program];
            if (instruction == STAR) {
                star = ++program;
                starAt = at;
                continue;
            }
            if (instruction == DOUBLE_STAR || instruction == FOLDERS) {
                deep = ++program;
                deepAt = at;
                star = -1;
                continue;
            }
            if (instruction == END) {
                if (at == end) return true;
            } else if (at == end) {
                return false; // a later position leaves even fewer bytes
            } else if (step(program, text[at])) {
                program += size(instruction);
                at++;
                continue;
            }
            if (star >= 0 && starAt < end && text[starAt] != '/') {
                program = star;
                at = ++starAt;
            } else if (deep >= 0 && deepAt < end) {
                if (code[deep - 1] == FOLDERS) {
                    while (deepAt < end && text[deepAt] != '/') deepAt++;
                    if (deepAt == end) return false;
                }
                program = deep;
                at = ++deepAt;
                star = -1;
            } else {
                return false;
            }
        }
    }

    private boolean step(int program, byte one) {
        switch (code[program]) {
            case LITERAL: return one == code[program + 1];
            case ANY: return one != '/';
            default: return (code[program + 1 + ((one & 0xff) >> 3)] >> (one & 7) & 1) != 0;
        }
    }

    /** The bytes of a program without wildcards, except for a first star with `afterStar`; otherwise null. */
    byte[] literal(boolean afterStar) {
        int from = afterStar ? 1 : 0;
        int count = 0;
        while (code[from + 2 * count] == LITERAL) count++;
        if (code[from + 2 * count] != END) return null;
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) bytes[i] = code[from + 2 * i + 1];
        return bytes;
    }

    boolean startsWithStar() {
        return code[0] == STAR;
    }

    /** The last byte of every text that the program matches, or -1 if that may vary. */
    int lastByte() {
        int last = -1;
        for (int at = 0; code[at] != END; at += size(code[at])) last = code[at] == LITERAL ? code[at + 1] & 0xff : -1;
        return last;
    }
}
