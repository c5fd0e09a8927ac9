package frugal.beneath;

import frugal.binding.Descriptor;
import frugal.binding.OpenFile;
import frugal.probe.Probes;
import frugal.system.Identity;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyNumeric;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** Frugal::Native::Java::BeneathFile: a file that a {@link Beneath} has opened. */
public final class BeneathFile extends RubyObject {
    private final Descriptor descriptor;
    private final RubyString path; // relative to the root, without "." and ".."
    private final Identity opened;

    BeneathFile(Ruby runtime, OpenFile file, RubyString path, Identity opened) {
        super(runtime, (RubyClass) runtime.getClassFromPath("Frugal::Native::Java::BeneathFile"));
        this.descriptor = new Descriptor(this, file);
        this.path = path;
        this.opened = opened;
    }

    @JRubyMethod
    public IRubyObject path(ThreadContext context) {
        return path;
    }

    /** size -> Integer, in bytes, when the file was opened */
    @JRubyMethod
    public IRubyObject size(ThreadContext context) {
        return context.runtime.newFixnum(opened.size);
    }

    @JRubyMethod
    public IRubyObject mtime(ThreadContext context) {
        return Probes.time(context.runtime, Math.floorDiv(opened.mtime, Identity.SECOND),
                           (int) Math.floorMod(opened.mtime, Identity.SECOND));
    }

    /** fileno -> the descriptor, which this object closes */
    @JRubyMethod
    public IRubyObject fileno(ThreadContext context) {
        int number = descriptor.use(context).descriptor;
        descriptor.leave();
        return context.runtime.newFixnum(number);
    }

    /** same_size? -> whether the file still has the size that it had when it was opened */
    @JRubyMethod(name = "same_size?")
    public IRubyObject isSameSize(ThreadContext context) {
        OpenFile file = descriptor.use(context);
        try {
            Identity now = file.stat();
            return context.runtime.newBoolean(now != null && now.size == opened.size);
        } finally {
            descriptor.leave();
        }
    }

    /** read(offset, length) -> String of `length` bytes from the offset, shorter at the end of the file */
    @JRubyMethod
    public IRubyObject read(ThreadContext context, IRubyObject offset, IRubyObject length) {
        long from = RubyNumeric.num2long(offset);
        int room = RubyNumeric.num2int(length);
        if (room < 0) throw context.runtime.newArgumentError("negative length " + room);
        byte[] bytes = new byte[room];
        OpenFile file = descriptor.use(context);
        int used;
        try {
            used = file.read(context, bytes, from);
        } finally {
            descriptor.leave();
        }
        return RubyString.newString(context.runtime, new ByteList(bytes, 0, used, ASCIIEncoding.INSTANCE, false));
    }

    /** close: may be called again. */
    @JRubyMethod
    public IRubyObject close(ThreadContext context) {
        descriptor.close();
        return context.nil;
    }
}
