package frugal.rake;

import frugal.binding.Methods;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.internal.runtime.methods.DynamicMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * String#ext and String#pathmap of Rake. Rake's own method is called if the result cannot be computed here: for a
 * block, another number of arguments, a subclass of String, invalid bytes, another encoding, a path into a jar, or
 * after a method that Rake's own calls was redefined.
 */
public final class PathMethods {
    private static Methods calledByExt;
    private static Methods calledByPathmap;
    private static RubyHash programs;

    private PathMethods() {
    }

    /** adopt_extension: replaces Rake's String#ext. */
    @JRubyMethod(name = "adopt_extension")
    public static IRubyObject adoptExtension(ThreadContext context, IRubyObject self) {
        Ruby runtime = context.runtime;
        RubyClass string = runtime.getString();
        calledByExt = new Methods()
            .core(runtime.getArray(), "include?")
            .core(string, "==", "!=", "dup", "=~", "+", "chomp", "<<")
            .core(runtime.getRegexp(), "=~")
            .core(runtime.getFile().getSingletonClass(), "basename", "extname");
        string.addMethod("ext", new Ext(string, string.searchMethod("ext")));
        return context.nil;
    }

    /** adopt_pathmap(programs): replaces Rake's String#pathmap. The Hash returns the program of a spec, or nil. */
    @JRubyMethod(name = "adopt_pathmap")
    public static IRubyObject adoptPathmap(ThreadContext context, IRubyObject self, IRubyObject hash) {
        Ruby runtime = context.runtime;
        RubyClass string = runtime.getString();
        programs = (RubyHash) hash;
        string.addMethod("pathmap", new Pathmap(string, string.searchMethod("pathmap")));
        calledByPathmap = new Methods()
            .core(string, "nil?", "dup", "scan", "===", "<<", "+", "split", "sub")
            .core(runtime.getRegexp(), "===")
            .core(runtime.getRegexp().getSingletonClass(), "new")
            .core(runtime.getArray(), "each")
            .core(runtime.getFile().getSingletonClass(), "basename", "dirname", "extname")
            .keep(string, "pathmap", "pathmap_replace", "ext");
        return context.nil;
    }

    private static final class Ext extends StringMethod {
        private static final ByteList NONE = new ByteList(0);

        Ext(RubyModule owner, DynamicMethod stock) {
            super(owner, "ext", stock);
        }

        @Override
        IRubyObject answer(ThreadContext context, IRubyObject self) {
            return calledByExt.intact() && PathParts.supported(self) ? ext(context, (RubyString) self, NONE) : null;
        }

        @Override
        IRubyObject answer(ThreadContext context, IRubyObject self, IRubyObject extension) {
            if (!calledByExt.intact() || !PathParts.supported(self) || !PathParts.supported(extension)) return null;
            if (!((RubyString) extension).isAsciiOnly()) return null;
            return ext(context, (RubyString) self, ((RubyString) extension).getByteList());
        }

        private static IRubyObject ext(ThreadContext context, RubyString path, ByteList extension) {
            PathParts all = PathParts.of(path);
            if (all.dots()) return null; // Rake returns a copy, with the instance variables of the String
            PathParts stem = all.stem();
            ByteList result = new ByteList(stem.length() + 1 + extension.realSize());
            result.setEncoding(path.getByteList().getEncoding());
            result.append(stem.bytes, stem.begin, stem.length());
            if (extension.realSize() > 0 && extension.get(0) != '.') result.append('.');
            result.append(extension);
            return RubyString.newString(context.runtime, result);
        }
    }

    private static final class Pathmap extends StringMethod {
        Pathmap(RubyModule owner, DynamicMethod stock) {
            super(owner, "pathmap", stock);
        }

        @Override
        IRubyObject answer(ThreadContext context, IRubyObject self) {
            return null;
        }

        @Override
        IRubyObject answer(ThreadContext context, IRubyObject self, IRubyObject spec) {
            if (!calledByExt.intact() || !calledByPathmap.intact()) return null;
            if (!Names.exactString(spec) || !PathParts.supported(self)) return null;
            IRubyObject program = programs.fastARef(spec);
            if (program == null) program = compile(context, spec);
            return program.isNil() ? null : PathMap.run(context, (RubyString) self, (RubyArray<?>) program);
        }

        private static IRubyObject compile(ThreadContext context, IRubyObject spec) {
            synchronized (programs) {
                return programs.op_aref(context, spec);
            }
        }
    }
}
