package frugal.beneath;

import static org.jruby.runtime.ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR;

import org.jruby.Ruby;
import org.jruby.RubyModule;

/**
 * Defines the classes of Frugal::Files.
 *
 * <ul>
 *   <li>Beneath: opens files beneath a directory; BeneathRoot: the directory; BeneathSteps: a path without openat2(2)
 *   <li>BeneathFile: an opened file
 *   <li>UrlPath: decodes the path of a URL
 * </ul>
 */
public final class BeneathModule {
    private BeneathModule() {
    }

    public static void define(Ruby runtime, RubyModule java) {
        java.defineClassUnder("Beneath", runtime.getObject(), Beneath::new).defineAnnotatedMethods(Beneath.class);
        java.defineClassUnder("BeneathFile", runtime.getObject(), NOT_ALLOCATABLE_ALLOCATOR)
            .defineAnnotatedMethods(BeneathFile.class);
    }
}
