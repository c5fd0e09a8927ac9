package frugal.walk;

import org.jruby.RubyArray;
import org.jruby.RubyHash;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** The options of a walk: which names it lists, and which directories it enters. Immutable. */
final class Selection {
    /** What happens to a symbolic link to a directory. */
    enum Follow {
        /** It is listed as an entry, and not entered. */
        NEVER,
        /** It is entered, unless it leads to one of the directories above it. */
        PATHS,
        /** It is entered, unless its directory is listed by another path. */
        ONCE
    }

    private static final int MOST_THREADS = 16;
    /** More threads would wait for each other in the kernel's directory cache. */
    private static final int DEFAULT_THREADS = 4;

    final Follow follow;
    /** Names that begin with a dot are listed. */
    final boolean hidden;
    /** Siblings are in byte order. */
    final boolean sort;
    /** Times and sizes are read, too. */
    final boolean stat;
    final boolean gitignore;
    /** The most threads that work. */
    final int threads;
    /** How many bytes are removed from the beginning of each path. */
    final int cut;
    /** Null, or the check for odd names. */
    final GlobNames names;
    private final int depth; // levels below the root; 0: all
    private final byte[] prefix;
    private final byte[][] suffixes; // null: all names
    private final NamePattern[] prune;

    /** @param options the Hash that Frugal::Walk::Options makes; an absent key is nil */
    Selection(ThreadContext context, RubyHash options) {
        this(context, options, null);
    }

    Selection(ThreadContext context, RubyHash options, GlobNames names) {
        this.names = names;
        IRubyObject links = value(context, options, "follow");
        follow = links.isNil() ? Follow.NEVER : links.asJavaString().equals("once") ? Follow.ONCE : Follow.PATHS;
        hidden = value(context, options, "hidden").isTrue();
        sort = value(context, options, "sort").isTrue();
        stat = value(context, options, "stat").isTrue();
        gitignore = value(context, options, "gitignore").isTrue();
        threads = threads(number(value(context, options, "threads")));
        depth = number(value(context, options, "depth"));
        cut = number(value(context, options, "cut"));
        IRubyObject beginning = value(context, options, "prefix");
        prefix = beginning.isNil() ? new byte[0] : beginning.convertToString().getBytes();
        RubyString[] endings = strings(value(context, options, "suffixes"));
        suffixes = endings == null ? null : new byte[endings.length][];
        for (int i = 0; endings != null && i < endings.length; i++) suffixes[i] = endings[i].getBytes();
        RubyString[] patterns = strings(value(context, options, "prune"));
        prune = new NamePattern[patterns == null ? 0 : patterns.length];
        for (int i = 0; i < prune.length; i++) prune[i] = new NamePattern(patterns[i]);
    }

    /** Whether every name is listed that is not hidden. */
    boolean keepsAll() {
        return suffixes == null && prefix.length == 0;
    }

    /** Whether a name is listed. */
    boolean keeps(byte[] names, int from, int length) {
        if (length < prefix.length || !equal(names, from, prefix)) return false;
        if (suffixes == null) return true;
        for (byte[] suffix : suffixes) {
            if (length < prefix.length + suffix.length) continue;
            if (!equal(names, from + length - suffix.length, suffix)) continue;
            if (length > suffix.length || names[from] != '.') return true; // ".c" is a name without an extension
        }
        return false;
    }

    /**
     * Whether an entry is entered, or tried if it is a link.
     *
     * @param type the type of a record of getdents64
     * @param level of the entry: 1 directly below the root
     */
    boolean enters(int type, int level, byte[] names, int from, int length) {
        if (type != Listing.DIRECTORY && (type != Listing.LINK || follow == Follow.NEVER)) return false;
        if (level == depth) return false;
        for (NamePattern pattern : prune) {
            if (pattern.matches(names, from, from + length)) return false;
        }
        return true;
    }

    private static IRubyObject value(ThreadContext context, RubyHash options, String name) {
        return options.op_aref(context, context.runtime.newSymbol(name));
    }

    private static int number(IRubyObject value) {
        return value.isNil() ? 0 : RubyNumeric.num2int(value);
    }

    private static int threads(int wanted) {
        if (wanted > 0) return Math.min(wanted, MOST_THREADS);
        return Math.min(DEFAULT_THREADS, Runtime.getRuntime().availableProcessors());
    }

    /** @return null for nil */
    private static RubyString[] strings(IRubyObject list) {
        if (list.isNil()) return null;
        RubyArray<?> array = list.convertToArray();
        RubyString[] strings = new RubyString[array.size()];
        for (int i = 0; i < strings.length; i++) strings[i] = array.eltOk(i).convertToString();
        return strings;
    }

    /** Whether a text, for which there is room, is at a place. */
    private static boolean equal(byte[] bytes, int from, byte[] text) {
        for (int i = 0; i < text.length; i++) {
            if (bytes[from + i] != text[i]) return false;
        }
        return true;
    }
}
