package frugal.walk;

import java.util.Arrays;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jruby.Ruby;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.util.ByteList;
import org.jruby.util.io.EncodingUtils;

/** Makes the paths of entries as Strings with the encoding of Dir.glob. Immutable. */
final class PathStrings {
    private final Ruby runtime;
    private final byte[] root; // without a slash at its end
    private final int cut;
    private final Encoding encoding;

    /** @param cut how many bytes to remove from the beginning of each path */
    PathStrings(Ruby runtime, ByteList path, int cut) {
        this(runtime, path, cut, ofNames(runtime));
    }

    /** @param encoding of all paths */
    PathStrings(Ruby runtime, ByteList path, int cut, Encoding encoding) {
        byte[] bytes = path.bytes();
        boolean slash = bytes.length > 0 && bytes[bytes.length - 1] == '/';
        this.runtime = runtime;
        this.root = slash ? Arrays.copyOf(bytes, bytes.length - 1) : bytes;
        this.cut = cut;
        this.encoding = encoding;
    }

    private static Encoding ofNames(Ruby runtime) {
        Encoding names = runtime.getDefaultFilesystemEncoding();
        return names == USASCIIEncoding.INSTANCE ? ASCIIEncoding.INSTANCE : names; // the locale C
    }

    /** The length of the path of a directory, in bytes. */
    int length(Node node) {
        int length = root.length;
        for (Node one = node; one.parent != null; one = one.parent) length += one.nameLength() + 1;
        return length;
    }

    /** The path of a directory with a slash at its end, with which the paths of its entries begin. */
    byte[] beginning(Node node) {
        int at = length(node) + 1;
        byte[] path = new byte[at];
        path[--at] = '/';
        for (Node one = node; one.parent != null; one = one.parent) {
            at -= one.nameLength();
            one.copyName(path, at);
            path[--at] = '/';
        }
        System.arraycopy(root, 0, path, 0, at);
        return path;
    }

    /** The path of an entry. @param beginning that of its directory */
    RubyString path(byte[] beginning, Node node, int entry) {
        int own = beginning.length - cut;
        int length = node.length(entry);
        byte[] path = new byte[own + length];
        System.arraycopy(beginning, cut, path, 0, own);
        System.arraycopy(node.names, node.begin(entry), path, own, length);
        return new RubyString(runtime, runtime.getString(), new ByteList(path, encoding, false));
    }

    /** The path of an entry in the encoding of the program's texts, if it has one. */
    RubyString path(ThreadContext context, byte[] beginning, Node node, int entry) {
        return internal(context, path(beginning, node, entry));
    }

    /** The path of a file in a directory, or an absolute path. */
    RubyString file(ThreadContext context, Node node, byte[] name) {
        byte[] path = name;
        if (name[0] != '/') {
            byte[] beginning = beginning(node);
            path = Arrays.copyOf(beginning, beginning.length + name.length);
            System.arraycopy(name, 0, path, beginning.length, name.length);
        }
        return internal(context, new RubyString(runtime, runtime.getString(), new ByteList(path, encoding, false)));
    }

    /** Whether paths are converted to the encoding of the program's texts. */
    boolean converts() {
        return runtime.getDefaultInternalEncoding() != null && encoding != ASCIIEncoding.INSTANCE;
    }

    private RubyString internal(ThreadContext context, RubyString path) {
        if (!converts()) return path;
        return EncodingUtils.strConvEnc(context, path, encoding, runtime.getDefaultInternalEncoding());
    }
}
