package frugal.walk;

import frugal.walk.IgnoreRules.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rules that apply to the names of one directory. A node has only its own rules: those of the directories above it
 * are collected once, before its names are matched. Each worker has one.
 */
final class IgnoreLevels {
    /** The rules in a directory itself. */
    static final class Own {
        /** Its .gitignore, or null. */
        IgnoreFile file;
        /** The info/exclude of the repository in this directory, or null if there is no repository. */
        IgnoreFile exclude;
        /** Whether there is a .git, which is or may become a repository. */
        final boolean hasGit;

        Own(boolean hasGit) {
            this.hasGit = hasGit;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Own && IgnoreFile.same(file, ((Own) other).file) &&
                IgnoreFile.same(exclude, ((Own) other).exclude);
        }

        @Override
        public int hashCode() {
            return 0; // it is not a key
        }
    }

    private static final int NAME_MAX = 255;

    private final IgnoreAbove above;
    private final List<IgnoreRules> rules = new ArrayList<>(); // the deepest first, …
    private int[] bases = new int[8]; // … and where the part of the path begins that they match
    private byte[] path = new byte[1024]; // of the directory from the repository, with a slash; then room for a name
    private int length;
    private boolean ignored;

    IgnoreLevels(IgnoreAbove above) {
        this.above = above;
    }

    /** Collects the rules for a directory. @return false if there are none */
    boolean collect(Node node) {
        int size = 0;
        Node top = node;
        for (; top.parent != null && !repository(top); top = top.parent) size += top.nameLength() + 1;
        boolean outer = !repository(top);
        length = size + (outer ? above.prefix.length : 0);
        ignored = outer && above.ignored;
        rules.clear();
        addBetween(node, top);
        if (!outer) {
            add(top.rules.exclude, 0);
        } else {
            for (IgnoreAbove.Level level : above.levels) add(level.file, level.base);
        }
        if (!rules.isEmpty()) write(node, top);
        return ignored || !rules.isEmpty();
    }

    private static boolean repository(Node node) {
        return node.rules != null && node.rules.exclude != null;
    }

    private void addBetween(Node node, Node top) {
        int base = length;
        for (Node one = node;; one = one.parent) {
            if (one.rules != null) add(one.rules.file, base);
            if (one == top) return;
            base -= one.nameLength() + 1;
        }
    }

    private void add(IgnoreFile file, int base) {
        if (file == null || file.rules == null) return;
        if (rules.size() == bases.length) bases = Arrays.copyOf(bases, 2 * bases.length);
        bases[rules.size()] = base;
        rules.add(file.rules);
    }

    private void write(Node node, Node top) {
        if (path.length < length + NAME_MAX) path = new byte[2 * (length + NAME_MAX)];
        int at = length;
        for (Node one = node; one != top; one = one.parent) {
            path[--at] = '/';
            at -= one.nameLength();
            one.copyName(path, at);
        }
        System.arraycopy(above.prefix, 0, path, 0, at);
    }

    /** Whether a name of the directory is ignored. */
    boolean ignores(byte[] names, int from, int size, boolean directory) {
        if (ignored) return true;
        if (path.length < length + size) path = Arrays.copyOf(path, 2 * (length + size)); // for an unusually long name
        System.arraycopy(names, from, path, length, size);
        for (int i = 0; i < rules.size(); i++) {
            Verdict verdict = rules.get(i).match(path, bases[i], length, length + size, directory);
            if (verdict != null) return verdict == Verdict.EXCLUDED;
        }
        return false;
    }
}
