package frugal;

import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** The methods that drop-ins use in addition to the probes. */
public final class Upstream {
    private Upstream() {
    }

    @JRubyMethod
    public static IRubyObject binread(ThreadContext context, IRubyObject self, IRubyObject path) {
        return Contents.content(context, path, true);
    }

    /** Whether an object is an instance of the class itself and has no singleton class. */
    @JRubyMethod(name = "direct?")
    public static IRubyObject direct(ThreadContext context, IRubyObject self, IRubyObject object, IRubyObject type) {
        return object.getMetaClass() == type ? context.tru : context.fals;
    }
}
