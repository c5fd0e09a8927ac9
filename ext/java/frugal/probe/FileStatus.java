package frugal.probe;

import frugal.system.Buffers.Buffer;
import frugal.system.Statx;
import java.lang.reflect.Field;
import jnr.posix.FileStat;
import jnr.posix.NanosecondFileStat;
import jnr.posix.POSIX;
import org.jruby.Ruby;
import org.jruby.RubyFileStat;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The content of a File::Stat. File::Stat itself can only examine a path, which needs a second system call and a String
 * of Java. So the status is put into the field of a File::Stat.
 */
public final class FileStatus implements NanosecondFileStat {
    private static final Field CONTENT = content();

    private final POSIX posix;
    private final long device;
    private final long inode;
    private final int mode;
    private final int links;
    private final int owner;
    private final int group;
    private final long specialDevice;
    private final long size;
    private final int blockSize;
    private final long blocks;
    private final long atime;
    private final long mtime;
    private final long ctime;
    private final int atimeNanoseconds;
    private final int mtimeNanoseconds;
    private final int ctimeNanoseconds;

    private FileStatus(POSIX posix, Buffer buffer) {
        this.posix = posix;
        device = Statx.device(buffer);
        inode = Statx.inode(buffer);
        mode = Statx.mode(buffer);
        links = Statx.links(buffer);
        owner = Statx.owner(buffer);
        group = Statx.group(buffer);
        specialDevice = Statx.specialDevice(buffer);
        size = Statx.size(buffer);
        blockSize = Statx.blockSize(buffer);
        blocks = Statx.blocks(buffer);
        atime = Statx.seconds(buffer, Statx.ATIME);
        mtime = Statx.seconds(buffer, Statx.MTIME);
        ctime = Statx.seconds(buffer, Statx.CTIME);
        atimeNanoseconds = Statx.nanoseconds(buffer, Statx.ATIME);
        mtimeNanoseconds = Statx.nanoseconds(buffer, Statx.MTIME);
        ctimeNanoseconds = Statx.nanoseconds(buffer, Statx.CTIME);
    }

    private static Field content() {
        try {
            Field field = RubyFileStat.class.getDeclaredField("stat");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException | RuntimeException e) {
            return null; // another version of JRuby, or a module that does not open the field
        }
    }

    /** Whether {@link #object} works under this JRuby. */
    public static boolean available() {
        return CONTENT != null;
    }

    /** @return a File::Stat */
    static IRubyObject object(Ruby runtime, Buffer buffer) {
        IRubyObject stat = runtime.getFileStat().allocate();
        try {
            CONTENT.set(stat, new FileStatus(runtime.getPosix(), buffer));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // cannot happen: the field was made accessible
        }
        return stat;
    }

    // -- values of the kernel --

    @Override public long dev() { return device; }

    @Override public long ino() { return inode; }

    @Override public int mode() { return mode; }

    @Override public int nlink() { return links; }

    @Override public int uid() { return owner; }

    @Override public int gid() { return group; }

    @Override public long rdev() { return specialDevice; }

    @Override public long st_size() { return size; }

    @Override public long blockSize() { return blockSize; }

    @Override public long blocks() { return blocks; }

    @Override public long atime() { return atime; }

    @Override public long mtime() { return mtime; }

    @Override public long ctime() { return ctime; }

    @Override public long aTimeNanoSecs() { return atimeNanoseconds; }

    @Override public long mTimeNanoSecs() { return mtimeNanoseconds; }

    @Override public long cTimeNanoSecs() { return ctimeNanoseconds; }

    // -- derived values --

    @Override public String ftype() { return Statx.type(mode); }

    @Override public boolean isBlockDev() { return is(S_IFBLK); }

    @Override public boolean isCharDev() { return is(S_IFCHR); }

    @Override public boolean isDirectory() { return is(S_IFDIR); }

    @Override public boolean isFifo() { return is(S_IFIFO); }

    @Override public boolean isNamedPipe() { return is(S_IFIFO); }

    @Override public boolean isFile() { return is(S_IFREG); }

    @Override public boolean isSocket() { return is(S_IFSOCK); }

    @Override public boolean isSymlink() { return is(S_IFLNK); }

    @Override public boolean isEmpty() { return size == 0; }

    @Override public boolean isSetgid() { return (mode & S_ISGID) != 0; }

    @Override public boolean isSetuid() { return (mode & S_ISUID) != 0; }

    @Override public boolean isSticky() { return (mode & S_ISVTX) != 0; }

    @Override public boolean isReadable() { return may(4, posix.geteuid(), posix.getegid()); }

    @Override public boolean isReadableReal() { return may(4, posix.getuid(), posix.getgid()); }

    @Override public boolean isWritable() { return may(2, posix.geteuid(), posix.getegid()); }

    @Override public boolean isWritableReal() { return may(2, posix.getuid(), posix.getgid()); }

    @Override public boolean isExecutable() { return may(1, posix.geteuid(), posix.getegid()); }

    @Override public boolean isExecutableReal() { return may(1, posix.getuid(), posix.getgid()); }

    @Override public boolean isOwned() { return posix.geteuid() == owner; }

    @Override public boolean isROwned() { return posix.getuid() == owner; }

    @Override public boolean isGroupOwned() { return groupMember(group); }

    @Override
    public boolean groupMember(int wanted) {
        if (posix.getgid() == wanted || posix.getegid() == wanted) return true;
        for (long one : posix.getgroups()) {
            if (one == wanted) return true;
        }
        return false;
    }

    @Override
    public boolean isIdentical(FileStat other) {
        return device == other.dev() && inode == other.ino();
    }

    @Override
    public int major(long number) {
        return (int) (number >> 32 & ~0xfffL | number >> 8 & 0xfff);
    }

    @Override
    public int minor(long number) {
        return (int) (number >> 12 & ~0xffL | number & 0xff);
    }

    private boolean is(int type) {
        return (mode & S_IFMT) == type;
    }

    /** Root may read and write every file, and execute each file that anybody may execute. */
    private boolean may(int right, int user, int userGroup) {
        if (user == 0) return right != 1 || (mode & S_IXUGO) != 0;
        if (user == owner) return (mode & right << 6) != 0;
        if (userGroup == group || groupMember(group)) return (mode & right << 3) != 0;
        return (mode & right) != 0;
    }
}
