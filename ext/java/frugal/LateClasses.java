package frugal;

import frugal.beneath.BeneathModule;
import frugal.entry.EntryModule;
import frugal.marshal.MarshalModule;
import frugal.store.StoreModule;
import frugal.system.Libc;
import org.jruby.RubyModule;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Methods of Frugal::Native::Java that define the classes of stores, of entries and of the file server on first use.
 * Only if the tier is jffi and libc has the functions.
 */
final class LateClasses {
    private LateClasses() {
    }

    static void define(RubyModule java) {
        if (Libc.writes()) java.getSingletonClass().defineAnnotatedMethods(OfStores.class);
        if (Libc.hasEntries()) java.getSingletonClass().defineAnnotatedMethods(OfEntries.class);
        if (Libc.opensBeneath()) java.getSingletonClass().defineAnnotatedMethods(OfFiles.class);
    }

    /** Defines the classes of Frugal::Store. */
    public static final class OfStores {
        private OfStores() {
        }

        @JRubyMethod(name = "define_stores")
        public static IRubyObject defineStores(ThreadContext context, IRubyObject self) {
            StoreModule.define(context.runtime, (RubyModule) self);
            MarshalModule.define(context.runtime, (RubyModule) self);
            return context.nil;
        }
    }

    /** Defines the classes of Frugal::Entries. */
    public static final class OfEntries {
        private OfEntries() {
        }

        @JRubyMethod(name = "define_entries")
        public static IRubyObject defineEntries(ThreadContext context, IRubyObject self) {
            EntryModule.define(context.runtime, (RubyModule) self);
            return context.nil;
        }
    }

    /** Defines the classes of Frugal::Files. */
    public static final class OfFiles {
        private OfFiles() {
        }

        @JRubyMethod(name = "define_files")
        public static IRubyObject defineFiles(ThreadContext context, IRubyObject self) {
            BeneathModule.define(context.runtime, (RubyModule) self);
            return context.nil;
        }
    }
}
