package frugal.store;

import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyModule;

/**
 * Defines Frugal::Native::Java::StoreFile, a file that processes share.
 *
 * <ul>
 *   <li>StoreFile: the class; StoreOpening, StoreBytes, StoreSession: more of its methods
 *   <li>StorePool: the open files
 * </ul>
 */
public final class StoreModule {
    private StoreModule() {
    }

    public static void define(Ruby runtime, RubyModule java) {
        RubyClass file = java.defineClassUnder("StoreFile", runtime.getObject(), StoreFile::new);
        file.defineAnnotatedMethods(StoreFile.class);
        file.defineAnnotatedMethods(StoreOpening.class);
        file.defineAnnotatedMethods(StoreBytes.class);
        file.defineAnnotatedMethods(StoreSession.class);
        StoreSession.adopt(runtime);
    }
}
