package frugal;

import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyModule;
import org.jruby.internal.runtime.methods.DynamicMethod;
import org.jruby.runtime.load.BasicLibraryService;

/**
 * Replaces Dir.glob and Dir[] by {@link GlobMethod}. Loaded by {@code JRuby::Util.load_ext("frugal.GlobEntrance")} in
 * lib/frugal/dropin/dir/entrance.rb.
 */
public final class GlobEntrance implements BasicLibraryService {
    @Override
    public boolean basicLoad(Ruby runtime) {
        RubyModule dropIn = runtime.getClassFromPath("Frugal::Dropin::Dir");
        RubyClass singleton = runtime.getDir().getSingletonClass();
        for (String name : new String[] {"glob", "[]"}) {
            DynamicMethod stock = singleton.searchMethod(name);
            singleton.addMethod(name, new GlobMethod(singleton, name, stock, dropIn));
        }
        return true;
    }
}
