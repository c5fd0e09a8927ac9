package frugal.system;

import frugal.system.Buffers.Buffer;
import org.jruby.RubyNumeric;
import org.jruby.RubyTime;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** The result of a stat: identifies a file, its content and its rights. */
public final class Identity {
    public static final long SECOND = 1_000_000_000;
    private static final long TICK = 10_000_000; // ns, at most

    public long device;
    public long inode;
    public long size;
    /** In ns. */
    public long mtime;
    public long ctime;
    public int mode;
    public int owner;
    public int group;
    /** The bytes that fit into the file's blocks: the last block is used up to its end at most. */
    public long allocated;
    public int links;

    public static Identity of(Buffer buffer) {
        Identity identity = new Identity();
        identity.device = Statx.device(buffer);
        identity.inode = Statx.inode(buffer);
        identity.size = Statx.size(buffer);
        identity.mtime = Statx.seconds(buffer, Statx.MTIME) * SECOND + Statx.nanoseconds(buffer, Statx.MTIME);
        identity.ctime = Statx.seconds(buffer, Statx.CTIME) * SECOND + Statx.nanoseconds(buffer, Statx.CTIME);
        identity.mode = Statx.mode(buffer);
        identity.owner = Statx.owner(buffer);
        identity.group = Statx.group(buffer);
        identity.links = Statx.links(buffer);
        long blocks = Statx.blocks(buffer) * 512;
        long unit = Statx.blockSize(buffer);
        long last = unit <= 0 ? blocks : (identity.size + unit - 1) / unit * unit;
        identity.allocated = Math.min(last, blocks);
        return identity;
    }

    /** The identity in a File::Stat, for a file that JRuby has opened. */
    public static Identity of(ThreadContext context, IRubyObject stat) {
        Identity identity = new Identity();
        identity.device = ask(context, stat, "dev");
        identity.inode = ask(context, stat, "ino");
        identity.size = ask(context, stat, "size");
        identity.mtime = time(context, stat, "mtime");
        identity.ctime = time(context, stat, "ctime");
        identity.mode = (int) ask(context, stat, "mode");
        identity.owner = (int) ask(context, stat, "uid");
        identity.group = (int) ask(context, stat, "gid");
        identity.links = 1;
        return identity;
    }

    private static long ask(ThreadContext context, IRubyObject stat, String name) {
        return RubyNumeric.num2long(stat.callMethod(context, name));
    }

    private static long time(ThreadContext context, IRubyObject stat, String name) {
        RubyTime time = (RubyTime) stat.callMethod(context, name);
        return ask(context, time, "to_i") * SECOND + ask(context, time, "nsec");
    }

    public boolean isFile() {
        return (mode & Statx.FORMAT) == Statx.REGULAR;
    }

    public boolean sameFile(Identity other) {
        return other != null && inode == other.inode && device == other.device;
    }

    public boolean sameRights(Identity other) {
        return mode == other.mode && owner == other.owner && group == other.group;
    }

    public boolean sameContent(Identity other) {
        return sameFile(other) && size == other.size && mtime == other.mtime && ctime == other.ctime;
    }

    /**
     * Whether a later stat with the same result proves that nothing was written in between. A ctime in whole seconds
     * means that the file system has no fractions. The mtime does not show this, because a program can set it.
     */
    public boolean proves(Times times) {
        if (times == Times.UNKNOWN || ctime % SECOND == 0) return false;
        long now = System.currentTimeMillis() * 1_000_000;
        return times == Times.EXACT || now - Math.max(mtime, ctime) > 2 * TICK + 1_000_000;
    }

    /** How reliable the times of a file system are, see Pure::FileTimes. */
    public enum Times { UNKNOWN, TICKS, EXACT }
}
