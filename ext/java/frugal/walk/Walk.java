package frugal.walk;

import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import java.util.Collections;
import jnr.constants.platform.Errno;
import org.jruby.runtime.ThreadContext;

/**
 * A tree of directories, listed by several threads. The result does not depend on their number. In reading order:
 *
 * <ul>
 *   <li>Tree: the class of Ruby; Listed: its methods that read; Selection: its options
 *   <li>Entries, PathStrings, Failures: the results as objects of Ruby
 *   <li>Workers, Helpers, NodeStack: the threads
 *   <li>Descriptors, Links: which directory is opened, and how; Identities: the visited directories
 *   <li>Listing, Sorter: one directory; Node: its entries; Cursor: all entries in the order of the walk
 *   <li>IgnoreLevels: what git ignores in a directory; IgnoreAbove: the rules above the root; IgnoreFile, IgnoreRules,
 *       IgnoreCompiler, IgnoreProgram: a .gitignore and its patterns
 *   <li>Snapshot: the class of Ruby that finds changes; Refresh: which directories have changed; Changes: which paths;
 *       Stamp: how a change is noticed
 *   <li>Glob, GlobNames: what Dir.glob of JRuby lists; FindLibrary, FindWalk: the walk of Find
 * </ul>
 */
final class Walk implements Workers.Task {
    private static final int ENOENT = Errno.ENOENT.intValue();
    private static final int ENOTDIR = Errno.ENOTDIR.intValue();
    private static final int ELOOP = Errno.ELOOP.intValue();

    final Selection selection;
    final Node root = new Node(null, 0, false);
    final Workers workers;
    private final Descriptors descriptors = new Descriptors();
    private final Links links;
    private volatile Stream stream;
    /** Null: nothing is ignored. */
    private IgnoreAbove above;

    Walk(Selection selection) {
        this.selection = selection;
        this.workers = new Workers(selection.threads, this);
        this.links = new Links(selection.follow);
    }

    /** Opens the root, whose path is in a buffer. @return 0, or an errno */
    int open(Buffer buffer) {
        return descriptors.openRoot(buffer);
    }

    /** Finds the rules of git above the root. @return false if the root has no absolute path */
    boolean openRules(Buffer buffer) {
        above = IgnoreAbove.find(descriptors.root(), buffer);
        return above != null;
    }

    /** Lists everything: first all real directories, then the links that wait. Throws for an event of the thread. */
    void run(ThreadContext host) {
        workers.run(Collections.singletonList(root), host);
        if (selection.follow != Selection.Follow.ONCE) return;
        links.gather(root);
        for (Node link = links.next(); link != null; link = links.next()) {
            workers.run(Collections.singletonList(link), host);
            if (link.entered) links.gather(link);
        }
    }

    /** Lists on other threads, while the calling one takes what is listed. Not for Follow.ONCE. */
    Stream stream() {
        return stream = new Stream(workers);
    }

    /** Closes all descriptors. The lists stay. */
    void close() {
        descriptors.close(Collections.singletonList(root));
    }

    IgnoreAbove above() {
        return above;
    }

    @Override
    public Listing listing() {
        return new Listing(selection, above);
    }

    @Override
    public void enter(Node node, NodeStack stack, Listing listing) {
        int descriptor = descriptors.open(node, listing.buffer);
        if (descriptor < 0) {
            if (!node.link || !noDirectory(-descriptor)) node.error = -descriptor;
            return;
        }
        int before = stack.size();
        boolean listed = false;
        try {
            if (!links.shouldList(node, descriptor, listing.buffer)) return;
            node.entered = true;
            listing.list(node, descriptor);
            pushChildren(node, stack);
            listed = true;
        } finally {
            if (!listed && node.parent != null) Libc.close(descriptor);
        }
        descriptors.keepOrClose(node, descriptor, stack.size() - before);
        if (stream != null && node.count() > 0) stream.add(node);
    }

    /** A link may lead to a file, or nowhere: that is not an error. */
    private static boolean noDirectory(int errno) {
        return errno == ENOTDIR || errno == ENOENT || errno == ELOOP;
    }

    /** Pushes in reverse order, so the first is on top. */
    private void pushChildren(Node node, NodeStack stack) {
        for (int i = node.children.length; i-- > 0;) {
            if (!links.wait(node.children[i])) stack.push(node.children[i]);
        }
    }
}
