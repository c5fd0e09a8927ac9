package frugal.walk;

import frugal.binding.Engine;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyFile;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Frugal::Native::Java::Tree: lists everything below a directory, a directory before its entries. Strings are made
 * only for the paths that a caller reads. The contract is that of lib/frugal/native/pure/tree.rb.
 */
public final class Tree extends Listed {
    /** What {@link #open} returns for a path that only JRuby can use. */
    private static final IRubyObject STOCK = null;

    private transient Walk walk;

    private Tree(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Defines the classes of the walk. */
    public static void define(Ruby runtime, RubyModule module) {
        RubyClass tree =
            module.defineClassUnder("Tree", runtime.getObject(), ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        tree.defineAnnotatedMethods(Listed.class);
        tree.defineAnnotatedMethods(Tree.class);
        if (Glob.UTF8) tree.defineAnnotatedMethods(Glob.class);
        Snapshot.define(runtime, module);
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
        tree.entries = new Entries(tree.root, tree.paths);
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
        tree.entries = new Entries(tree.root, tree.paths);
        return tree;
    }

    /** @return this tree with an open root, nil for a miss, or STOCK */
    private IRubyObject open(ThreadContext context, IRubyObject given, RubyHash options) {
        selection = new Selection(context, options);
        path = RubyFile.get_path(context, given);
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(path, buffer)) return STOCK;
            walk = new Walk(selection);
            int errno = walk.open(buffer);
            if (Engine.missing(errno)) return context.nil;
            if (errno != 0) throw Engine.instance.fault(context, errno, path);
            if (selection.gitignore && !walk.openRules(buffer)) {
                walk.close();
                return STOCK;
            }
        } finally {
            Buffers.give(buffer);
        }
        root = walk.root;
        above = walk.above();
        paths = new PathStrings(context.runtime, path.getByteList(), selection.cut);
        return this;
    }

    private static IRubyObject pure(ThreadContext context) {
        return context.runtime.getClassFromPath("Frugal::Native::Pure::Tree");
    }

    private void yieldEach(ThreadContext context, Block block) {
        Stream stream = walk.stream();
        if (!walk.workers.start(root)) {
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

    /** column(:mtime or :size): an Array of Integers, parallel to the paths: nanoseconds since 1970, or bytes. */
    @JRubyMethod
    public IRubyObject column(ThreadContext context, IRubyObject name) {
        boolean sizes = name.asJavaString().equals("size");
        RubyArray<?> values = RubyArray.newArray(context.runtime, entries.size());
        for (Cursor cursor = new Cursor(root, false); cursor.next();) {
            long[] column = sizes ? cursor.node().sizes : cursor.node().mtimes;
            values.append(context.runtime.newFixnum(column[cursor.entry()]));
        }
        return values;
    }
}
