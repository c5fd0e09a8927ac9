package frugal.rake;

import org.jcodings.Encoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyString;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * The parts of a path that JRuby's File.basename, File.dirname and File.extname return. Here each is a part of the same
 * bytes, from `begin` to `end`.
 */
final class PathParts {
    private static final PathParts CURRENT = new PathParts(new byte[] {'.'}, 0, 1);

    final byte[] bytes;
    final int begin;
    final int end;

    private PathParts(byte[] bytes, int begin, int end) {
        this.bytes = bytes;
        this.begin = begin;
        this.end = end;
    }

    static PathParts of(IRubyObject path) {
        ByteList list = ((RubyString) path).getByteList();
        return new PathParts(list.unsafeBytes(), list.begin(), list.begin() + list.realSize());
    }

    /**
     * Whether a path is a plain String of valid characters. Others are not supported: Rake's regular expressions match
     * single lines, and in JRuby's File a path with a colon or an exclamation mark may lead into a jar.
     */
    static boolean supported(IRubyObject path) {
        if (!Names.exactString(path)) return false;
        RubyString string = (RubyString) path;
        Encoding encoding = string.getByteList().getEncoding();
        if (encoding != UTF8Encoding.INSTANCE && encoding != USASCIIEncoding.INSTANCE) return false;
        if (string.isBrokenString()) return false;
        PathParts all = of(path);
        for (int i = all.begin; i < all.end; i++) {
            byte one = all.bytes[i];
            if (one == 0 || one == '\n' || one == '\r' || one == ':' || one == '!') return false;
        }
        return true;
    }

    int length() {
        return end - begin;
    }

    PathParts part(int from, int to) {
        return new PathParts(bytes, from, to);
    }

    /** File.basename(path) */
    PathParts base() {
        int stop = withoutSlashes(end);
        int slash = lastSlash(stop);
        return stop - begin == 1 || slash < begin ? part(begin, stop) : part(slash + 1, stop);
    }

    /** File.dirname(path) */
    PathParts directory() {
        int slash = lastSlash(withoutSlashes(end));
        if (slash < begin) return CURRENT;
        if (slash == begin) return part(begin, begin + 1);
        int start = begin;
        if (bytes[begin] == '/') {
            while (slash - start > 1 && bytes[start + 1] == '/') start++;
        }
        return part(start, part(start, slash).withoutSlashes(slash));
    }

    /** File.extname(path). In JRuby, "..rb" has an extension, too, and an extension may begin with a space. */
    PathParts extension() {
        PathParts base = base();
        int dot = base.begin;
        while (dot < base.end && bytes[dot] != '.') dot++;
        if (dot == base.end) return base.part(dot, dot);
        if (dot == base.end - 1 && base.length() != 1) return base.part(dot, base.end);

        int from = dot;
        while (from + 1 < base.end && bytes[from + 1] == '.') from++;
        if (from + 1 == base.end) return base.part(base.end, base.end);
        for (int i = from; i < base.end; i++) {
            if (bytes[i] == '.' || bytes[i] == ' ') from = i;
        }
        return from == base.begin ? base.part(base.end, base.end) : base.part(from, base.end);
    }

    /** path.chomp(File.extname(path)) */
    PathParts stem() {
        PathParts extension = extension();
        int at = end - extension.length();
        for (int i = 0; i < extension.length(); i++) {
            if (bytes[at + i] != bytes[extension.begin + i]) return this;
        }
        return part(begin, at);
    }

    /** Whether the path is `.` or `..`. */
    boolean dots() {
        return length() == 1 && bytes[begin] == '.' || length() == 2 && bytes[begin] == '.' && bytes[begin + 1] == '.';
    }

    boolean starts(ByteList prefix) {
        if (prefix.realSize() > length()) return false;
        for (int i = 0; i < prefix.realSize(); i++) {
            if ((byte) prefix.get(i) != bytes[begin + i]) return false;
        }
        return true;
    }

    private int withoutSlashes(int stop) {
        while (stop - begin > 1 && bytes[stop - 1] == '/') stop--;
        return stop;
    }

    private int lastSlash(int stop) {
        int at = stop - 1;
        while (at >= begin && bytes[at] != '/') at--;
        return at;
    }
}
