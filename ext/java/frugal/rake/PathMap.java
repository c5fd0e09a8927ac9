package frugal.rake;

import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyString;
import org.jruby.runtime.Block;
import org.jruby.runtime.CallSite;
import org.jruby.runtime.MethodIndex;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * Runs the program of a pathmap's spec. That is an Array whose elements are Strings and
 * [operator, [[pattern, replacement], ...]]. Dropin::Rake::Pathmap makes it.
 */
final class PathMap {
    private static final CallSite SUB = MethodIndex.getFunctionalCallSite("sub");

    private final ThreadContext context;
    private final RubyString path;
    private final ByteList built;

    private PathMap(ThreadContext context, RubyString path) {
        this.context = context;
        this.path = path;
        this.built = new ByteList(path.getByteList().realSize() + 16);
    }

    /** @param path one that PathParts supports */
    static RubyString run(ThreadContext context, RubyString path, RubyArray<?> program) {
        PathMap map = new PathMap(context, path);
        for (int i = 0; i < program.size(); i++) map.add(program.eltOk(i));
        map.built.setEncoding(UTF8Encoding.INSTANCE);
        return RubyString.newString(context.runtime, map.built);
    }

    private void add(IRubyObject step) {
        if (step instanceof RubyString) {
            built.append(((RubyString) step).getByteList());
            return;
        }
        RubyArray<?> pair = (RubyArray<?>) step;
        PathParts text = part(((RubyString) pair.eltOk(0)).getByteList().get(0));
        RubyArray<?> substitutions = (RubyArray<?>) pair.eltOk(1);
        int last = substitutions.size() - 1;
        for (int i = 0; i <= last; i++) {
            RubyArray<?> substitution = (RubyArray<?>) substitutions.eltOk(i);
            text = substitute(text, substitution.eltOk(0), (RubyString) substitution.eltOk(1), i == last);
        }
        built.append(text.bytes, text.begin, text.length());
    }

    /** The value of %f, %n, %d, %x, %X or %p. */
    private PathParts part(int operator) {
        PathParts all = PathParts.of(path);
        switch (operator) {
            case 'f': return all.base();
            case 'n': return all.base().stem();
            case 'd': return all.directory();
            case 'x': return all.extension();
            case 'X': return all.stem();
            default: return all;
        }
    }

    /**
     * text.sub(pattern, replacement). A String as the pattern is a prefix; at the end, its replacement is appended at
     * once. String#sub sets $~ of a frame: in Rake, that is the frame of Rake's own method.
     */
    private PathParts substitute(PathParts text, IRubyObject pattern, RubyString replacement, boolean last) {
        Ruby runtime = context.runtime;
        if (!(pattern instanceof RubyString)) {
            RubyString before = RubyString.newString(runtime, new ByteList(text.bytes, text.begin, text.length(),
                UTF8Encoding.INSTANCE, true));
            context.preMethodFrameOnly(runtime.getString(), "pathmap_replace", path, Block.NULL_BLOCK);
            try {
                return PathParts.of(SUB.call(context, before, before, pattern, replacement));
            } finally {
                context.postMethodFrameOnly();
            }
        }
        ByteList prefix = ((RubyString) pattern).getByteList();
        if (!text.starts(prefix)) return text;
        PathParts rest = text.part(text.begin + prefix.realSize(), text.end);
        ByteList result = last ? built : new ByteList(replacement.getByteList().realSize() + rest.length());
        result.append(replacement.getByteList());
        if (last) return rest;
        result.append(rest.bytes, rest.begin, rest.length());
        return PathParts.of(RubyString.newString(runtime, result));
    }
}
