package frugal.fileutils;

import frugal.system.Buffers.Buffer;
import frugal.system.Libc;

/** The source and the target of one entry: descriptors of their directories, and names. */
final class Place {
    final int from;
    final int to;
    /** The target's directory is new, so the name cannot exist there. */
    final boolean fresh;
    private final Level level; // with the name; null: the paths of the roots
    private final byte[] source;
    private final byte[] target;

    /** The roots. */
    Place(byte[] source, byte[] target) {
        this.from = Libc.AT_FDCWD;
        this.to = Libc.AT_FDCWD;
        this.fresh = false;
        this.level = null;
        this.source = source;
        this.target = target;
    }

    /** The current entry of a level. */
    Place(Level level, int target, boolean fresh) {
        this.from = level.descriptor;
        this.to = target;
        this.fresh = fresh;
        this.level = level;
        this.source = null;
        this.target = null;
    }

    void putSource(Buffer buffer) {
        put(buffer, source);
    }

    void putTarget(Buffer buffer) {
        put(buffer, target);
    }

    private void put(Buffer buffer, byte[] root) {
        if (level == null) buffer.putName(root, 0, root.length);
        else buffer.putName(level.bytes, level.from(), level.length());
    }
}
