package frugal.store;

import frugal.binding.Engine;
import frugal.binding.OpenFile;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Identity;
import frugal.system.Libc;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;
import org.jruby.Ruby;
import org.jruby.RubyIO;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** The methods of {@link StoreFile} that replace the descriptor. */
public final class StoreOpening {
    private static final int EINTR = Errno.EINTR.intValue();
    private static final int EWOULDBLOCK = Errno.EWOULDBLOCK.intValue();
    private static final int EMFILE = Errno.EMFILE.intValue();
    private static final int ENFILE = Errno.ENFILE.intValue();
    private static final int ENXIO = Errno.ENXIO.intValue();
    private static final int NONBLOCK = OpenFlags.O_NONBLOCK.intValue();
    private static final int CLOEXEC = OpenFlags.O_CLOEXEC.intValue();
    private static final int NOFOLLOW = OpenFlags.O_NOFOLLOW.intValue();
    private static final int WRITABLE = OpenFlags.O_RDWR.intValue() | OpenFlags.O_CREAT.intValue();

    private StoreOpening() {
    }

    /** open(path, follow, writable) -> true; nil: no such file to read; false: it is not a regular file */
    @JRubyMethod
    public static IRubyObject open(ThreadContext context, IRubyObject self, IRubyObject path, IRubyObject follow,
                                   IRubyObject writable) {
        StoreFile store = (StoreFile) self;
        RubyString name = path.convertToString();
        int flags = CLOEXEC | (writable.isTrue() ? WRITABLE : 0) | (follow.isTrue() ? 0 : NOFOLLOW);
        int result = open(context, name, flags);
        if (result == -StoreFile.ENOENT && !writable.isTrue()) return context.nil;
        if (result == -ENXIO) return context.fals; // a socket, or a device without a driver
        if (result == Integer.MIN_VALUE) return stock(context, name);
        if (result < 0) throw Engine.instance.fault(context, -result, name);
        OpenFile file = new OpenFile(result, name);
        Identity opened = file.stat();
        if (opened == null || !opened.isFile()) {
            file.close();
            return context.fals;
        }
        place(context, store, file, opened, writable.isTrue());
        return context.tru;
    }

    /** @return a descriptor, a negative errno, or the least int: only JRuby can use the path */
    private static int open(ThreadContext context, RubyString name, int flags) {
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(name, buffer)) return Integer.MIN_VALUE;
            int nonblock = NONBLOCK; // without it, open waits for a writer of a pipe; with it, a leased file is refused
            for (;;) {
                context.pollThreadEvents();
                int result = Libc.openat(Libc.AT_FDCWD, buffer.address, flags | nonblock, 0666);
                if (result == -EINTR) continue;
                if (result == -EWOULDBLOCK && nonblock != 0) nonblock = 0;
                else if (result != -EMFILE && result != -ENFILE || !StorePool.closeOldest()) return result;
            }
        } finally {
            Buffers.give(buffer);
        }
    }

    /** JRuby raises for a path with a NUL. A file that it opens in a jar cannot be locked. */
    private static IRubyObject stock(ThreadContext context, RubyString name) {
        context.runtime.getFile().callMethod(context, "open", name).callMethod(context, "close");
        return context.fals;
    }

    private static void place(ThreadContext context, StoreFile store, OpenFile file, Identity opened,
                              boolean writable) {
        // While both are open, equal device numbers mean the same file system.
        boolean known = store.file != null && store.opened.device == opened.device;
        if (!known) store.times = times(context, opened.device);
        StorePool.add(store, file, writable);
        store.opened = opened;
    }

    private static Identity.Times times(ThreadContext context, long device) {
        Ruby runtime = context.runtime;
        IRubyObject found = runtime.getClassFromPath("Frugal::Native::Pure::FileTimes")
            .callMethod(context, "of_device", runtime.newFixnum(device));
        if (found.isNil()) return Identity.Times.UNKNOWN;
        return found == runtime.newSymbol("exact") ? Identity.Times.EXACT : Identity.Times.TICKS;
    }

    /**
     * adopt(io): replaces the file by this one, which is open for writing and locked. If the IO has no descriptor of
     * the system, the IO is kept until the file is unlocked.
     */
    @JRubyMethod
    public static IRubyObject adopt(ThreadContext context, IRubyObject self, IRubyObject io) {
        StoreFile store = (StoreFile) self;
        Identity opened = Identity.of(context, io.callMethod(context, "stat"));
        int descriptor = Libc.dup(((RubyIO) io).getOpenFile().fd().realFileno);
        OpenFile file = descriptor < 0 ? null : new OpenFile(descriptor, context.runtime.newString("a store"));
        if (file != null && !opened.sameFile(file.stat())) {
            file.close();
            file = null;
        }
        if (file == null) {
            StorePool.close(store);
            store.opened = opened;
            store.adopted = io;
        } else {
            place(context, store, file, opened, true);
            io.callMethod(context, "close");
        }
        store.lock = StoreFile.LOCKED;
        store.identify(file == null ? opened : file.stat());
        store.validate();
        return context.nil;
    }
}
