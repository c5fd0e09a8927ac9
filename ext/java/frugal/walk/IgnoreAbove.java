package frugal.walk;

import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The rules of the repository around the root of a walk, for that directory and all below it. Immutable. */
final class IgnoreAbove {
    /** One file of rules. */
    static final class Level {
        final IgnoreFile file;
        /** The length of the part of a path that its rules do not match. */
        final int base;

        Level(IgnoreFile file, int base) {
            this.file = file;
            this.base = base;
        }
    }

    private static final byte[] NOTHING = {};
    private static final byte[] GITIGNORE = IgnoreFile.bytes(".gitignore");

    /** The path of the root from the repository with a slash at its end; or empty. */
    final byte[] prefix;
    /** The deepest first. */
    final List<Level> levels = new ArrayList<>();
    /** The root itself is ignored. */
    final boolean ignored;

    private IgnoreAbove(byte[] prefix) {
        this.prefix = prefix;
        this.ignored = false;
    }

    /**
     * @param real the path of the root with a slash at its end
     * @param top where the path from the repository begins in it
     */
    private IgnoreAbove(byte[] real, int top, byte[] exclude, Buffer buffer) {
        prefix = Arrays.copyOfRange(real, top, real.length);
        for (int end = real.length; end > top;) {
            end--;
            while (real[end - 1] != '/') end--;
            byte[] path = IgnoreFile.join(Arrays.copyOf(real, end), GITIGNORE);
            levels.add(new Level(IgnoreFile.read(Libc.AT_FDCWD, path, false, buffer), end - top));
        }
        levels.add(new Level(IgnoreFile.read(Libc.AT_FDCWD, exclude, true, buffer), 0));
        ignored = belowIgnored();
    }

    /**
     * Finds the nearest repository around an open directory, and reads its rules above that directory.
     *
     * @return null if the directory has no absolute path
     */
    static IgnoreAbove find(int directory, Buffer buffer) {
        // If the root itself is a repository, its rules are read when it is listed.
        if (IgnoreFile.exclude(directory, NOTHING, buffer) != null) return new IgnoreAbove(NOTHING);
        byte[] real = realPath(directory, buffer);
        if (real == null) return null;
        for (int top = real.length; top > 1;) {
            top--;
            while (real[top - 1] != '/') top--;
            byte[] exclude = IgnoreFile.exclude(Libc.AT_FDCWD, Arrays.copyOf(real, top), buffer);
            if (exclude != null) return new IgnoreAbove(real, top, exclude, buffer);
        }
        return new IgnoreAbove(NOTHING);
    }

    /** Whether the rules are the same. */
    @Override
    public boolean equals(Object object) {
        if (!(object instanceof IgnoreAbove)) return false;
        IgnoreAbove other = (IgnoreAbove) object;
        boolean same = levels.size() == other.levels.size() && Arrays.equals(prefix, other.prefix);
        for (int i = 0; same && i < levels.size(); i++) {
            same = IgnoreFile.same(levels.get(i).file, other.levels.get(i).file);
        }
        return same;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(prefix);
    }

    /** The absolute path of a directory, with a slash at its end. */
    private static byte[] realPath(int directory, Buffer buffer) {
        byte[] link = IgnoreFile.bytes("/proc/self/fd/" + directory + "\0");
        buffer.put(0, link, 0, link.length);
        int length = Libc.readlink(buffer.address, buffer.data(), Buffer.DATA_ROOM);
        if (length <= 0 || buffer.bytes.get(Buffer.DATA) != '/') return null;
        byte[] path = new byte[length + 1];
        buffer.get(Buffer.DATA, path, 0, length);
        path[length] = '/';
        return length == 1 ? Arrays.copyOf(path, 1) : path;
    }

    /** Whether the root, or a directory between it and its repository, is ignored. */
    private boolean belowIgnored() {
        int from = 0;
        for (int end = 0; end < prefix.length; end++) {
            if (prefix[end] != '/') continue;
            IgnoreRules.Verdict verdict = null;
            for (Level level : levels) {
                if (verdict != null || level.file.rules == null || level.base > from) continue;
                verdict = level.file.rules.match(prefix, level.base, from, end, true);
            }
            if (verdict == IgnoreRules.Verdict.EXCLUDED) return true;
            from = end + 1;
        }
        return false;
    }
}
