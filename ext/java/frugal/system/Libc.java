package frugal.system;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.LastError;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;
import java.util.Arrays;
import jnr.constants.platform.Errno;

/**
 * The functions of libc that the engine calls, by raw jffi, which is part of JRuby.
 *
 * <p>A result is that of the system call: zero or more, or the negative errno. Nothing here throws, allocates or
 * retries. Memory is given by its address (see {@link Buffers}): no array of Java's heap is held during a call.
 *
 * <p>All parameters are longs. That fits the calling conventions of 64-bit Linux, where an int is passed in a whole
 * register; the result of a function that returns an int is cut to its lower half.
 *
 * <p>A function that libc lacks has the address 0, and calling it would end the JVM: see {@link #missing}.
 */
public final class Libc {
    public static final int AT_FDCWD = -100;
    public static final int AT_SYMLINK_NOFOLLOW = 0x100;
    public static final int AT_EMPTY_PATH = 0x1000;
    public static final int AT_REMOVEDIR = 0x200;
    public static final int LOCK_SH = 1;
    public static final int LOCK_EX = 2;
    public static final int LOCK_NB = 4;
    public static final int LOCK_UN = 8;
    public static final int POLLIN = 1;
    /** The same on all architectures. The next constant is different on SPARC only. */
    public static final int F_OFD_GETLK = 36;
    public static final int F_OFD_SETLK = 37;
    public static final int O_PATH = 0x200000;

    /** The same on all architectures on which JRuby has jffi, except for MIPS. */
    private static final int RLIMIT_NOFILE = 7;

    /** The functions that examine, read and list files. Without them, there is no jffi tier. */
    private static final String[] REQUIRED =
        {"statx", "openat", "read", "close", "getdents64", "readlink", "poll", "getcwd"};

    /** The number of the system call, for which libc has no function; 0 if it is unknown. */
    private static final int OPENAT2 =
        Arrays.asList("amd64", "aarch64").contains(System.getProperty("os.arch")) ? 437 : 0;
    private static final int ENOSYS = Errno.ENOSYS.intValue();

    private static final Invoker INVOKER = Invoker.getInstance();
    private static final LastError ERROR = LastError.getInstance();
    private static final CallContext TAKES_1 = context(1);
    private static final CallContext TAKES_2 = context(2);
    private static final CallContext TAKES_3 = context(3);
    private static final CallContext TAKES_4 = context(4);
    private static final CallContext TAKES_5 = context(5);
    private static final CallContext TAKES_6 = context(6);
    private static final long STATX = address("statx");
    private static final long OPENAT = address("openat");
    private static final long READ = address("read");
    private static final long CLOSE = address("close");
    private static final long GETDENTS = address("getdents64");
    private static final long READLINK = address("readlink");
    private static final long POLL = address("poll");
    private static final long GETCWD = address("getcwd");
    private static final long GETRLIMIT = address("getrlimit64");
    private static final long FLOCK = address("flock");
    private static final long PREAD = address("pread64");
    private static final long PWRITE = address("pwrite64");
    private static final long FTRUNCATE = address("ftruncate64");
    private static final long DUP = address("dup");
    private static final long MKDIRAT = address("mkdirat");
    private static final long UNLINKAT = address("unlinkat");
    private static final long FCHMODAT = address("fchmodat");
    private static final long READLINKAT = address("readlinkat");
    private static final long SYMLINKAT = address("symlinkat");
    private static final long WRITE = address("write");
    private static final long SENDFILE = address("sendfile64");
    /** Not in every libc: glibc has it since 2.27. */
    private static final long COPY_FILE_RANGE = address("copy_file_range");
    private static final long FUTIMENS = address("futimens");
    private static final long FCNTL = address("fcntl");
    private static final long SYSCALL = address("syscall");

    private Libc() {
    }

    /** The first function that the engine needs and libc lacks, or null. */
    public static String missing() {
        for (String name : REQUIRED) {
            if (address(name) == 0) return name;
        }
        return null;
    }

    /** Whether files can be locked and written as well. */
    public static boolean writes() {
        return FLOCK != 0 && PREAD != 0 && PWRITE != 0 && FTRUNCATE != 0 && DUP != 0;
    }

    /** Whether trees can be created, copied and removed as well. */
    public static boolean changesTrees() {
        return MKDIRAT != 0 && UNLINKAT != 0 && FCHMODAT != 0 && READLINKAT != 0 && SYMLINKAT != 0 && WRITE != 0 &&
            SENDFILE != 0;
    }

    /** Whether {@link #copyFileRange} can be called. */
    public static boolean copiesRanges() {
        return COPY_FILE_RANGE != 0;
    }

    /** Whether entries can be locked and touched as well. */
    public static boolean hasEntries() {
        return writes() && FUTIMENS != 0 && FCNTL != 0;
    }

    /** Whether files can be opened beneath a directory, at least name by name. */
    public static boolean opensBeneath() {
        return PREAD != 0 && READLINKAT != 0;
    }

    /** Examines a path, or with AT_EMPTY_PATH and an empty path a descriptor. Fills a {@link Statx}. */
    public static int statx(int directory, long path, int flags, long result) {
        return (int) outcome((int) INVOKER.invokeN5(TAKES_5, STATX, directory, path, flags, Statx.MASK, result));
    }

    /** @return a descriptor */
    public static int openat(int directory, long path, int flags, int permissions) {
        return (int) outcome((int) INVOKER.invokeN4(TAKES_4, OPENAT, directory, path, flags, permissions));
    }

    public static int close(int descriptor) {
        return (int) outcome((int) INVOKER.invokeN1(TAKES_1, CLOSE, descriptor));
    }

    /** @return the number of bytes, 0 at the end of the file */
    public static long read(int descriptor, long memory, long size) {
        return outcome(INVOKER.invokeN3(TAKES_3, READ, descriptor, memory, size));
    }

    public static long pread(int descriptor, long memory, long size, long offset) {
        return outcome(INVOKER.invokeN4(TAKES_4, PREAD, descriptor, memory, size, offset));
    }

    public static long pwrite(int descriptor, long memory, long size, long offset) {
        return outcome(INVOKER.invokeN4(TAKES_4, PWRITE, descriptor, memory, size, offset));
    }

    public static int ftruncate(int descriptor, long size) {
        return (int) outcome((int) INVOKER.invokeN2(TAKES_2, FTRUNCATE, descriptor, size));
    }

    /** @return a second descriptor of the same open file, which has the same lock; negative for no descriptor */
    public static int dup(int descriptor) {
        return (int) outcome((int) INVOKER.invokeN1(TAKES_1, DUP, descriptor));
    }

    /** @param times the address of two struct timespec; 0 for the present */
    public static int futimens(int descriptor, long times) {
        return (int) outcome((int) INVOKER.invokeN2(TAKES_2, FUTIMENS, descriptor, times));
    }

    public static int fcntl(int descriptor, int command, long argument) {
        return (int) outcome((int) INVOKER.invokeN3(TAKES_3, FCNTL, descriptor, command, argument));
    }

    /** As openat, for a path that must stay beneath the directory. @param how the address of a struct open_how */
    public static int openat2(int directory, long path, long how, int size) {
        if (SYSCALL == 0 || OPENAT2 == 0) return -ENOSYS;
        return (int) outcome(INVOKER.invokeN5(TAKES_5, SYSCALL, OPENAT2, directory, path, how, size));
    }

    /** Reads records of a directory ({@link Records}). @return their bytes, 0 at the end */
    public static int getdents(int descriptor, long memory, long size) {
        return (int) outcome(INVOKER.invokeN3(TAKES_3, GETDENTS, descriptor, memory, size));
    }

    /** @return the length of the target, cut to the size */
    public static int readlink(long path, long memory, long size) {
        return (int) outcome(INVOKER.invokeN3(TAKES_3, READLINK, path, memory, size));
    }

    public static int mkdirat(int directory, long path, int permissions) {
        return (int) outcome((int) INVOKER.invokeN3(TAKES_3, MKDIRAT, directory, path, permissions));
    }

    /** Sets the permissions of a file. Follows links. */
    public static int chmod(long path, int permissions) {
        return (int) outcome((int) INVOKER.invokeN4(TAKES_4, FCHMODAT, AT_FDCWD, path, permissions, 0));
    }

    /** Removes a name; with AT_REMOVEDIR, that of an empty directory. */
    public static int unlinkat(int directory, long path, int flags) {
        return (int) outcome((int) INVOKER.invokeN3(TAKES_3, UNLINKAT, directory, path, flags));
    }

    /** @return the length of the target, cut to the size */
    public static int readlinkat(int directory, long path, long memory, long size) {
        return (int) outcome(INVOKER.invokeN4(TAKES_4, READLINKAT, directory, path, memory, size));
    }

    public static int symlinkat(long target, int directory, long path) {
        return (int) outcome((int) INVOKER.invokeN3(TAKES_3, SYMLINKAT, target, directory, path));
    }

    public static long write(int descriptor, long memory, long size) {
        return outcome(INVOKER.invokeN3(TAKES_3, WRITE, descriptor, memory, size));
    }

    /** Copies bytes from one file's position to the other's. @return their number, 0 at the end of the first */
    public static long copyFileRange(int from, int to, long size) {
        return outcome(INVOKER.invokeN6(TAKES_6, COPY_FILE_RANGE, from, 0, to, 0, size, 0));
    }

    /** As {@link #copyFileRange}, on more file systems. */
    public static long sendfile(int from, int to, long size) {
        return outcome(INVOKER.invokeN4(TAKES_4, SENDFILE, to, from, 0, size));
    }

    /** Locks with LOCK_NB or unlocks; a call that waits could not be interrupted. */
    public static int flock(int descriptor, int operation) {
        return (int) outcome((int) INVOKER.invokeN2(TAKES_2, FLOCK, descriptor, operation));
    }

    /** Waits until a descriptor can be read. @param pollfd the address of one struct pollfd. @return 0 or 1 */
    public static int poll(long pollfd, int milliseconds) {
        return (int) outcome((int) INVOKER.invokeN3(TAKES_3, POLL, pollfd, 1, milliseconds));
    }

    /** How many descriptors the process may have, or 0 if libc does not report it. Negative: any number. */
    public static long descriptorLimit(Buffers.Buffer buffer) {
        if (GETRLIMIT == 0 || INVOKER.invokeN2(TAKES_2, GETRLIMIT, RLIMIT_NOFILE, buffer.status()) != 0) return 0;
        return buffer.bytes.getLong(Buffers.Buffer.STATUS);
    }

    /** Writes the directory of the process with a NUL. @return a positive number */
    public static int getcwd(long memory, long size) {
        return INVOKER.invokeN2(TAKES_2, GETCWD, memory, size) == 0 ? -ERROR.get() : 1;
    }

    private static long outcome(long result) {
        return result >= 0 ? result : -ERROR.get();
    }

    private static long address(String name) {
        return Library.getDefault().getSymbolAddress(name);
    }

    private static CallContext context(int parameters) {
        Type[] types = new Type[parameters];
        Arrays.fill(types, Type.SINT64);
        return CallContext.getCallContext(Type.SINT64, types, CallingConvention.DEFAULT, true);
    }
}
