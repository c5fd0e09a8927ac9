package frugal.entry;

import static org.jruby.runtime.ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR;

import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyModule;

/**
 * Defines the classes of Frugal::Entries.
 *
 * <ul>
 *   <li>EntryFile: the file of an entry; EntryOpening opens it
 *   <li>EntryImage: its bytes; EntryRecord: one record in them; EntryChecksum
 * </ul>
 */
public final class EntryModule {
    private EntryModule() {
    }

    public static void define(Ruby runtime, RubyModule java) {
        RubyClass file = java.defineClassUnder("EntryFile", runtime.getObject(), NOT_ALLOCATABLE_ALLOCATOR);
        file.defineAnnotatedMethods(EntryFile.class);
        file.defineAnnotatedMethods(EntryOpening.class);
        java.defineModuleUnder("EntryRecord").defineAnnotatedMethods(EntryRecord.class);
    }
}
