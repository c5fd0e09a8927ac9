package frugal.walk;

import org.jruby.Ruby;
import org.jruby.RubyModule;
import org.jruby.runtime.load.BasicLibraryService;

/** Defines {@link FindWalk}. Loaded by {@code JRuby::Util.load_ext} in lib/frugal/native/java/find_walk.rb. */
public final class FindLibrary implements BasicLibraryService {
    @Override
    public boolean basicLoad(Ruby runtime) {
        RubyModule java = runtime.getClassFromPath("Frugal::Native::Java");
        java.defineClassUnder("FindWalk", runtime.getObject(), FindWalk::new).defineAnnotatedMethods(FindWalk.class);
        return true;
    }
}
