package frugal;

import static org.jruby.runtime.ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR;

import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyModule;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** Methods of Frugal::Native::Java that define the classes of entries and of the file server on first use. */
final class LateClasses {
    private LateClasses() {
    }

    static void define(RubyModule java) {
        if (Libc.hasEntries()) java.getSingletonClass().defineAnnotatedMethods(OfEntries.class);
        if (Libc.opensBeneath()) java.getSingletonClass().defineAnnotatedMethods(OfFiles.class);
    }

    /** Defines the classes of Frugal::Entries. */
    public static final class OfEntries {
        private OfEntries() {
        }

        @JRubyMethod(name = "define_entries")
        public static IRubyObject defineEntries(ThreadContext context, IRubyObject self) {
            Ruby runtime = context.runtime;
            RubyModule java = (RubyModule) self;
            RubyClass file = java.defineClassUnder("EntryFile", runtime.getObject(), NOT_ALLOCATABLE_ALLOCATOR);
            file.defineAnnotatedMethods(EntryFile.class);
            file.defineAnnotatedMethods(EntryOpening.class);
            java.defineModuleUnder("EntryRecord").defineAnnotatedMethods(EntryRecord.class);
            return context.nil;
        }
    }

    /** Defines the classes of Frugal::Files. */
    public static final class OfFiles {
        private OfFiles() {
        }

        @JRubyMethod(name = "define_files")
        public static IRubyObject defineFiles(ThreadContext context, IRubyObject self) {
            Ruby runtime = context.runtime;
            RubyModule java = (RubyModule) self;
            java.defineClassUnder("Beneath", runtime.getObject(), Beneath::new).defineAnnotatedMethods(Beneath.class);
            java.defineClassUnder("BeneathFile", runtime.getObject(), NOT_ALLOCATABLE_ALLOCATOR)
                .defineAnnotatedMethods(BeneathFile.class);
            return context.nil;
        }
    }
}
