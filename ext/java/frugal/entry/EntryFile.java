package frugal.entry;

import frugal.binding.Descriptor;
import frugal.binding.OpenFile;
import frugal.system.Identity;
import frugal.system.Libc;
import java.util.Locale;
import jnr.constants.platform.Errno;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyNumeric;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * Frugal::Native::Java::EntryFile: an open file with one entry. Ruby code (lib/frugal/entries) decides what the locks
 * mean, writes and recovers entries, and describes the format. {@link EntryOpening} has the methods that open it.
 */
public final class EntryFile extends RubyObject {
    private static final int EAGAIN = Errno.EAGAIN.intValue();
    private static final int EACCES = Errno.EACCES.intValue();
    private static final Seen NOTHING = new Seen(EntryImage.State.FOUND, 0, new byte[EntryRecord.HEAD]);

    private final Descriptor descriptor;
    private final boolean writable;
    private volatile Identity status; // of the last `load`
    private volatile Seen seen = NOTHING;

    EntryFile(Ruby runtime, RubyClass type, OpenFile file, boolean writable) {
        super(runtime, type);
        this.descriptor = new Descriptor(this, file);
        this.writable = writable;
    }

    /** The known facts of a file that was read. */
    private static final class Seen {
        final EntryImage.State state;
        final int used; // bytes
        final byte[] head; // the first bytes

        Seen(EntryImage.State state, int used, byte[] head) {
            this.state = state;
            this.used = used;
            this.head = head;
        }
    }

    // -- locks --

    /** try_lock -> whether the exclusive flock(2) was free and is now held */
    @JRubyMethod(name = "try_lock")
    public IRubyObject tryLock(ThreadContext context) {
        OpenFile file = descriptor.use(context);
        try {
            return context.runtime.newBoolean(file.lock(context, Libc.LOCK_EX));
        } finally {
            descriptor.leave();
        }
    }

    @JRubyMethod
    public IRubyObject unlock(ThreadContext context) {
        OpenFile file = descriptor.use(context);
        try {
            file.check(context, file.unlock());
        } finally {
            descriptor.leave();
        }
        return context.nil;
    }

    /** wait_lock(seconds) -> whether it has the lock now; nil waits without limit */
    @JRubyMethod(name = "wait_lock")
    public IRubyObject waitLock(ThreadContext context, IRubyObject seconds) {
        double limit = seconds.isNil() ? Double.POSITIVE_INFINITY : RubyNumeric.num2dbl(context, seconds);
        OpenFile file = descriptor.use(context);
        try {
            return context.runtime.newBoolean(file.waitForLock(context, Libc.LOCK_EX, limit));
        } finally {
            descriptor.leave();
        }
    }

    /** lock_range(from, size) -> for Pure::Turns, as are range_end and unlock_range */
    @JRubyMethod(name = "lock_range", visibility = Visibility.PRIVATE)
    public IRubyObject lockRange(ThreadContext context, IRubyObject from, IRubyObject size) {
        OpenFile file = descriptor.use(context);
        try {
            int errno = file.lockRange(true, RubyNumeric.num2long(from), RubyNumeric.num2long(size));
            if (errno == 0) return context.tru;
            return errno == EAGAIN || errno == EACCES ? context.fals : context.nil;
        } finally {
            descriptor.leave();
        }
    }

    @JRubyMethod(name = "range_end", visibility = Visibility.PRIVATE)
    public IRubyObject rangeEnd(ThreadContext context, IRubyObject from, IRubyObject size) {
        OpenFile file = descriptor.use(context);
        try {
            return context.runtime.newFixnum(file.rangeEnd(RubyNumeric.num2long(from), RubyNumeric.num2long(size)));
        } finally {
            descriptor.leave();
        }
    }

    @JRubyMethod(name = "unlock_range", visibility = Visibility.PRIVATE)
    public IRubyObject unlockRange(ThreadContext context, IRubyObject from, IRubyObject size) {
        OpenFile file = descriptor.enter();
        if (file == null) return context.nil;
        try {
            file.lockRange(false, RubyNumeric.num2long(from), RubyNumeric.num2long(size));
        } finally {
            descriptor.leave();
        }
        return context.nil;
    }

    // -- attributes --

    /** mtime -> Float, seconds since the epoch, of the last `load` */
    @JRubyMethod
    public IRubyObject mtime(ThreadContext context) {
        long time = status == null ? 0 : status.mtime;
        double seconds = Math.floorDiv(time, Identity.SECOND) + Math.floorMod(time, Identity.SECOND) / 1e9;
        return context.runtime.newFloat(seconds);
    }

    /** head -> the first 16 bytes, as last read */
    @JRubyMethod
    public IRubyObject head(ThreadContext context) {
        return RubyString.newString(context.runtime, new ByteList(seen.head, ASCIIEncoding.INSTANCE, true));
    }

    @JRubyMethod(name = "writable?")
    public IRubyObject isWritable(ThreadContext context) {
        return context.runtime.newBoolean(writable);
    }

    // -- read --

    /** load(digest, largest, reads, klass) -> the newest valid record, an object of `klass`; nil if there is none */
    @JRubyMethod(required = 4)
    public IRubyObject load(ThreadContext context, IRubyObject[] args) {
        byte[] id = EntryOpening.id(context, args[0]);
        long largest = RubyNumeric.num2long(args[1]);
        int reads = RubyNumeric.num2int(args[2]);
        EntryImage image = new EntryImage(descriptor.use(context), id, true, largest);
        try {
            image.read(context, reads);
        } finally {
            descriptor.leave();
        }
        status = image.status;
        remember(image);
        return image.state == EntryImage.State.FOUND ? image.record.toStruct(context, args[3]) : context.nil;
    }

    /**
     * problem -> why the last `load` has found none: :empty, :foreign, :damaged, :huge (more than `largest` bytes),
     * :special; :unlinked if the file has no name any more; :changing if it was being written each of `reads` times
     */
    @JRubyMethod
    public IRubyObject problem(ThreadContext context) {
        EntryImage.State state = seen.state;
        if (state == EntryImage.State.FOUND) return context.nil;
        return context.runtime.newSymbol(state.name().toLowerCase(Locale.ROOT));
    }

    /** reload(digest, klass) -> as load, under the lock and by one call; nil if `load` has to read the file */
    @JRubyMethod
    public IRubyObject reload(ThreadContext context, IRubyObject digest, IRubyObject kind) {
        byte[] id = EntryOpening.id(context, digest);
        EntryImage image = new EntryImage(descriptor.use(context), id, false, 0);
        boolean found;
        try {
            found = image.reread(context, seen.used);
        } finally {
            descriptor.leave();
        }
        if (!found) return context.nil;
        remember(image);
        return image.record.toStruct(context, kind);
    }

    private void remember(EntryImage image) {
        byte[] head = seen.head;
        if (image.content.length >= EntryRecord.HEAD) head = java.util.Arrays.copyOf(image.content, EntryRecord.HEAD);
        seen = new Seen(image.state, image.content.length, head);
    }

    // -- write --

    /** write(bytes, offset): one call, and more only if the system wrote a part of them */
    @JRubyMethod
    public IRubyObject write(ThreadContext context, IRubyObject bytes, IRubyObject offset) {
        ByteList list = bytes.convertToString().getByteList();
        long at = RubyNumeric.num2long(offset);
        OpenFile file = descriptor.use(context);
        try {
            file.check(context, file.write(list.unsafeBytes(), list.begin(), list.realSize(), at));
        } finally {
            descriptor.leave();
        }
        return context.nil;
    }

    /** touch: sets the mtime to the current time */
    @JRubyMethod
    public IRubyObject touch(ThreadContext context) {
        OpenFile file = descriptor.use(context);
        try {
            file.check(context, -Libc.futimens(file.descriptor, 0));
        } finally {
            descriptor.leave();
        }
        return context.nil;
    }

    /** close: releases the locks, too. May be called again. */
    @JRubyMethod
    public IRubyObject close(ThreadContext context) {
        descriptor.close();
        return context.nil;
    }

    @JRubyMethod(name = "closed?")
    public IRubyObject isClosed(ThreadContext context) {
        return context.runtime.newBoolean(descriptor.isClosed());
    }
}
