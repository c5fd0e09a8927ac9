package frugal.probe;

import org.jruby.RubyArray;
import org.jruby.RubyModule;
import org.jruby.anno.JRubyMethod;
import org.jruby.internal.runtime.methods.DynamicMethod;
import org.jruby.runtime.PositionAware;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** The methods that drop-ins use in addition to the probes. */
public final class Upstream {
    /** Methods of JRuby that are written in Ruby. */
    private static final String KERNEL = "uri:classloader:/jruby/kernel/";

    private Upstream() {
    }

    @JRubyMethod
    public static IRubyObject binread(ThreadContext context, IRubyObject self, IRubyObject path) {
        return Contents.content(context, path, true);
    }

    /** Whether methods are Ruby's own: written in Java, or in a Ruby file that is a part of JRuby. */
    @JRubyMethod(name = "core?", required = 1, rest = true)
    public static IRubyObject core(ThreadContext context, IRubyObject self, IRubyObject[] args) {
        RubyModule owner = (RubyModule) args[0];
        for (int i = 1; i < args.length; i++) {
            DynamicMethod method = owner.searchMethod(args[i].asJavaString());
            if (method.isUndefined()) return context.fals;
            DynamicMethod real = method.getRealMethod();
            String file = real instanceof PositionAware ? ((PositionAware) real).getFile() : null;
            if (file != null && !file.startsWith(KERNEL) && !file.startsWith("<internal:")) return context.fals;
        }
        return context.tru;
    }

    /** Whether a class still has these methods. Raises NameError for a removed method. */
    @JRubyMethod(name = "same?")
    public static IRubyObject same(
        ThreadContext context, IRubyObject self, IRubyObject type, IRubyObject names, IRubyObject methods) {
        for (int i = 0; i < ((RubyArray<?>) names).size(); i++) {
            IRubyObject method = ((RubyModule) type).instance_method(((RubyArray<?>) names).eltOk(i));
            if (!method.op_equal(context, ((RubyArray<?>) methods).eltOk(i)).isTrue()) return context.fals;
        }
        return context.tru;
    }

    /** Whether an object is an instance of the class itself and has no singleton class. */
    @JRubyMethod(name = "direct?")
    public static IRubyObject direct(ThreadContext context, IRubyObject self, IRubyObject object, IRubyObject type) {
        return object.getMetaClass() == type ? context.tru : context.fals;
    }
}
