package frugal.rake;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** The namespaces of tasks. A Rake::Scope is a linked list that does not change. */
final class Scopes {
    /** A namespace: `path` is its name in Rake, `prefixes` are the prefixes of names to look up, innermost first. */
    static final class Scope {
        final String path;
        final List<RubyString> prefixes = new ArrayList<>();

        Scope(String path) {
            this.path = path;
        }
    }

    private final Map<IRubyObject, Scope> known = new IdentityHashMap<>();

    /** @return null for an object that is not one of Rake's scopes */
    Scope of(ThreadContext context, IRubyObject scope) {
        Scope found = known.get(scope);
        if (found == null) {
            found = read(context, scope);
            if (found != null) known.put(scope, found);
        }
        return found;
    }

    private static Scope read(ThreadContext context, IRubyObject scope) {
        Upstream upstream = Upstream.instance;
        Scope found = null;
        RubyString colon = context.runtime.newString(":");
        IRubyObject rest = scope;
        for (; rest.getMetaClass() == upstream.scope; rest = rest.callMethod(context, "tail")) {
            RubyString path = rest.callMethod(context, "path").convertToString();
            if (found == null) found = new Scope(path.toString());
            found.prefixes.add((RubyString) path.op_plus(context, colon));
        }
        if (rest.getMetaClass() != upstream.emptyScope) return null;
        return found == null ? new Scope("") : found;
    }
}
