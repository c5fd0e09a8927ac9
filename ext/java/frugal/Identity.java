package frugal;

import frugal.Buffers.Buffer;
import jnr.constants.platform.Errno;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyNumeric;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Frugal::Native::Java::Identity, the twin of Pure::StoreIdentity: identifies a file, its content and its rights. */
public final class Identity extends RubyObject {
    private static final int ENOENT = Errno.ENOENT.intValue();

    private long device;
    private long inode;
    private long size;
    private long mtime;
    private long ctime;
    private long mode;
    private long owner;
    private long group;

    Identity(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    static Identity of(Ruby runtime, Buffer buffer) {
        Identity identity = new Identity(runtime, Engine.instance.identity);
        identity.device = Statx.device(buffer);
        identity.inode = Statx.inode(buffer);
        identity.size = Statx.size(buffer);
        identity.mtime = Statx.seconds(buffer, Statx.MTIME) * 1_000_000_000 + Statx.nanoseconds(buffer, Statx.MTIME);
        identity.ctime = Statx.seconds(buffer, Statx.CTIME) * 1_000_000_000 + Statx.nanoseconds(buffer, Statx.CTIME);
        identity.mode = Statx.mode(buffer);
        identity.owner = Statx.owner(buffer) & 0xffffffffL;
        identity.group = Statx.group(buffer) & 0xffffffffL;
        return identity;
    }

    /** at(path, follow) -> an Identity; nil: no such file; false: JRuby has to stat it. *Cost*: one statx(2). */
    @JRubyMethod(meta = true)
    public static IRubyObject at(ThreadContext context, IRubyObject self, IRubyObject path, IRubyObject follow) {
        RubyString name = path.convertToString();
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(name, buffer)) return context.fals;
            int flags = follow.isTrue() ? 0 : Libc.AT_SYMLINK_NOFOLLOW;
            int errno = -Libc.statx(Libc.AT_FDCWD, buffer.address, flags, buffer.status());
            if (errno == 0) return of(context.runtime, buffer);
            if (errno == ENOENT) return context.nil;
            throw Engine.instance.fault(context, errno, name);
        } finally {
            Buffers.give(buffer);
        }
    }

    /** new(device, inode, size, mtime, ctime, mode, owner, group): of a file that JRuby has opened. */
    @JRubyMethod(required = 8, visibility = org.jruby.runtime.Visibility.PRIVATE)
    public IRubyObject initialize(ThreadContext context, IRubyObject[] values) {
        device = RubyNumeric.num2long(values[0]);
        inode = RubyNumeric.num2long(values[1]);
        size = RubyNumeric.num2long(values[2]);
        mtime = RubyNumeric.num2long(values[3]);
        ctime = RubyNumeric.num2long(values[4]);
        mode = RubyNumeric.num2long(values[5]);
        owner = RubyNumeric.num2long(values[6]);
        group = RubyNumeric.num2long(values[7]);
        return context.nil;
    }

    @JRubyMethod(name = {"device", "dev"})
    public IRubyObject device(ThreadContext context) {
        return context.runtime.newFixnum(device);
    }

    @JRubyMethod
    public IRubyObject inode(ThreadContext context) {
        return context.runtime.newFixnum(inode);
    }

    @JRubyMethod
    public IRubyObject size(ThreadContext context) {
        return context.runtime.newFixnum(size);
    }

    @JRubyMethod
    public IRubyObject mtime(ThreadContext context) {
        return context.runtime.newFixnum(mtime);
    }

    @JRubyMethod
    public IRubyObject ctime(ThreadContext context) {
        return context.runtime.newFixnum(ctime);
    }

    @JRubyMethod
    public IRubyObject mode(ThreadContext context) {
        return context.runtime.newFixnum(mode);
    }

    @JRubyMethod
    public IRubyObject owner(ThreadContext context) {
        return context.runtime.newFixnum(owner);
    }

    @JRubyMethod
    public IRubyObject group(ThreadContext context) {
        return context.runtime.newFixnum(group);
    }

    @JRubyMethod(name = "file?")
    public IRubyObject isFile(ThreadContext context) {
        return context.runtime.newBoolean((mode & Statx.FORMAT) == Statx.REGULAR);
    }

    @JRubyMethod(name = "same_file?")
    public IRubyObject isSameFile(ThreadContext context, IRubyObject other) {
        return context.runtime.newBoolean(other instanceof Identity && sameFile((Identity) other));
    }

    @JRubyMethod(name = "same_rights?")
    public IRubyObject isSameRights(ThreadContext context, IRubyObject other) {
        Identity it = (Identity) other;
        return context.runtime.newBoolean(mode == it.mode && owner == it.owner && group == it.group);
    }

    @JRubyMethod(name = "same_content?")
    public IRubyObject isSameContent(ThreadContext context, IRubyObject other) {
        return context.runtime.newBoolean(other instanceof Identity && sameContent((Identity) other));
    }

    private boolean sameFile(Identity other) {
        return inode == other.inode && device == other.device;
    }

    private boolean sameContent(Identity other) {
        return sameFile(other) && size == other.size && mtime == other.mtime && ctime == other.ctime;
    }
}
