package frugal;

import frugal.binding.Engine;
import frugal.fileutils.FileutilsModule;
import frugal.probe.Contents;
import frugal.probe.FileStatus;
import frugal.probe.Portable;
import frugal.probe.Probes;
import frugal.probe.Upstream;
import frugal.rake.RakeModule;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.walk.Tree;
import org.jruby.Ruby;
import org.jruby.RubyModule;
import org.jruby.runtime.load.Library;

/**
 * The Java engine, in reading order:
 *
 * <ul>
 *   <li>system: Libc, the functions of libc; Buffers, memory for them; Statx, Records, Identity, what they return;
 *       Helpers, threads
 *   <li>binding: Paths, Ruby's paths as bytes; Engine, how a miss and a fault are handled; OpenFile and Descriptor, a
 *       descriptor and its sharing; Methods, whether methods are still Ruby's own
 *   <li>probe: Probes, Batch, Contents, Upstream, the methods of Ruby; FileStatus, a File::Stat; Portable, the probes
 *       where libc cannot be called
 *   <li>walk: lists all files below a directory, and their changes; see Walk
 *   <li>fileutils: creates, copies and removes trees
 *   <li>marshal: the roots of a store; store: a file that processes share
 *   <li>rake: Rake's planner
 *   <li>entry: a file with one entry, for sessions and caches
 *   <li>beneath: files beneath a directory, for web servers
 *   <li>LateClasses: defines the classes of the last five on first use, but Rake's
 *   <li>GlobEntrance, GlobMethod: Dir.glob and Dir[] with the drop-in; LoadHook: tells what was loaded
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
        LateClasses.define(java);
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
