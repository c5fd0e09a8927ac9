package frugal.fileutils;

import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import java.util.Arrays;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyFile;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Frugal::Native::Java::TreeCopy: copies a file, or a directory with all its entries, in the order of FileUtils: a
 * directory before its entries, and these in the kernel's order. An entry that fails, or is neither a directory, a
 * regular file nor a link, is handed over to the caller when its turn comes, with nothing of it copied.
 */
public final class TreeCopy extends RubyObject {
    /** How many nested directories are open at a time, each with its target. */
    private static final int LEVELS = 32;
    /** The same on the machines on which JRuby has jffi. */
    private static final int O_PATH = 0x200000;
    private static final int TARGET =
        O_PATH | OpenFlags.O_DIRECTORY.intValue() | OpenFlags.O_CLOEXEC.intValue();
    private static final int NOFOLLOW = OpenFlags.O_NOFOLLOW.intValue();
    private static final int EEXIST = Errno.EEXIST.intValue();
    private static final int EMFILE = Errno.EMFILE.intValue();
    private static final int ENFILE = Errno.ENFILE.intValue();
    private static final int ENOMEM = Errno.ENOMEM.intValue();
    private static final byte[] NONE = {};

    /** A directory of the source, and its target. */
    private static final class Pair {
        final Level source = new Level();
        int target = -1; // opened with O_PATH
        boolean fresh; // this copy created the target
        int length; // of its path

        void close() {
            source.close();
            if (target >= 0) Libc.close(target);
            target = -1;
        }
    }

    private transient byte[] from;
    private transient byte[] to;
    private transient Reach reach;
    private transient int longest; // path below the roots that the kernel accepts
    private transient byte[] path; // of the current entry below both roots; empty: the root
    private transient int length; // of the path
    private transient boolean started;
    private transient boolean exhausted; // out of descriptors: all remaining entries are handed over
    private transient boolean copying; // a file is open
    private transient Buffer buffer;
    private transient FileCopy file;
    private transient Pair[] levels;
    private transient int depth;
    private transient boolean running;

    TreeCopy(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** TreeCopy.new(from, to): paths for which stock_path? is false. */
    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject initialize(ThreadContext context, IRubyObject source, IRubyObject target) {
        if (path != null) throw context.runtime.newRuntimeError("already initialized");
        RubyString name = RubyFile.get_path(context, source);
        from = Reach.path(name);
        to = Reach.path(RubyFile.get_path(context, target));
        int root = from == null || to == null ? Removal.PATH_MAX : Math.max(from.length, to.length);
        if (root + 2 > Removal.PATH_MAX) from = null; // the root is handed over
        reach = new Reach(name.getEncoding());
        longest = Removal.PATH_MAX - 2 - root;
        path = NONE;
        buffer = Buffers.take();
        file = new FileCopy(buffer);
        levels = new Pair[LEVELS];
        return this;
    }

    /** next: the next path that the caller has to copy itself, relative to both roots; nil at the end. */
    @JRubyMethod
    public IRubyObject next(ThreadContext context) {
        synchronized (this) {
            if (buffer == null || running) {
                throw context.runtime.newRuntimeError("this copy is closed or already running");
            }
            running = true;
        }
        try {
            return copyNext(context) ? context.nil : reach.string(context.runtime, path, 0, length);
        } finally {
            synchronized (this) {
                running = false;
            }
        }
    }

    @JRubyMethod
    public synchronized IRubyObject close(ThreadContext context) {
        if (buffer != null && !running) {
            file.close();
            while (depth > 0) levels[--depth].close();
            Buffers.give(buffer);
            buffer = null;
        }
        return context.nil;
    }

    /** @return false if an entry is handed over */
    private boolean copyNext(ThreadContext context) {
        boolean done = true;
        if (copying) done = finishFile(context);
        else if (!started) done = copyRoot(context);
        while (done && depth > 0) {
            context.pollThreadEvents();
            done = copyEntry(context, levels[depth - 1]);
        }
        return done;
    }

    private boolean copyRoot(ThreadContext context) {
        started = true;
        return from != null && copy(context, new Place(from, to), Level.UNKNOWN);
    }

    private boolean copyEntry(ThreadContext context, Pair pair) {
        Level source = pair.source;
        length = pair.length;
        if (!source.isListed()) {
            int error = exhausted ? EMFILE : source.list(context, buffer);
            if (error != 0) { // the directory itself is handed over: none of its entries is copied yet
                leave();
                return handOver(error);
            }
        }
        if (!source.next()) {
            leave();
            return true;
        }
        append(source);
        if (length > longest || exhausted || !reach.has(source.bytes, source.from(), source.length())) return false;
        return copy(context, new Place(source, pair.target, pair.fresh), source.type());
    }

    private boolean copy(ThreadContext context, Place place, int type) {
        switch (type == Level.UNKNOWN ? typeOf(place) : type) {
            case Level.REGULAR: return copyFile(context, place);
            case Level.DIRECTORY: return copyDirectory(place);
            case Level.LINK: return copyLink(place);
            default: return false;
        }
    }

    private int typeOf(Place place) {
        place.putSource(buffer);
        int result = Libc.statx(place.from, buffer.address, Libc.AT_SYMLINK_NOFOLLOW, buffer.status());
        return result == 0 ? Statx.mode(buffer) >> 12 : Level.UNKNOWN; // the kernel's own definition
    }

    // -- files and links --

    private boolean copyFile(ThreadContext context, Place place) {
        int error = file.open(place);
        return error == 0 ? finishFile(context) : handOver(error);
    }

    private boolean finishFile(ThreadContext context) {
        copying = true; // if an event of the thread ends this call, the next one continues
        boolean copied = file.run(context);
        copying = false;
        // Remove the incomplete target: if it is read-only, the caller could not open it again.
        if (!copied && file.created()) removeTarget();
        return copied;
    }

    private void removeTarget() {
        if (depth == 0) {
            buffer.putName(to, 0, to.length);
            Libc.unlinkat(Libc.AT_FDCWD, buffer.address, 0);
        } else {
            Pair pair = levels[depth - 1];
            buffer.putName(pair.source.bytes, pair.source.from(), pair.source.length());
            Libc.unlinkat(pair.target, buffer.address, 0);
        }
    }

    /** Copies a link's target byte for byte. JRuby's readlink cuts it at 1,024 bytes and decodes it. */
    private boolean copyLink(Place place) {
        place.putSource(buffer);
        int size = Libc.readlinkat(place.from, buffer.address, buffer.data(), Removal.PATH_MAX);
        if (size < 0 || size == Removal.PATH_MAX) return false;
        buffer.bytes.put(Buffer.DATA + size, (byte) 0);
        place.putTarget(buffer);
        return Libc.symlinkat(buffer.data(), place.to, buffer.address) == 0;
    }

    // -- directories --

    private boolean copyDirectory(Place place) {
        if (depth == LEVELS) return false;
        // The source is opened first: if that fails, FileUtils creates no target either.
        place.putSource(buffer);
        int source = Libc.openat(place.from, buffer.address, Level.OPEN, 0);
        if (source < 0) return handOver(-source);
        place.putTarget(buffer);
        int result = Libc.mkdirat(place.to, buffer.address, 0777);
        // An existing target may be a link to a directory, as for FileUtils. A target that this call created may not
        // have become a link.
        boolean fresh = result == 0;
        if (fresh || result == -EEXIST) {
            result = Libc.openat(place.to, buffer.address, TARGET | (fresh ? NOFOLLOW : 0), 0);
        }
        if (result < 0) {
            Libc.close(source);
            return handOver(-result);
        }
        if (levels[depth] == null) levels[depth] = new Pair();
        Pair pair = levels[depth++];
        pair.source.begin(source);
        pair.target = result;
        pair.fresh = fresh;
        pair.length = length;
        return true;
    }

    private void leave() {
        levels[--depth].close();
    }

    /** Out of descriptors: closes all levels, so that the caller, who opens by path, has some for the rest. */
    private boolean handOver(int error) {
        if (error == EMFILE || error == ENFILE || error == ENOMEM) {
            exhausted = true;
            for (int i = 0; i < depth; i++) levels[i].close();
        }
        return false;
    }

    private void append(Level source) {
        int more = source.length() + 1;
        if (path.length < length + more) path = Arrays.copyOf(path, 2 * (length + more));
        if (length > 0) path[length++] = '/';
        System.arraycopy(source.bytes, source.from(), path, length, source.length());
        length += source.length();
    }
}
