package frugal;

import java.io.IOException;
import java.lang.reflect.Field;
import org.jruby.Ruby;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.runtime.load.BasicLibraryService;
import org.jruby.runtime.load.Library;
import org.jruby.runtime.load.LibrarySearcher;
import org.jruby.runtime.load.LoadService;

/**
 * Calls {@code Frugal::Autorun::Loading.loaded(path)} after a Ruby file was loaded, and before the code that required
 * it continues. Loaded by {@code JRuby::Util.load_ext("frugal.LoadHook")} in lib/frugal/autorun/jruby.rb.
 *
 * <p>JRuby's load service asks a LibrarySearcher where a file is, and notifies it when the file becomes a feature. This
 * class replaces it by a subclass with the same answers. Kernel#require and backtraces do not change: a feature is
 * provided after the file's own frames have ended (docs/adr/0013).
 *
 * <p>Cost: one call of a Ruby method for each file that is loaded, and no system call.
 */
public final class LoadHook implements BasicLibraryService {
    /** Returns false, and changes nothing, if the load service is not as in JRuby 9.4 to 10.1. */
    @Override
    public boolean basicLoad(Ruby runtime) {
        RubyModule loading = loading(runtime);
        LoadService service = runtime.getLoadService();
        try {
            Field field = LoadService.class.getDeclaredField("librarySearcher");
            field.setAccessible(true);
            if (field.get(service).getClass() != LibrarySearcher.class) return false; // another library's
            field.set(service, new Searcher(service, runtime, loading));
            return true;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return false; // RuntimeException: the module system denies the access
        }
    }

    private static RubyModule loading(Ruby runtime) {
        RubyModule autorun = (RubyModule) runtime.getModule("Frugal").getConstant("Autorun");
        return (RubyModule) autorun.getConstant("Loading");
    }

    private static final class Searcher extends LibrarySearcher {
        private final Ruby runtime;
        private final RubyModule loading;

        Searcher(LoadService service, Ruby runtime, RubyModule loading) {
            super(service);
            this.runtime = runtime;
            this.loading = loading;
        }

        /**
         * Called at the end of a require, a require_relative and an autoload, while the lock of that file is still
         * held: no other thread continues before the drop-in is installed. A path that frugal conceals does not become
         * a feature.
         */
        @Override
        protected void provideFeature(RubyString path) {
            if (!loaded(path).isTrue()) super.provideFeature(path);
        }

        /** For Kernel#load, which provides no feature. */
        @Override
        public FoundLibrary findLibraryForLoad(String name) {
            FoundLibrary found = super.findLibraryForLoad(name);
            if (found == null || !found.getLoadName().endsWith(".rb")) return found;
            return new FoundLibrary(found.getSearchName(), found.getLoadName(), new Noticed(found));
        }

        private IRubyObject loaded(RubyString path) {
            return loading.callMethod(runtime.getCurrentContext(), "loaded", path.dup());
        }

        /** The only frame of frugal on Java's stack while a file is loaded. JRuby's backtraces do not show it. */
        private final class Noticed implements Library {
            private final FoundLibrary found;

            Noticed(FoundLibrary found) {
                this.found = found;
            }

            @Override
            public void load(Ruby ruby, boolean wrap) throws IOException {
                found.load(ruby, wrap);
                loaded(ruby.newString(found.getLoadName()));
            }
        }
    }
}
