package frugal.walk;

import frugal.binding.Engine;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import java.util.Arrays;
import java.util.Comparator;
import jnr.constants.platform.Errno;
import org.jcodings.Encoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Lists as Dir.glob of JRuby does, which differs from that of MRI:
 *
 * <ul>
 *   <li>All paths are sorted by their bytes, slashes included: "a-b" comes before "a/c".
 *   <li>Names pass through Strings of Java. JRuby itself has to answer if a name is odd: see {@link GlobNames}.
 *   <li>A directory that cannot be read, or has too long a path, is empty.
 * </ul>
 */
public final class Glob {
    private static final int EACCES = Errno.EACCES.intValue();
    /** Java passes no longer path to the kernel. */
    private static final int PATH_MAX = 4095;
    /** With another encoding, Java fails for most names. */
    static final boolean UTF8 = "UTF-8".equals(System.getProperty("sun.jnu.encoding"));

    private Glob() {
    }

    /**
     * Tree.glob(path, options, own): a sorted Array of paths in the encoding of `path`; nil if JRuby has to answer.
     * `own` is nil, or the path of the directory itself, which is then listed, too.
     */
    @JRubyMethod(meta = true)
    public static IRubyObject glob(ThreadContext context, IRubyObject type, IRubyObject given, IRubyObject options,
                                   IRubyObject own) {
        RubyString path = (RubyString) given;
        Encoding encoding = path.getEncoding();
        GlobNames names = new GlobNames(encoding != UTF8Encoding.INSTANCE);
        Selection selection = new Selection(context, (RubyHash) options, names);
        Walk walk = new Walk(selection);
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(path, buffer)) return context.nil;
            int errno = walk.open(buffer);
            if (Engine.missing(errno)) return context.runtime.newArray();
            if (errno != 0) return context.nil;
        } finally {
            Buffers.give(buffer);
        }
        try {
            walk.run(context);
        } finally {
            walk.close();
        }
        PathStrings strings = new PathStrings(context.runtime, path.getByteList(), selection.cut, encoding);
        int outside = PATH_MAX - Engine.instance.paths.directoryLength();
        if (!plain(walk.root, strings, outside)) return context.nil;
        return sorted(context.runtime, new Entries(walk.root, strings).paths(context, selection.threads), own);
    }

    private static IRubyObject sorted(Ruby runtime, RubyArray<?> paths, IRubyObject own) {
        IRubyObject[] all = Arrays.copyOf(paths.toJavaArrayMaybeUnsafe(), paths.size() + (own.isNil() ? 0 : 1));
        if (!own.isNil()) all[all.length - 1] = own;
        Arrays.sort(all, new ByBytes());
        return RubyArray.newArrayNoCopy(runtime, all);
    }

    private static final class ByBytes implements Comparator<IRubyObject> {
        @Override
        public int compare(IRubyObject one, IRubyObject other) {
            return ((RubyString) one).getByteList().cmp(((RubyString) other).getByteList());
        }
    }

    /** Whether JRuby finds the same, see the comment of the class. @param longest limits the paths of directories */
    private static boolean plain(Node root, PathStrings strings, int longest) {
        NodeStack rest = new NodeStack();
        rest.push(root);
        while (!rest.isEmpty()) {
            Node node = rest.pop();
            if (node.error != 0 && node.error != EACCES && !Engine.missing(node.error)) return false;
            if (node.odd || strings.length(node) + 2 >= longest) return false;
            for (Node child : node.children) rest.push(child);
        }
        return true;
    }
}
