package frugal.beneath;

import frugal.binding.Descriptor;
import frugal.binding.Engine;
import frugal.binding.OpenFile;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Identity;
import frugal.system.Libc;
import frugal.system.Statx;
import java.util.Arrays;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyFile;
import org.jruby.RubyNumeric;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * Frugal::Native::Java::Beneath: opens files beneath a directory by openat2(2) (Linux 5.6), with which the kernel
 * stays beneath the root. If the kernel lacks it, or a filter denies it, {@link BeneathSteps} opens the path name by
 * name. The caller in Ruby decides how a web server responds. The twin of ext/frugal/core/beneath/beneath.c.
 */
public final class Beneath extends RubyObject {
    private static final int EINTR = Errno.EINTR.intValue();
    private static final int EAGAIN = Errno.EAGAIN.intValue();
    private static final int EPERM = Errno.EPERM.intValue();
    private static final int ENOSYS = Errno.ENOSYS.intValue();
    private static final int EISDIR = Errno.EISDIR.intValue();
    private static final int FILE_FLAGS = OpenFlags.O_RDONLY.intValue() | OpenFlags.O_CLOEXEC.intValue() |
        OpenFlags.O_NONBLOCK.intValue() | OpenFlags.O_NOCTTY.intValue();
    private static final int NOFOLLOW = OpenFlags.O_NOFOLLOW.intValue();
    /** Of openat2's `resolve`. */
    private static final int NO_MAGICLINKS = 0x02;
    private static final int NO_SYMLINKS = 0x04;
    private static final int BENEATH = 0x08;
    private static final int HOW_SIZE = 24;
    /** How often openat2 is tried again after EAGAIN, which it returns during a rename by another process. */
    private static final int MAX_TRIES = 16;
    /** How many pauses of 10 ms to wait for a lease. Linux revokes a lease after 45 seconds. */
    private static final int LEASE_WAITS = 6000;
    private static final long LEASE_PAUSE = 10_000_000;

    private static volatile boolean unavailable; // openat2

    private BeneathRoot root;
    private boolean follow; // links: all of them, or those that stay beneath the root
    private boolean everywhere;
    private IRubyObject stock; // for a root that only JRuby can use

    Beneath(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /**
     * new(root, follow, root_valid_ms): `follow` is false for no links, true for all, or :inside for those that stay
     * beneath the root. An opened root is used for `root_valid_ms` milliseconds before its path is checked again.
     */
    @JRubyMethod
    public IRubyObject initialize(ThreadContext context, IRubyObject path, IRubyObject follow, IRubyObject valid) {
        RubyString name = (RubyString) RubyFile.get_path(context, path).dup();
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(name, buffer)) {
                stock = context.runtime.getClassFromPath("Frugal::Native::Pure::Beneath")
                    .callMethod(context, "new", new IRubyObject[] {name, follow, valid});
            }
        } finally {
            Buffers.give(buffer);
        }
        this.root = new BeneathRoot(name, RubyNumeric.num2long(valid));
        this.follow = follow.isTrue();
        this.everywhere = follow == context.tru;
        setFrozen(true);
        return context.nil;
    }

    /**
     * open(path) -> a BeneathFile; nil if there is no readable file; false if the path has a NUL or invalid bytes, so
     * that no file can have it. `path` is the unescaped path of a URL.
     */
    @JRubyMethod
    public IRubyObject open(ThreadContext context, IRubyObject path) {
        RubyString name = path.convertToString();
        if (stock != null) return stock.callMethod(context, "open", name);
        if (root == null) throw context.runtime.newArgumentError("uninitialized Beneath");
        ByteList list = name.getByteList();
        if (list.indexOf(0) >= 0 || name.isBrokenString()) return context.fals;
        byte[] clean = UrlPath.clean(list.bytes());
        if (clean.length == 0) return context.nil;
        Identity[] found = new Identity[1];
        int descriptor = openClean(context, clean, found);
        if (descriptor < 0) {
            if (Descriptor.exhausted(-descriptor)) throw Engine.instance.fault(context, -descriptor, name);
            return context.nil;
        }
        RubyString cleaned = RubyString.newString(context.runtime, new ByteList(clean, list.getEncoding(), false));
        cleaned.setFrozen(true);
        return new BeneathFile(context.runtime, new OpenFile(descriptor, cleaned), cleaned, found[0]);
    }

    /** unescape(path) -> the path with each %XX decoded, in the same encoding, but UTF-8 for a US-ASCII path */
    @JRubyMethod(meta = true)
    public static IRubyObject unescape(ThreadContext context, IRubyObject self, IRubyObject path) {
        ByteList list = path.convertToString().getByteList();
        boolean ascii = list.getEncoding() == USASCIIEncoding.INSTANCE;
        return RubyString.newString(context.runtime, new ByteList(
            UrlPath.unescape(list), ascii ? UTF8Encoding.INSTANCE : list.getEncoding(), false));
    }

    /** @return a descriptor, or a negative errno */
    private int openClean(ThreadContext context, byte[] path, Identity[] found) {
        int waits = 0;
        for (;;) {
            int result = openRegular(path, found);
            if (result == -EINTR) {
                context.pollThreadEvents();
            } else if (result == -EAGAIN && ++waits <= LEASE_WAITS) { // the kernel has asked for the lease's release
                context.pollThreadEvents();
                OpenFile.pause(context, LEASE_PAUSE);
            } else if (!Descriptor.exhausted(-result) || !Descriptor.collect()) {
                return result;
            }
        }
    }

    private int openRegular(byte[] path, Identity[] found) {
        int[] errno = new int[1];
        Descriptor directory = root.enter(errno);
        if (directory == null) return -errno[0];
        Buffer buffer = Buffers.take();
        try {
            int length = Math.min(path.length, Buffer.PATH_ROOM - 1); // the kernel refuses a longer one, too
            buffer.put(0, path, 0, length);
            buffer.bytes.put(length, (byte) 0);
            return openRegular(directory.number(), path, buffer, found);
        } finally {
            Buffers.give(buffer);
            directory.leave();
        }
    }

    /**
     * A failed open takes twice as long as a failed stat, and most paths that a web server is asked for are not files.
     * So the path is statted first, which also avoids opening fifos and devices. This stat may describe another file,
     * even one outside the root; only the stat of the opened file decides.
     */
    private int openRegular(int directory, byte[] path, Buffer buffer, Identity[] found) {
        int flags = follow ? 0 : Libc.AT_SYMLINK_NOFOLLOW;
        int result = Libc.statx(directory, buffer.address, flags, buffer.status());
        if (result != 0) return result;
        if ((Statx.mode(buffer) & Statx.FORMAT) != Statx.REGULAR) return -EISDIR;
        int descriptor = everywhere ? Libc.openat(directory, buffer.address, FILE_FLAGS, 0)
                                    : openBeneath(directory, path, buffer);
        if (descriptor < 0) return descriptor;
        buffer.bytes.put(0, (byte) 0);
        result = Libc.statx(descriptor, buffer.address, Libc.AT_EMPTY_PATH, buffer.status());
        if (result == 0 && (Statx.mode(buffer) & Statx.FORMAT) != Statx.REGULAR) result = -EISDIR;
        if (result != 0) Libc.close(descriptor);
        else found[0] = Identity.of(buffer);
        return result != 0 ? result : descriptor;
    }

    private int openBeneath(int directory, byte[] path, Buffer buffer) {
        for (int tries = 0; !unavailable && tries < MAX_TRIES; tries++) {
            int result = openat2(directory, buffer, FILE_FLAGS | (follow ? 0 : NOFOLLOW));
            if (result >= 0) return result;
            if (isUnavailable(directory, -result)) unavailable = true;
            else if (result != -EAGAIN) return result;
        }
        return BeneathSteps.open(directory, path, follow, FILE_FLAGS);
    }

    /** Writes the struct open_how: flags, mode and resolve, eight bytes each, on all architectures. */
    private int openat2(int directory, Buffer buffer, int flags) {
        buffer.bytes.putLong(Buffer.DATA, flags);
        buffer.bytes.putLong(Buffer.DATA + 8, 0);
        buffer.bytes.putLong(Buffer.DATA + 16, BENEATH | NO_MAGICLINKS | (follow ? 0 : NO_SYMLINKS));
        return Libc.openat2(directory, buffer.address, buffer.data(), HOW_SIZE);
    }

    /** Whether openat2 is unavailable. EPERM may refer to the file, or come from a filter, which denies the root. */
    private boolean isUnavailable(int directory, int errno) {
        if (errno == ENOSYS) return true;
        if (errno != EPERM) return false;
        Buffer buffer = Buffers.take();
        try {
            buffer.bytes.put(0, (byte) '.').put(1, (byte) 0);
            int result = openat2(directory, buffer, BeneathRoot.FLAGS);
            if (result >= 0) Libc.close(result);
            return result == -EPERM || result == -ENOSYS;
        } finally {
            Buffers.give(buffer);
        }
    }
}
