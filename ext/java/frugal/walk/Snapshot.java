package frugal.walk;

import frugal.binding.Engine;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import java.util.HashMap;
import java.util.Map;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyFile;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Frugal::Native::Java::TreeSnapshot: remembers a tree, and finds the paths that were added to it or removed from it.
 * The contract is that of lib/frugal/native/pure/tree_snapshot.rb. One thread at a time uses it.
 */
public final class Snapshot extends Listed {
    private int number;

    private Snapshot(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    static void define(Ruby runtime, RubyModule module) {
        RubyClass type =
            module.defineClassUnder("TreeSnapshot", runtime.getObject(), ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        type.defineAnnotatedMethods(Listed.class);
        type.defineAnnotatedMethods(Snapshot.class);
    }

    /** TreeSnapshot.take(path, options): a TreeSnapshot, an empty one if there is no such directory. */
    @JRubyMethod(meta = true)
    public static IRubyObject take(ThreadContext context, IRubyObject self, IRubyObject path, IRubyObject options) {
        Snapshot snapshot = new Snapshot(context.runtime, (RubyClass) self);
        snapshot.selection = new Selection(context, (RubyHash) options);
        snapshot.path = (RubyString) RubyFile.get_path(context, path).dup();
        snapshot.paths = new PathStrings(context.runtime, snapshot.path.getByteList(), snapshot.selection.cut);
        snapshot.root = new Node(null, 0, false);
        if (snapshot.examine(context, false) != null) return snapshot;
        return context.runtime.getClassFromPath("Frugal::Native::Pure::TreeSnapshot")
            .callMethod(context, "take", new IRubyObject[] {path, options});
    }

    /** refresh: the added and the removed paths, in no order. An exception leaves the snapshot as it was. */
    @JRubyMethod
    public IRubyObject refresh(ThreadContext context) {
        IRubyObject changes = examine(context, true);
        if (changes != null) return changes;
        throw context.runtime.newRuntimeError("frugal: the path of this snapshot is no longer one of the file system");
    }

    /** @return null for a path that only JRuby can use */
    private IRubyObject examine(ThreadContext context, boolean reports) {
        Refresh refresh = new Refresh(selection, root);
        try {
            IgnoreAbove now = above;
            Buffer buffer = Buffers.take();
            try {
                if (!Engine.instance.paths.write(path, buffer)) return null;
                int errno = refresh.open(buffer);
                if (errno != 0 && !Engine.missing(errno)) throw Engine.instance.fault(context, errno, path);
                if (errno == 0 && selection.gitignore) {
                    now = IgnoreAbove.find(refresh.descriptor(), buffer);
                    if (now == null) return null;
                }
            } finally {
                Buffers.give(buffer);
            }
            if (refresh.descriptor() < 0) refresh.missing();
            else refresh.run(context, above, now);
            return keep(context, refresh, now, reports);
        } finally {
            refresh.close();
        }
    }

    private IRubyObject keep(ThreadContext context, Refresh refresh, IgnoreAbove now, boolean reports) {
        judge(context, refresh);
        Changes changes = new Changes(context, paths, refresh.relisted, ++number);
        IRubyObject found = reports ? changes.compare() : context.nil;
        changes.keep();
        above = now;
        if (entries == null || !refresh.relisted.isEmpty()) entries = new Entries(root, paths);
        return found;
    }

    /** Decides which new stamps are reliable. The kind of times of a file system is determined once per refresh. */
    private static void judge(ThreadContext context, Refresh refresh) {
        Map<Long, Boolean> ticks = new HashMap<>();
        NodeStack stack = new NodeStack();
        for (Refresh.Relisted one : refresh.relisted) stack.push(one.node);
        while (!stack.isEmpty()) {
            Node node = stack.pop();
            if (node.stamp != null) node.stamp.judge(ticks(context, ticks, node.stamp) && node.error == 0);
            IgnoreFile file = node.rules == null ? null : node.rules.file;
            if (file != null && file.stamp != null) file.stamp.judge(ticks(context, ticks, file.stamp));
            for (Node child : node.children) stack.push(child);
        }
    }

    private static boolean ticks(ThreadContext context, Map<Long, Boolean> known, Stamp stamp) {
        Boolean ticks = known.get(stamp.device);
        if (ticks == null) {
            RubyModule times = context.runtime.getClassFromPath("Frugal::Native::Pure::FileTimes");
            IRubyObject[] device = {context.runtime.newString("/"), context.runtime.newFixnum(stamp.device)};
            ticks = times.callMethod(context, "ticks_at?", device).isTrue();
            known.put(stamp.device, ticks);
        }
        return ticks;
    }
}
