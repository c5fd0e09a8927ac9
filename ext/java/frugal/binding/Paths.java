package frugal.binding;

import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jruby.Ruby;
import org.jruby.RubyString;
import org.jruby.util.ByteList;

/**
 * Gives Ruby's paths to the kernel as bytes. Strings of Java would lose each byte that is not valid in the locale's
 * encoding.
 *
 * <p>Dir.chdir of JRuby is virtual: it does not change the directory of the process. So a relative path gets the
 * runtime's directory in front of it if that is not the directory of the process.
 */
public final class Paths {
    /** The beginnings of names that are not in the file system. JRuby finds these, in a jar for example. */
    private static final byte[][] SCHEMES = bytes("uri:", "jar:", "file:", "classpath:", "jrt:");
    private static final byte[] NONE = {};

    private final Ruby runtime;
    /** The directory of the process. It does not change. */
    private final byte[] process;
    private volatile Directory directory = new Directory(null, NONE, false, 0);

    Paths(Ruby runtime) {
        this.runtime = runtime;
        this.process = ofProcess();
    }

    /** The runtime's directory, in the forms that are needed. */
    private static final class Directory {
        final String name;
        final byte[] prefix;
        final boolean virtual; // in a jar
        final int length; // with a slash

        Directory(String name, byte[] prefix, boolean virtual, int length) {
            this.length = length;
            this.name = name;
            this.prefix = prefix;
            this.virtual = virtual;
        }
    }

    /**
     * Writes a path with a NUL at the start of a buffer.
     *
     * @return false if only JRuby's own method can use it: a path with a NUL, in a wide encoding, or into a jar
     */
    public boolean write(RubyString path, Buffer buffer) {
        ByteList list = path.getByteList();
        return list.getEncoding().isAsciiCompatible() &&
            write(list.unsafeBytes(), list.begin(), list.realSize(), buffer);
    }

    /** As {@link #write(RubyString, Buffer)}, for bytes in an encoding that is compatible with ASCII. */
    public boolean write(byte[] bytes, int begin, int length, Buffer buffer) {
        if (!plain(bytes, begin, length)) return false;

        int at = 0;
        if (length > 0 && bytes[begin] != '/') {
            Directory here = here();
            if (here.virtual) return false;
            at = Math.min(here.prefix.length, Buffer.PATH_ROOM - 1);
            if (at > 0) buffer.put(0, here.prefix, 0, at);
        }
        length = Math.min(length, Buffer.PATH_ROOM - 1 - at);
        buffer.put(at, bytes, begin, length);
        buffer.bytes.put(at + length, (byte) 0);
        return true;
    }

    /**
     * The bytes of a path as JRuby's own methods complete it: with the runtime's directory in front of it, even where
     * that is the directory of the process.
     *
     * @return null if only JRuby can use it, as in {@link #write}, or if it is empty
     */
    public byte[] absolute(RubyString path) {
        ByteList list = path.getByteList();
        byte[] bytes = list.bytes();
        if (bytes.length == 0 || !list.getEncoding().isAsciiCompatible() || !plain(bytes, 0, bytes.length)) return null;
        if (bytes[0] == '/') return bytes;

        byte[] here = (runtime.getCurrentDirectory() + "/").getBytes(StandardCharsets.UTF_8);
        if (!plain(here, 0, here.length)) return null;
        byte[] whole = Arrays.copyOf(here, here.length + bytes.length);
        System.arraycopy(bytes, 0, whole, here.length, bytes.length);
        return whole;
    }

    /** How many bytes the runtime's directory has, with a slash. */
    public int directoryLength() {
        return here().length;
    }

    /** Whether a path has no NUL, no scheme, and no "!/", which separates a jar from a name in it. */
    private static boolean plain(byte[] bytes, int begin, int length) {
        int end = begin + length;
        for (int i = begin; i < end; i++) {
            byte one = bytes[i];
            if (one == 0 || one == '!' && (i + 1 == end || bytes[i + 1] == '/')) return false;
            if (one == ':' && schemed(bytes, begin, i + 1 - begin)) return false;
        }
        return true;
    }

    private static boolean schemed(byte[] bytes, int begin, int length) {
        for (byte[] scheme : SCHEMES) {
            if (scheme.length == length && starts(bytes, begin, scheme)) return true;
        }
        return false;
    }

    private static boolean starts(byte[] bytes, int begin, byte[] with) {
        for (int i = 0; i < with.length; i++) {
            if (bytes[begin + i] != with[i]) return false;
        }
        return true;
    }

    private Directory here() {
        String now = runtime.getCurrentDirectory();
        Directory known = directory;
        return now.equals(known.name) ? known : (directory = directory(now));
    }

    private Directory directory(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (Arrays.equals(bytes, process) || name.equals(new String(process, ofNames()))) {
            return new Directory(name, NONE, false, bytes.length + 1);
        }
        byte[] prefix = Arrays.copyOf(bytes, bytes.length + 1);
        prefix[bytes.length] = '/';
        return new Directory(name, prefix, !plain(bytes, 0, bytes.length), prefix.length);
    }

    /** The encoding in which Java decodes names. */
    public static Charset ofNames() {
        String name = System.getProperty("sun.jnu.encoding");
        return name != null && Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
    }

    private static byte[] ofProcess() {
        Buffer buffer = Buffers.take();
        try {
            if (Libc.getcwd(buffer.address, Buffer.PATH_ROOM) < 0) return NONE; // removed: no path is relative to it
            int length = 0;
            while (buffer.bytes.get(length) != 0) length++;
            byte[] path = new byte[length];
            buffer.get(0, path, 0, length);
            return path;
        } finally {
            Buffers.give(buffer);
        }
    }

    private static byte[][] bytes(String... names) {
        return Arrays.stream(names).map(name -> name.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
    }
}
