package frugal.rake;

import org.jruby.RubyModule;
import org.jruby.internal.runtime.methods.DynamicMethod;
import org.jruby.internal.runtime.methods.IRMethodArgs;
import org.jruby.runtime.ArgumentDescriptor;
import org.jruby.runtime.Block;
import org.jruby.runtime.PositionAware;
import org.jruby.runtime.Signature;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * A method of String that answers some calls itself, and passes all others to the method that it has replaced. It has
 * no frame in a backtrace, because it is not bound by an annotation. Its arity and parameters are those of the replaced
 * method.
 */
abstract class StringMethod extends DynamicMethod implements IRMethodArgs, PositionAware, Cloneable {
    private final DynamicMethod stock;

    StringMethod(RubyModule owner, String name, DynamicMethod stock) {
        super(owner, Visibility.PUBLIC, name);
        this.stock = stock;
    }

    /** @return null if the replaced method has to answer */
    abstract IRubyObject answer(ThreadContext context, IRubyObject self);

    abstract IRubyObject answer(ThreadContext context, IRubyObject self, IRubyObject argument);

    @Override
    public IRubyObject call(ThreadContext context, IRubyObject self, RubyModule type, String name,
                            IRubyObject[] arguments, Block block) {
        if (!block.isGiven()) {
            if (arguments.length == 0) return call(context, self, type, name);
            if (arguments.length == 1) return call(context, self, type, name, arguments[0]);
        }
        return stock.call(context, self, type, name, arguments, block);
    }

    @Override
    public IRubyObject call(ThreadContext context, IRubyObject self, RubyModule type, String name) {
        IRubyObject answer = answer(context, self);
        return answer == null ? stock.call(context, self, type, name) : noted(context, answer);
    }

    @Override
    public IRubyObject call(ThreadContext context, IRubyObject self, RubyModule type, String name,
                            IRubyObject argument) {
        IRubyObject answer = answer(context, self, argument);
        return answer == null ? stock.call(context, self, type, name, argument) : noted(context, answer);
    }

    /** Resets how this method was called (with a splat, for example): otherwise the next method would get this. */
    private static IRubyObject noted(ThreadContext context, IRubyObject answer) {
        context.callInfo = 0;
        return answer;
    }

    @Override
    public DynamicMethod dup() {
        try {
            return (DynamicMethod) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Signature getSignature() {
        return stock.getSignature();
    }

    @Override
    public ArgumentDescriptor[] getArgumentDescriptors() {
        return stock instanceof IRMethodArgs ? ((IRMethodArgs) stock).getArgumentDescriptors()
            : new ArgumentDescriptor[0];
    }

    @Override
    public void setRuby2Keywords() {
        stock.setRuby2Keywords();
    }

    @Override
    public String getFile() {
        return stock instanceof PositionAware ? ((PositionAware) stock).getFile() : null;
    }

    @Override
    public int getLine() {
        return stock instanceof PositionAware ? ((PositionAware) stock).getLine() : -1;
    }
}
