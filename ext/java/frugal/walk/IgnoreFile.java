package frugal.walk;

import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;

/** A file with patterns: a .gitignore, or the info/exclude of a repository; with its path. */
final class IgnoreFile {
    private static final int FLAGS = OpenFlags.O_RDONLY.intValue() | OpenFlags.O_CLOEXEC.intValue() |
        OpenFlags.O_NOCTTY.intValue() | OpenFlags.O_NONBLOCK.intValue(); // opening a fifo must not wait
    private static final int NOFOLLOW = OpenFlags.O_NOFOLLOW.intValue();
    private static final int EINTR = Errno.EINTR.intValue();
    private static final int ENOTDIR = Errno.ENOTDIR.intValue();
    /** git's own limit: it reads no patterns from a larger file. */
    private static final int MOST_BYTES = 100 * 1024 * 1024;
    /** A line with the path of a repository is shorter. */
    private static final int PATH_MAX = 4096;

    private static final byte[] HEAD = bytes(".git/HEAD");
    private static final byte[] EXCLUDE = bytes(".git/info/exclude");
    private static final byte[] LINKED = bytes(".git");
    private static final byte[] NOTHING = {};

    /** As it was opened: absolute, or relative to a directory. */
    final byte[] path;
    /** Null: the file is missing, empty, or could not be read. */
    final IgnoreRules rules;
    /** An errno, if it could not be read. */
    final int error;

    /** When it was read; null if it was not. */
    final Stamp stamp;
    private final byte[] content;

    private IgnoreFile(byte[] path, byte[] content, int error, Stamp stamp) {
        this.path = path;
        this.content = content;
        this.rules = content.length == 0 ? null : new IgnoreRules(content);
        this.error = error;
        this.stamp = stamp;
    }

    /** Whether the rules of two files are the same. */
    static boolean same(IgnoreFile one, IgnoreFile other) {
        if (one == null || other == null) return one == other;
        return one.error == other.error && Arrays.equals(one.content, other.content);
    }

    /**
     * Reads rules. Anything but a regular file has none; a link has none unless it is followed.
     *
     * @param path absolute, or relative to an open directory
     */
    static IgnoreFile read(int directory, byte[] path, boolean followed, Buffer buffer) {
        for (int tries = 0;; tries++) {
            IgnoreFile file = readOnce(directory, path, followed, buffer);
            if (!Descriptors.scarce(file.error) || tries == Descriptors.TRIES) return file;
            Descriptors.pause();
        }
    }

    private static IgnoreFile readOnce(int directory, byte[] path, boolean followed, Buffer buffer) {
        long now = Stamp.now();
        int file = open(directory, path, followed ? 0 : NOFOLLOW, buffer);
        if (file < 0) return new IgnoreFile(path, NOTHING, absent(-file, followed) ? 0 : -file, null);
        try {
            buffer.bytes.put(0, (byte) 0);
            int errno = -Libc.statx(file, buffer.address, Libc.AT_EMPTY_PATH, buffer.status());
            if (errno != 0) return new IgnoreFile(path, NOTHING, errno, null);
            Stamp stamp = new Stamp(buffer, now);
            long size = (Statx.mode(buffer) & Statx.FORMAT) == Statx.REGULAR ? Statx.size(buffer) : 0;
            if (size > MOST_BYTES) return new IgnoreFile(path, NOTHING, Errno.EFBIG.intValue(), stamp);
            byte[] content = new byte[(int) size];
            int used = fill(file, content, buffer);
            if (used < 0) return new IgnoreFile(path, NOTHING, -used, stamp);
            return new IgnoreFile(path, used == size ? content : Arrays.copyOf(content, used), 0, stamp);
        } finally {
            Libc.close(file);
        }
    }

    /** Whether there is no file to read: it is missing, or a link that is not followed. */
    private static boolean absent(int errno, boolean followed) {
        if (errno == Errno.ENOENT.intValue() || errno == ENOTDIR || errno == Errno.ENXIO.intValue()) return true;
        return !followed && (errno == Errno.ELOOP.intValue() || errno == Errno.EMLINK.intValue());
    }

    private static int open(int directory, byte[] path, int flags, Buffer buffer) {
        if (!write(path, buffer)) return -Errno.ENAMETOOLONG.intValue();
        return Descriptors.open(directory, buffer, FLAGS | flags);
    }

    private static boolean write(byte[] path, Buffer buffer) {
        if (path.length >= PATH_MAX) return false;
        buffer.put(0, path, 0, path.length);
        buffer.bytes.put(path.length, (byte) 0);
        return true;
    }

    /** Reads until the content is full, or to the end of the file. @return bytes, or a negative errno */
    private static int fill(int file, byte[] content, Buffer buffer) {
        int used = 0;
        while (used < content.length) {
            int got = (int) Libc.read(file, buffer.data(), Math.min(Buffer.DATA_ROOM, content.length - used));
            if (got == -EINTR) continue;
            if (got < 0) return got;
            if (got == 0) break;
            buffer.get(Buffer.DATA, content, used, got);
            used += got;
        }
        return used;
    }

    // -- repositories --

    /**
     * The path of the info/exclude of the repository whose work tree has its top in a directory. For a linked work tree
     * that is the one of the main repository.
     *
     * @param place of the directory from the descriptor: empty, or a path with a slash at its end
     * @return null if there is no repository
     */
    static byte[] exclude(int directory, byte[] place, Buffer buffer) {
        int errno = examine(directory, join(place, HEAD), buffer);
        if (errno == 0) return join(place, EXCLUDE);
        return errno == ENOTDIR ? linkedExclude(directory, place, buffer) : null;
    }

    /** In a linked work tree or a submodule, .git is a file that names the repository's folder. */
    private static byte[] linkedExclude(int directory, byte[] place, Buffer buffer) {
        byte[] named = line(directory, join(place, LINKED), bytes("gitdir: "), buffer);
        if (named == null) return null;
        byte[] folder = join(resolve(place, named), bytes("/"));
        if (examine(directory, join(folder, bytes("HEAD")), buffer) != 0) return null;
        byte[] common = line(directory, join(folder, bytes("commondir")), NOTHING, buffer);
        if (common == null) return join(folder, bytes("info/exclude"));
        return join(resolve(folder, common), bytes("/info/exclude"));
    }

    private static int examine(int directory, byte[] path, Buffer buffer) {
        if (!write(path, buffer)) return Errno.ENAMETOOLONG.intValue();
        return -Libc.statx(directory, buffer.address, Libc.AT_SYMLINK_NOFOLLOW, buffer.status());
    }

    /** Reads a file of one line. @return the line after its beginning, which has to be `beginning`; otherwise null */
    private static byte[] line(int directory, byte[] path, byte[] beginning, Buffer buffer) {
        int file = open(directory, path, 0, buffer);
        if (file < 0) return null;
        byte[] content = new byte[PATH_MAX];
        int length = fill(file, content, buffer);
        Libc.close(file);
        if (length <= beginning.length || length == content.length) return null;
        while (length > 0 && (content[length - 1] == '\n' || content[length - 1] == '\r')) length--;
        if (length <= beginning.length) return null;
        for (int i = 0; i < beginning.length; i++) {
            if (content[i] != beginning[i]) return null;
        }
        byte[] line = Arrays.copyOfRange(content, beginning.length, length);
        for (byte one : line) {
            if (one == 0) return null;
        }
        return line;
    }

    /** An absolute name replaces the place. */
    private static byte[] resolve(byte[] place, byte[] name) {
        return name[0] == '/' ? name : join(place, name);
    }

    static byte[] join(byte[] place, byte[] name) {
        byte[] path = Arrays.copyOf(place, place.length + name.length);
        System.arraycopy(name, 0, path, place.length, name.length);
        return path;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
