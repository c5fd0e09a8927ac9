package frugal.binding;

import java.util.ArrayList;
import java.util.List;
import org.jruby.Ruby;
import org.jruby.RubyModule;
import org.jruby.internal.runtime.methods.DynamicMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Checks that methods have not changed which upstream's code calls, but the engine's code does not. */
public final class Methods {
    private final List<Kept> kept = new ArrayList<>();
    private boolean core = true;

    /** Some methods of one class. */
    private static final class Kept {
        final RubyModule owner;
        final String[] names;
        final DynamicMethod[] first;
        int generation;

        Kept(RubyModule owner, String[] names) {
            this.owner = owner;
            this.names = names;
            this.generation = owner.getGeneration();
            this.first = new DynamicMethod[names.length];
            for (int i = 0; i < names.length; i++) first[i] = owner.searchMethod(names[i]);
        }

        /** Whether the methods are unchanged. A change of a class or of its ancestors gives it another generation. */
        boolean intact() {
            int now = owner.getGeneration();
            if (now == generation) return true;
            for (int i = 0; i < names.length; i++) {
                if (owner.searchMethod(names[i]) != first[i]) return false;
            }
            generation = now;
            return true;
        }
    }

    /** Keeps methods of Ruby. If one of them is not Ruby's own at this time, `intact` is false. */
    public Methods core(RubyModule owner, String... names) {
        Ruby runtime = owner.getRuntime();
        ThreadContext context = runtime.getCurrentContext();
        IRubyObject[] arguments = new IRubyObject[names.length + 1];
        arguments[0] = owner;
        for (int i = 0; i < names.length; i++) arguments[i + 1] = runtime.newSymbol(names[i]);
        core &= runtime.getClassFromPath("Frugal::Native::Java").callMethod(context, "core?", arguments).isTrue();
        return keep(owner, names);
    }

    /** Keeps methods as they are now, even if they are not Ruby's own. */
    public Methods keep(RubyModule owner, String... names) {
        kept.add(new Kept(owner, names));
        return this;
    }

    /** Whether all methods are unchanged. Cost: one comparison for each class, unless one has changed. */
    public boolean intact() {
        if (!core) return false;
        for (Kept one : kept) {
            if (!one.intact()) return false;
        }
        return true;
    }
}
