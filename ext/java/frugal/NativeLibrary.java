package frugal;

import static org.jruby.runtime.ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR;

import frugal.Buffers.Buffer;
import frugal.fileutils.FileutilsModule;
import frugal.rake.RakeModule;
import frugal.walk.Tree;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyModule;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.runtime.load.Library;

/**
 * The Java engine, in reading order:
 *
 * <ul>
 *   <li>Libc: the functions of libc; Buffers: memory for them; Paths: paths as bytes; Statx, Records: what they return
 *   <li>Engine: how a miss and a fault are handled
 *   <li>Probes, Contents, Upstream: the methods of Ruby; FileStatus: a File::Stat
 *   <li>walk/Walk: the walk
 *   <li>StoreFile, StoreOpening, StoreBytes, StoreSession: a file that processes share; Identity: a stat of it;
 *       OpenFile: a descriptor; StorePool: the open files
 *   <li>MarshalIndex, MarshalTable: the roots of a store; MarshalRoots, MarshalScan, MarshalWriter: its bytes
 *   <li>EntryFile, EntryOpening: the file of an entry; EntryImage, EntryRecord, EntryChecksum: its bytes
 *   <li>Beneath, BeneathRoot, BeneathSteps, BeneathFile, UrlPath: files beneath a directory, with Descriptor
 *   <li>LateClasses: defines these classes on first use
 *   <li>FileTimes and the package rake: Rake's planner
 *   <li>The package fileutils: creates, copies and removes trees
 *   <li>GlobEntrance, GlobMethod: Dir.glob and Dir[] with the drop-in
 *   <li>Portable: the probes where libc cannot be called
 * </ul>
 *
 * <p>JRuby::Util.load_ext calls {@link #load}. lib/frugal/native/java.rb defines the module before this call, and
 * completes it afterwards.
 */
public final class NativeLibrary implements Library {
    @Override
    public void load(Ruby runtime, boolean wrap) {
        RubyModule java = runtime.getClassFromPath("Frugal::Native::Java");
        String reason = reason(runtime);
        java.setConstant("REASON", reason == null ? runtime.getNil() : runtime.newString(reason));
        RubyModule probe = java.defineModuleUnder("Probe");
        RubyModule upstream = java.defineModuleUnder("Upstream");
        if (reason != null) {
            probe.defineAnnotatedMethods(Portable.class);
            return;
        }
        Engine.instance = new Engine(runtime);
        probe.defineAnnotatedMethods(Probes.class);
        probe.defineAnnotatedMethods(Contents.class);
        upstream.defineAnnotatedMethods(Upstream.class);
        Tree.define(runtime, java);
        RakeModule.define(runtime, java);
        if (Libc.changesTrees()) FileutilsModule.define(runtime, java);
        if (Libc.writes()) java.getSingletonClass().defineAnnotatedMethods(NativeLibrary.class);
        LateClasses.define(java);
    }

    /** Defines the classes of stores. Only if the tier is jffi and libc has the functions. */
    @JRubyMethod(name = "define_stores")
    public static IRubyObject defineStores(ThreadContext context, IRubyObject self) {
        Ruby runtime = context.runtime;
        RubyModule java = (RubyModule) self;
        RubyClass file = java.defineClassUnder("StoreFile", runtime.getObject(), StoreFile::new);
        file.defineAnnotatedMethods(StoreFile.class);
        file.defineAnnotatedMethods(StoreOpening.class);
        file.defineAnnotatedMethods(StoreBytes.class);
        file.defineAnnotatedMethods(StoreSession.class);
        StoreSession.adopt(runtime);
        RubyClass index = java.defineClassUnder("MarshalIndex", runtime.getObject(), NOT_ALLOCATABLE_ALLOCATOR);
        index.defineAnnotatedMethods(MarshalIndex.class);
        RubyClass table = java.defineClassUnder("MarshalTable", runtime.getBasicObject(), MarshalTable::new);
        table.defineAnnotatedMethods(MarshalTable.class);
        return context.nil;
    }

    /** Why libc cannot be called, or null. */
    private static String reason(Ruby runtime) {
        if (!runtime.getInstanceConfig().isNativeEnabled()) return "jruby.native.enabled is false";
        try {
            String missing = Libc.missing();
            if (missing != null) return "libc has no " + missing;
            if (!FileStatus.available()) return "this JRuby has another File::Stat";
            return refused();
        } catch (LinkageError | RuntimeException e) {
            return "jffi does not load (" + e.getClass().getSimpleName() + ")";
        }
    }

    /** Why statx is refused, or null. A kernel before 4.11 or the filter of a container may not support it. */
    private static String refused() {
        Buffer buffer = Buffers.take();
        try {
            buffer.bytes.put(0, (byte) '/').put(1, (byte) 0);
            int errno = -Libc.statx(Libc.AT_FDCWD, buffer.address, 0, buffer.status());
            return Engine.refused(errno) ? "statx is refused" : null;
        } finally {
            Buffers.give(buffer);
        }
    }
}
