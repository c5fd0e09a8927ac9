package frugal.rake;

import org.jcodings.Encoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyArray;
import org.jruby.RubyHash;
import org.jruby.RubyRegexp;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** Filters names of files as Rake does, without a regular expression for each name. */
public final class FileNames {
    private static final byte[] BACKUP = {'.', 'b', 'a', 'k'};
    private static final byte[] CORE = {'c', 'o', 'r', 'e'};
    private static final byte[] CVS = {'C', 'V', 'S'};
    private static final char[] GLOB = {'*', '?', '[', '{'};
    private static final int GLOB_FLAGS = 2 | 16; // FNM_PATHNAME and FNM_EXTGLOB
    private static final byte[] SUBVERSION = {'.', 's', 'v', 'n'};

    private FileNames() {
    }

    /**
     * keep_names(names, excluded, patterns): the names that are neither matched by Rake's default patterns, nor keys of
     * the Hash, nor matched by one of the patterns, which are Regexps and globs.
     *
     * @return an Array; nil for a name that only Rake can check
     */
    @JRubyMethod(name = "keep_names")
    public static IRubyObject keepNames(ThreadContext context, IRubyObject self, IRubyObject names,
                                        IRubyObject excluded, IRubyObject patterns) {
        RubyArray<?> all = (RubyArray<?>) names;
        RubyHash without = (RubyHash) excluded;
        RubyArray<?> kept = context.runtime.newArray(all.size());
        for (int i = 0; i < all.size(); i++) {
            IRubyObject name = all.eltOk(i);
            if (!plain(name)) return context.nil;
            ByteList bytes = ((RubyString) name).getByteList();
            if (named(bytes, CORE)) return context.nil; // ignored unless it is a directory
            if (ignored(bytes) || !without.isEmpty() && without.fastARef(name) != null) continue;
            if (excluded(context, name, (RubyArray<?>) patterns)) continue;
            kept.append(name);
        }
        return kept;
    }

    /** literal?(names): whether none of them is a glob, and this class can handle all. */
    @JRubyMethod(name = "literal?")
    public static IRubyObject literal(ThreadContext context, IRubyObject self, IRubyObject names) {
        RubyArray<?> all = (RubyArray<?>) names;
        for (int i = 0; i < all.size(); i++) {
            if (!plain(all.eltOk(i))) return context.fals;
            ByteList name = ((RubyString) all.eltOk(i)).getByteList();
            for (char magic : GLOB) {
                if (Names.has(name, magic)) return context.fals;
            }
        }
        return context.tru;
    }

    /** sorted?(names): whether all are Strings, in the order of Array#sort. */
    @JRubyMethod(name = "sorted?")
    public static IRubyObject sorted(ThreadContext context, IRubyObject self, IRubyObject names) {
        RubyArray<?> all = (RubyArray<?>) names;
        for (int i = 0; i < all.size(); i++) {
            if (!(all.eltOk(i) instanceof RubyString)) return context.fals;
            if (i > 0 && ((RubyString) all.eltOk(i - 1)).op_cmp((RubyString) all.eltOk(i)) > 0) return context.fals;
        }
        return context.tru;
    }

    private static boolean excluded(ThreadContext context, IRubyObject name, RubyArray<?> patterns) {
        for (int i = 0; i < patterns.size(); i++) {
            IRubyObject pattern = patterns.eltOk(i);
            IRubyObject matches = pattern instanceof RubyRegexp ? pattern.callMethod(context, "match?", name)
                : context.runtime.getFile().callMethod(context, "fnmatch?",
                    new IRubyObject[] {pattern, name, context.runtime.newFixnum(GLOB_FLAGS)});
            if (matches.isTrue()) return true;
        }
        return false;
    }

    private static boolean plain(IRubyObject value) {
        if (!Names.exactString(value)) return false;
        RubyString name = (RubyString) value;
        Encoding encoding = name.getByteList().getEncoding();
        if (encoding != UTF8Encoding.INSTANCE && encoding != USASCIIEncoding.INSTANCE) return false;
        return !name.isBrokenString() && !Names.has(name.getByteList(), '\n') && !Names.has(name.getByteList(), '\0');
    }

    /** Whether one of Rake's default patterns matches: CVS, .svn, *.bak and *~. */
    private static boolean ignored(ByteList name) {
        int length = name.realSize();
        if (ends(name, length, BACKUP) || length > 0 && name.get(length - 1) == '~') return true;
        for (int at = 0; at <= length; at++) {
            if (at < length && !separator(name.get(at))) continue;
            if (segment(name, at, CVS) || segment(name, at, SUBVERSION)) return true;
        }
        return false;
    }

    /** Whether the last part of a path is this one. */
    private static boolean named(ByteList name, byte[] part) {
        return segment(name, name.realSize(), part);
    }

    /** Whether a part of a path ends at `end` and equals `part`. */
    private static boolean segment(ByteList name, int end, byte[] part) {
        int begin = end - part.length;
        return ends(name, end, part) && (begin == 0 || separator(name.get(begin - 1)));
    }

    private static boolean ends(ByteList name, int end, byte[] part) {
        int begin = end - part.length;
        for (int i = 0; begin >= 0 && i < part.length; i++) {
            if (name.get(begin + i) != part[i]) return false;
        }
        return begin >= 0;
    }

    private static boolean separator(int one) {
        return one == '/' || one == '\\';
    }
}
