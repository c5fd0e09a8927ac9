package frugal.marshal;

import static org.jruby.runtime.ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR;

import org.jruby.Ruby;
import org.jruby.RubyModule;

/**
 * Defines the classes that read and write the roots of a store one by one.
 *
 * <ul>
 *   <li>MarshalIndex, MarshalTable: the classes of Ruby
 *   <li>MarshalRoots: the roots in the bytes; MarshalScan reads them, and MarshalWriter writes them
 * </ul>
 */
public final class MarshalModule {
    private MarshalModule() {
    }

    public static void define(Ruby runtime, RubyModule java) {
        java.defineClassUnder("MarshalIndex", runtime.getObject(), NOT_ALLOCATABLE_ALLOCATOR)
            .defineAnnotatedMethods(MarshalIndex.class);
        java.defineClassUnder("MarshalTable", runtime.getBasicObject(), MarshalTable::new)
            .defineAnnotatedMethods(MarshalTable.class);
    }
}
