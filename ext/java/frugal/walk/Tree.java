package frugal.walk;

import frugal.Buffers;
import frugal.Buffers.Buffer;
import frugal.Engine;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyFile;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Frugal::Native::Java::Tree: lists everything below a directory, a directory before its entries. Strings are made
 * only for the paths that a caller reads. The contract is that of lib/frugal/native/pure/tree.rb.
 */
public final class Tree extends RubyObject {
    private transient Walk walk;
    private transient PathStrings paths;
    private transient Entries entries;
    private RubyString root;

    private Tree(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Defines the class. */
    public static void define(Ruby runtime, RubyModule module) {
        RubyClass tree = module.defineClassUnder("Tree", runtime.getObject(), ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        tree.defineAnnotatedMethods(Tree.class);
    }

    // -- listing --

    /** Tree.list(path, options): a Tree, or nil for a miss. */
    @JRubyMethod(meta = true)
    public static IRubyObject list(ThreadContext context, IRubyObject self, IRubyObject path, IRubyObject options) {
        Tree tree = new Tree(context.runtime, (RubyClass) self);
        IRubyObject instead = tree.open(context, path, (RubyHash) options);
        if (instead == STOCK) return pure(context).callMethod(context, "list", new IRubyObject[] {path, options});
        if (instead != tree) return instead;
        try {
            tree.walk.run(context);
        } finally {
            tree.walk.close();
        }
        tree.entries = new Entries(tree.walk.root, tree.paths);
        return tree;
    }

    /** Tree.stream(path, options) { |paths| }: as list, and yields the paths of each directory when it is listed. */
    @JRubyMethod(meta = true)
    public static IRubyObject stream(ThreadContext context, IRubyObject self, IRubyObject path, IRubyObject options,
                                     Block block) {
        Tree tree = new Tree(context.runtime, (RubyClass) self);
        IRubyObject instead = tree.open(context, path, (RubyHash) options);
        if (instead == STOCK) {
            return pure(context).callMethod(context, "stream", new IRubyObject[] {path, options}, block);
        }
        if (instead != tree) return instead;
        try {
            tree.yieldEach(context, block);
        } finally {
            tree.walk.workers.cancel();
            tree.walk.workers.join();
            tree.walk.close();
        }
        tree.entries = new Entries(tree.walk.root, tree.paths);
        return tree;
    }

    /** What {@link #open} returns for a path that is not one for the kernel. */
    private static final IRubyObject STOCK = null;

    /** @return this tree with an open root, nil for a miss, or STOCK */
    private IRubyObject open(ThreadContext context, IRubyObject path, RubyHash options) {
        Selection selection = new Selection(context, options);
        root = RubyFile.get_path(context, path);
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(root, buffer)) return STOCK;
            walk = new Walk(selection);
            int errno = walk.open(buffer);
            if (Engine.missing(errno)) return context.nil;
            if (errno != 0) throw Engine.instance.fault(context, errno, root);
            if (selection.gitignore && !walk.openRules(buffer)) {
                walk.close();
                return STOCK;
            }
        } finally {
            Buffers.give(buffer);
        }
        paths = new PathStrings(context.runtime, root.getByteList(), selection.cut);
        return this;
    }

    private static IRubyObject pure(ThreadContext context) {
        return context.runtime.getClassFromPath("Frugal::Native::Pure::Tree");
    }

    private void yieldEach(ThreadContext context, Block block) {
        Stream stream = walk.stream();
        if (!walk.workers.start(walk.root)) {
            throw context.runtime.newThreadError("frugal: cannot create a thread for the walk");
        }
        for (Node node = stream.take(context); node != null; node = stream.take(context)) {
            RubyArray<?> listed = listed(context, node);
            if (!listed.isEmpty()) block.yield(context, listed);
        }
        walk.workers.check();
    }

    private RubyArray<?> listed(ThreadContext context, Node node) {
        byte[] beginning = paths.beginning(node);
        RubyArray<?> listed = RubyArray.newArray(context.runtime, node.count());
        for (int i = 0; i < node.count(); i++) {
            if (node.kept(i)) listed.append(paths.path(context, beginning, node, i));
        }
        return listed;
    }

    // -- what was listed --

    @JRubyMethod
    public IRubyObject size(ThreadContext context) {
        return context.runtime.newFixnum(entries.size());
    }

    /** at(index): a String. Raises IndexError for an index out of range. */
    @JRubyMethod
    public IRubyObject at(ThreadContext context, IRubyObject index) {
        long at = index.convertToInteger().getLongValue();
        if (at >= 0 && at < entries.size()) return entries.path(context, (int) at);
        throw context.runtime.newIndexError("frugal: no entry " + at + " of " + entries.size());
    }

    @Override
    @JRubyMethod
    public RubyArray<?> to_a(ThreadContext context) {
        return entries.paths(context, walk.selection.threads);
    }

    /** column(:mtime or :size): an Array of Integers, parallel to the paths: nanoseconds since 1970, or bytes. */
    @JRubyMethod
    public IRubyObject column(ThreadContext context, IRubyObject name) {
        boolean sizes = name.asJavaString().equals("size");
        RubyArray<?> values = RubyArray.newArray(context.runtime, entries.size());
        for (Cursor cursor = new Cursor(walk.root, false); cursor.next();) {
            long[] column = sizes ? cursor.node().sizes : cursor.node().mtimes;
            values.append(context.runtime.newFixnum(column[cursor.entry()]));
        }
        return values;
    }

    /** failures: an Array of path and errno: directories that could not be listed completely, and files of rules. */
    @JRubyMethod
    public IRubyObject failures(ThreadContext context) {
        return new Failures(context, walk, paths, root).list();
    }

    /** longest: the length in bytes of the longest path of a directory that the walk enters. */
    @JRubyMethod
    public IRubyObject longest(ThreadContext context) {
        int longest = paths.length(walk.root);
        for (Cursor cursor = new Cursor(walk.root, true); cursor.next();) {
            if (cursor.child() != null) longest = Math.max(longest, paths.length(cursor.child()));
        }
        return context.runtime.newFixnum(longest);
    }
}
