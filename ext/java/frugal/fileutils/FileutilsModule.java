package frugal.fileutils;

import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyFile;
import org.jruby.RubyModule;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Creates, removes and copies trees for the drop-in of FileUtils, the twin of ext/frugal/fileutils.c and
 * ext/frugal/core/fileutils. None of the methods raises an error of the file system: where one fails, FileUtils itself
 * continues and raises the error. In reading order:
 *
 * <ul>
 *   <li>Reach: for which paths and names JRuby's own methods find the same file as the kernel
 *   <li>Chain: a directory and its parents; Removal: removes a tree; TreeCopy: copies one, FileCopy: a file
 *   <li>Level: an open directory of these
 * </ul>
 */
public final class FileutilsModule {
    private FileutilsModule() {
    }

    /** Defines the methods and the class in the engine. Only where {@link Libc#changesTrees}. */
    public static void define(Ruby runtime, RubyModule engine) {
        engine.getSingletonClass().defineAnnotatedMethods(FileutilsModule.class);
        engine.defineClassUnder("TreeCopy", runtime.getObject(), TreeCopy::new)
            .defineAnnotatedMethods(TreeCopy.class);
    }

    /**
     * stock_path?(path): whether only JRuby's own methods may use a path: one that is not in the file system, that they
     * decode to another path, or whose ".." they resolve without the kernel.
     */
    @JRubyMethod(name = "stock_path?")
    public static IRubyObject stockPath(ThreadContext context, IRubyObject self, IRubyObject path) {
        return Reach.path(RubyFile.get_path(context, path)) == null ? context.tru : context.fals;
    }

    /**
     * make_directories(path, mode or nil): whether the directory and all above it now exist. The path did not exist.
     */
    @JRubyMethod(name = "make_directories")
    public static IRubyObject makeDirectories(ThreadContext context, IRubyObject self, IRubyObject path,
                                              IRubyObject mode) {
        byte[] whole = Reach.path(RubyFile.get_path(context, path));
        if (whole == null || whole.length >= Buffer.PATH_ROOM) return context.fals;
        Chain chain = new Chain(whole, mode.isNil() ? 0777 : RubyNumeric.num2int(mode), !mode.isNil());
        return chain.make() ? context.tru : context.fals;
    }

    /** unlink(path): 1, as File.unlink returns, or nil if it fails. JRuby takes "file/" for the file. */
    @JRubyMethod
    public static IRubyObject unlink(ThreadContext context, IRubyObject self, IRubyObject path) {
        byte[] whole = Reach.path(RubyFile.get_path(context, path));
        if (whole == null || whole.length >= Buffer.PATH_ROOM) return context.nil;
        Buffer buffer = Buffers.take();
        try {
            buffer.putName(whole, 0, Reach.withoutSlashes(whole));
            int result = Libc.unlinkat(Libc.AT_FDCWD, buffer.address, 0);
            return result == 0 ? context.runtime.newFixnum(1) : context.nil;
        } finally {
            Buffers.give(buffer);
        }
    }

    /**
     * remove_tree(path, force, skip, names): 1 for a file, 0 for a directory, nil if the root still exists; false
     * where FileUtils has to continue. The thread's events end it.
     *
     * <p>`skip`: with `force`, a directory that cannot be read stays, and the rest is removed. `names`: nil, or an
     * Array to which the names in a directory are added, and which is then the result.
     */
    @JRubyMethod(name = "remove_tree", required = 4)
    public static IRubyObject removeTree(ThreadContext context, IRubyObject self, IRubyObject[] arguments) {
        RubyString path = RubyFile.get_path(context, arguments[0]);
        byte[] whole = Reach.path(path);
        if (whole == null || whole.length >= Buffer.PATH_ROOM) return context.fals;
        Removal removal =
            new Removal(whole, new Reach(path.getEncoding()), arguments[1].isTrue(), arguments[2].isTrue());
        Removal.Kind removed;
        try {
            removed = removal.run(context);
        } finally {
            removal.close();
        }
        IRubyObject names = arguments[3];
        boolean listed = !names.isNil() && removal.addNames(context.runtime, (RubyArray<?>) names);
        if (removed == null) return context.fals;
        if (listed) return names;
        switch (removed) {
            case FILE: return context.runtime.newFixnum(1);
            case DIRECTORY: return context.runtime.newFixnum(0);
            default: return context.nil;
        }
    }
}
