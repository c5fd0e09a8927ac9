package frugal.walk;

import frugal.binding.Engine;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import java.util.ArrayList;
import java.util.Arrays;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;
import org.jcodings.Encoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyEncoding;
import org.jruby.RubyHash;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * Frugal::Native::Java::FindWalk: a walk in the order of Find, one path at a time, for
 * lib/frugal/native/java/find_walk.rb.
 *
 * <p>Stock asks for the type of a path after it was yielded, since the block may have replaced it. This walk does the
 * same: by statx(2), or by opening an entry as a directory if it was listed as one. The kernel resolves each path anew,
 * from the directory that JRuby has at that moment, as with stock.
 *
 * <p>Cost: for a directory open, getdents until it is empty, close; for anything else one statx. No exception.
 */
public final class FindWalk extends RubyObject {
    private static final int OPEN = OpenFlags.O_RDONLY.intValue() | OpenFlags.O_CLOEXEC.intValue() |
        OpenFlags.O_DIRECTORY.intValue() | OpenFlags.O_NOFOLLOW.intValue();
    private static final int DIRECTORY = 0040000;
    private static final int LINK = 0120000;
    /** JRuby gives absolute paths to the kernel, which accepts no longer ones. */
    private static final int PATH_MAX = 4095;
    /** The errors that stock ignores. */
    private static final int[] IGNORED = {Errno.ENOENT.intValue(), Errno.EACCES.intValue(), Errno.ENOTDIR.intValue(),
        Errno.ELOOP.intValue(), Errno.ENAMETOOLONG.intValue(), Errno.EINVAL.intValue()};

    private transient Selection selection;
    /** Errors are raised by stock's own methods. */
    private boolean raising;
    private final transient ArrayList<Level> levels = new ArrayList<>();
    /** The latest path. */
    private transient byte[] path;

    FindWalk(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** An entered directory with the entries that it had. */
    private static final class Level {
        final Node node;
        final byte[] prefix; // its path with a slash
        int next;
        int child; // how many of the entries so far were directories

        Level(Node node, byte[] prefix) {
            this.node = node;
            this.prefix = prefix;
        }

        /** Whether the latest entry was listed as a directory. */
        boolean directory() {
            return child > 0 && node.children[child - 1].index == next - 1;
        }
    }

    /** prepare(ignore_error): before the first root. */
    @JRubyMethod
    public IRubyObject prepare(ThreadContext context, IRubyObject ignoreError) {
        RubyHash options = RubyHash.newHash(context.runtime);
        options.op_aset(context, context.runtime.newSymbol("hidden"), context.tru);
        options.op_aset(context, context.runtime.newSymbol("sort"), context.tru);
        selection = new Selection(context, options, new GlobNames(!Glob.UTF8));
        raising = !ignoreError.isTrue();
        return context.nil;
    }

    /** enter_root(root, encoding): leaves the previous tree. @return false if stock has to list it */
    @JRubyMethod(name = "enter_root")
    public IRubyObject enterRoot(ThreadContext context, IRubyObject root, IRubyObject encoding) {
        levels.clear();
        if (!(root instanceof RubyString) || ((RubyEncoding) encoding).getEncoding() != UTF8Encoding.INSTANCE) {
            return context.fals;
        }
        Encoding own = ((RubyString) root).getEncoding();
        boolean readable = own == UTF8Encoding.INSTANCE && Glob.UTF8 ? !((RubyString) root).isBrokenString()
            : (own == UTF8Encoding.INSTANCE || own == USASCIIEncoding.INSTANCE) && ((RubyString) root).isAsciiOnly();
        byte[] path = ((RubyString) root).getBytes();
        return context.runtime.newBoolean(readable && path.length > 0 && enter(context, path, false, true));
    }

    /** next_path: the next path, or nil at the end. */
    @JRubyMethod(name = "next_path")
    public IRubyObject nextPath(ThreadContext context) {
        while (!levels.isEmpty()) {
            Level level = top();
            if (level.next == level.node.count()) {
                levels.remove(levels.size() - 1);
                continue;
            }
            int entry = level.next++;
            Node[] children = level.node.children;
            if (level.child < children.length && children[level.child].index == entry) level.child++;
            path = path(level);
            return latest(context);
        }
        return context.nil;
    }

    /** latest: a new String with the latest path. File.join of JRuby makes all paths UTF-8. */
    @JRubyMethod
    public IRubyObject latest(ThreadContext context) {
        return RubyString.newString(context.runtime, new ByteList(path, UTF8Encoding.INSTANCE, true));
    }

    /**
     * following: after the latest path was yielded, lists it if it is a directory.
     *
     * @return the next path, or nil; false if stock's methods have to list the latest one
     */
    @JRubyMethod
    public IRubyObject following(ThreadContext context) {
        return enter(context, path, top().directory(), false) ? nextPath(context) : context.fals;
    }

    private Level top() {
        return levels.get(levels.size() - 1);
    }

    private static byte[] path(Level level) {
        int entry = level.next - 1;
        int length = level.node.length(entry);
        byte[] path = Arrays.copyOf(level.prefix, level.prefix.length + length);
        System.arraycopy(level.node.names, level.node.begin(entry), path, level.prefix.length, length);
        return path;
    }

    /** @param directory whether to open it at once */
    private boolean enter(ThreadContext context, byte[] path, boolean directory, boolean root) {
        Ruby runtime = context.runtime;
        context.pollThreadEvents();
        if (runtime.getDefaultInternalEncoding() != null) return false;
        if (path.length + Engine.instance.paths.directoryLength() >= PATH_MAX) return false;
        int descriptor;
        Buffer buffer = Buffers.take();
        try {
            int length = path.length;
            while (root && length > 1 && path[length - 1] == '/') length--;
            if (!Engine.instance.paths.write(path, 0, length, buffer)) return false;
            if (!directory) {
                int error = -Libc.statx(Libc.AT_FDCWD, buffer.address, Libc.AT_SYMLINK_NOFOLLOW, buffer.status());
                if (error != 0) return ignored(error);
                int type = Statx.mode(buffer) & Statx.FORMAT;
                if (type != DIRECTORY) return !root || type != LINK; // stock follows a link with a slash at its end
            }
            descriptor = Descriptors.open(Libc.AT_FDCWD, buffer, OPEN);
        } finally {
            Buffers.give(buffer);
        }
        return descriptor < 0 ? ignored(-descriptor) : list(path, descriptor);
    }

    private boolean ignored(int errno) {
        if (raising) return false;
        for (int one : IGNORED) {
            if (one == errno) return true;
        }
        return false;
    }

    private boolean list(byte[] path, int descriptor) {
        Node node = new Node(null, 0, false);
        Listing listing = new Listing(selection, null);
        try {
            listing.list(node, descriptor);
        } finally {
            listing.free();
            Libc.close(descriptor);
        }
        if (node.error != 0 || node.odd) return false;
        byte[] prefix = path;
        if (path[path.length - 1] != '/') {
            prefix = Arrays.copyOf(path, path.length + 1);
            prefix[path.length] = '/';
        }
        levels.add(new Level(node, prefix));
        return true;
    }
}
