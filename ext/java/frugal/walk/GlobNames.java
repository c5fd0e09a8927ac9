package frugal.walk;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Checks which names of files JRuby's Dir.glob treats as the kernel does. For each entry, JRuby asks whether it is a
 * directory, and its name passes through a String of Java. So a file "file:a" leads to "a", one "b.jar!" into a jar,
 * and a file with an invalid name to a file with another name.
 */
final class GlobNames {
    private static final byte[][] SCHEMES = {bytes("uri:"), bytes("file:"), bytes("classpath:"), bytes("jar:")};

    /** Names have to be ASCII, since JRuby reads them in the encoding of the pattern. */
    private final boolean ascii;

    GlobNames(boolean ascii) {
        this.ascii = ascii;
    }

    boolean plain(byte[] names, int begin, int length) {
        boolean foreign = false;
        boolean colon = false;
        for (int i = begin; i < begin + length; i++) {
            if (names[i] == '!') return false;
            if (names[i] == ':') colon = true;
            if (names[i] < 0) foreign = true;
        }
        if (colon && schemed(names, begin, length)) return false;
        return !foreign || !ascii && valid(names, begin, length);
    }

    private static boolean schemed(byte[] names, int begin, int length) {
        for (byte[] scheme : SCHEMES) {
            int i = 0;
            while (i < scheme.length && i < length && names[begin + i] == scheme[i]) i++;
            if (i == scheme.length) return true;
        }
        return false;
    }

    /** Whether Java's String of a name has the same bytes. */
    private static boolean valid(byte[] names, int begin, int length) {
        byte[] name = Arrays.copyOfRange(names, begin, begin + length);
        return Arrays.equals(new String(name, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), name);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
