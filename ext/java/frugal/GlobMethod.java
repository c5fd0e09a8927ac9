package frugal;

import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyBoolean;
import org.jruby.RubyFixnum;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.internal.runtime.methods.DynamicMethod;
import org.jruby.internal.runtime.methods.JavaMethod;
import org.jruby.internal.runtime.methods.MethodArgs2;
import org.jruby.runtime.Arity;
import org.jruby.runtime.Block;
import org.jruby.runtime.Signature;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Dir.glob or Dir[] with the drop-in: asks Frugal::Dropin::Dir for a pattern with "**&#47;", and calls JRuby's own
 * method for all others, and for arguments that are not as in {@link #request}.
 *
 * <p>Ruby code does not see this method: Method#parameters, #arity and #source_location are those of JRuby's own
 * method, and the backtrace of an error has no line for it.
 *
 * <p>Cost: no system call and no object for a pattern without "**&#47;".
 */
final class GlobMethod extends JavaMethod.JavaMethodNBlock {
    private final DynamicMethod stock;
    private final RubyModule dropIn;
    /** Dir[] takes several patterns, and no flags. */
    private final boolean several;

    GlobMethod(RubyModule owner, String name, DynamicMethod stock, RubyModule dropIn) {
        super(owner, Visibility.PUBLIC, name);
        this.stock = stock;
        this.dropIn = dropIn;
        this.several = name.equals("[]");
        if (stock instanceof MethodArgs2) setParameterList(((MethodArgs2) stock).getParameterList());
        // The backtrace of a block that glob calls has a line for glob, as with JRuby's own method.
        owner.getRuntime().addBoundMethod(GlobMethod.class.getName(), "yieldEach", "glob");
    }

    /** What a call asks for. */
    private static final class Request {
        IRubyObject patterns;
        IRubyObject flags;
        IRubyObject base;
        IRubyObject sort;
    }

    @Override
    public Arity getArity() {
        return stock.getArity();
    }

    @Override
    public Signature getSignature() {
        return stock.getSignature();
    }

    @Override
    public IRubyObject call(ThreadContext context, IRubyObject self, RubyModule type, String name, IRubyObject[] args,
                            Block block) {
        int callInfo = ThreadContext.resetCallInfo(context);
        Request request = deep(args) ? request(context.runtime, args) : null;
        IRubyObject parts = request == null ? context.nil : dropIn.callMethod(context, "answer",
            new IRubyObject[] {request.patterns, request.flags, request.base, request.sort});
        if (parts.isNil()) {
            context.callInfo = callInfo;
            return stock.call(context, self, type, name, args, block);
        }
        RubyArray<?> paths = join(context, (RubyArray<?>) parts, self, type, name, args);
        if (several || !block.isGiven()) return paths;
        yieldEach(context, paths, block);
        return context.nil;
    }

    private static void yieldEach(ThreadContext context, RubyArray<?> paths, Block block) {
        for (int i = 0; i < paths.size(); i++) block.yield(context, paths.eltOk(i));
    }

    /** JRuby's own method lists the parts that are patterns. */
    private RubyArray<?> join(ThreadContext context, RubyArray<?> parts, IRubyObject self, RubyModule type, String name,
                              IRubyObject[] args) {
        if (parts.size() == 1) return (RubyArray<?>) parts.eltOk(0);
        RubyArray<?> all = context.runtime.newArray();
        for (int i = 0; i < parts.size(); i++) {
            IRubyObject part = parts.eltOk(i);
            if (part instanceof RubyString) {
                part = stock.call(context, self, type, name, instead(args, part), Block.NULL_BLOCK);
            }
            all.concat(context, part); // not addAll, which converts Strings to Java's and back
        }
        return all;
    }

    /** The same arguments with another pattern. */
    private IRubyObject[] instead(IRubyObject[] args, IRubyObject pattern) {
        int first = several ? patterns(args) : 1;
        IRubyObject[] other = new IRubyObject[args.length - first + 1];
        other[0] = pattern;
        System.arraycopy(args, first, other, 1, args.length - first);
        return other;
    }

    /** How many arguments of Dir[] are patterns. */
    private static int patterns(IRubyObject[] args) {
        return args[args.length - 1] instanceof RubyHash ? args.length - 1 : args.length;
    }

    private boolean deep(IRubyObject[] args) {
        int end = several ? args.length : Math.min(args.length, 1);
        for (int i = 0; i < end; i++) {
            if (deep(args[i])) return true;
            if (several || !(args[i] instanceof RubyArray)) continue;
            RubyArray<?> list = (RubyArray<?>) args[i];
            for (int j = 0; j < list.size(); j++) {
                if (deep(list.eltOk(j))) return true;
            }
        }
        return false;
    }

    private static boolean deep(IRubyObject pattern) {
        if (!(pattern instanceof RubyString)) return false;
        byte[] bytes = ((RubyString) pattern).getByteList().unsafeBytes();
        int begin = ((RubyString) pattern).getByteList().begin();
        int end = begin + ((RubyString) pattern).getByteList().realSize() - 2;
        for (int i = begin; i < end; i++) {
            if (bytes[i] == '*' && bytes[i + 1] == '*' && bytes[i + 2] == '/') return true;
        }
        return false;
    }

    /** @return null for arguments that JRuby's own method has to check */
    private Request request(Ruby runtime, IRubyObject[] args) {
        Request request = new Request();
        request.flags = runtime.newFixnum(0);
        request.base = runtime.getNil();
        request.sort = runtime.getTrue();
        boolean hash = args[args.length - 1] instanceof RubyHash;
        if (several) {
            request.patterns = RubyArray.newArray(runtime, java.util.Arrays.asList(args).subList(0, patterns(args)));
        } else {
            request.patterns = args[0];
            if (args.length > (hash ? 3 : 2)) return null;
            if (args.length - (hash ? 1 : 0) == 2) request.flags = args[1];
        }
        if (!(request.flags instanceof RubyFixnum)) return null;
        return !hash || options(runtime, (RubyHash) args[args.length - 1], request) ? request : null;
    }

    private boolean options(Ruby runtime, RubyHash options, Request request) {
        IRubyObject base = options.fastARef(runtime.newSymbol("base"));
        IRubyObject sort = options.fastARef(runtime.newSymbol("sort"));
        IRubyObject flags = several ? null : options.fastARef(runtime.newSymbol("flags"));
        int known = (base == null ? 0 : 1) + (sort == null ? 0 : 1) + (flags == null ? 0 : 1);
        if (known != options.size() || sort != null && !(sort instanceof RubyBoolean)) return false;
        if (base != null) request.base = base;
        if (sort != null) request.sort = sort;
        if (flags == null) return true;
        if (!(flags instanceof RubyFixnum)) return false;
        long both = ((RubyFixnum) request.flags).getLongValue() | ((RubyFixnum) flags).getLongValue();
        request.flags = runtime.newFixnum(both);
        return true;
    }
}
