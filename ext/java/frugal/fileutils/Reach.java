package frugal.fileutils;

import frugal.binding.Engine;
import frugal.binding.Paths;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jcodings.Encoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyString;
import org.jruby.util.StringSupport;
import org.jruby.util.io.EncodingUtils;

/**
 * For which paths and names JRuby's own methods find the same file as the kernel. These methods look for jars, and
 * convert each path to a String of Java, which loses bytes that are not valid in the locale's encoding.
 */
final class Reach {
    private static final Charset NAMES = Paths.ofNames();
    /** Whether Java decodes and encodes names in UTF-8; otherwise only ASCII names are safe. */
    private static final boolean UTF_8 =
        NAMES.equals(StandardCharsets.UTF_8) && Charset.defaultCharset().equals(StandardCharsets.UTF_8);

    private final Encoding encoding;

    /** @param encoding the encoding of the root's path, which Dir.children gives to the names in the root */
    Reach(Encoding encoding) {
        this.encoding = encoding;
    }

    /** The absolute path that JRuby makes of a path, or null if only JRuby's own methods can use it. */
    static byte[] path(RubyString path) {
        byte[] whole = Engine.instance.paths.absolute(path);
        if (whole == null || !new Reach(path.getEncoding()).has(whole, 0, whole.length)) return null;
        // FileUtils takes the names in "." for paths; and File.open resolves "a/.." even if `a` is a link.
        byte[] given = path.getBytes();
        return given.length == 1 && given[0] == '.' || goesBack(given) ? null : whole;
    }

    /** Whether JRuby finds the file of a name that the kernel has listed. */
    boolean has(byte[] bytes, int from, int length) {
        if (length > 0 && bytes[from + length - 1] == '!') return false; // a jar
        for (int i = from; i < from + length; i++) {
            if (bytes[i] < 0) return encoding == UTF8Encoding.INSTANCE && UTF_8 && valid(bytes, from, length);
        }
        return true;
    }

    private static boolean valid(byte[] bytes, int from, int length) {
        return StringSupport.codeRangeScan(UTF8Encoding.INSTANCE, bytes, from, length) == StringSupport.CR_VALID;
    }

    /**
     * The String that JRuby makes of a name in the root, by Dir.children; or of names with slashes between them, by
     * File.join, whose results are in UTF-8.
     */
    RubyString string(Ruby runtime, byte[] bytes, int from, int length) {
        String name = new String(bytes, from, length, NAMES);
        return EncodingUtils.newExternalStringWithEncoding(
            runtime, name, name.indexOf('/') < 0 ? encoding : UTF8Encoding.INSTANCE);
    }

    /** The length of a path without slashes at its end. */
    static int withoutSlashes(byte[] path) {
        int end = path.length;
        while (end > 1 && path[end - 1] == '/') end--;
        return end;
    }

    /** Whether there is a ".." after a name. */
    private static boolean goesBack(byte[] path) {
        boolean named = false;
        for (int from = 0; from < path.length;) {
            int end = from;
            while (end < path.length && path[end] != '/') end++;
            boolean up = end - from == 2 && path[from] == '.' && path[from + 1] == '.';
            if (up && named) return true;
            named |= !up && end > from && !(end - from == 1 && path[from] == '.');
            from = end + 1;
        }
        return false;
    }
}
