package frugal;

import frugal.Buffers.Buffer;
import frugal.rake.RakeModule;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyModule;
import org.jruby.runtime.load.Library;

/**
 * The Java engine, in reading order:
 *
 * <ul>
 *   <li>Libc: the functions of libc; Buffers: memory for them; Paths: paths as bytes; Statx, Records: what they return
 *   <li>Engine: what becomes of a miss and of a fault
 *   <li>Probes, Contents, Upstream: the methods of Ruby; FileStatus: a File::Stat
 *   <li>Identity, OpenFile: a file that processes share, see lib/frugal/native/java/store_file.rb
 *   <li>FileTimes and the package rake: Rake's planner
 *   <li>Portable: the probes where libc cannot be called
 * </ul>
 *
 * <p>JRuby::Util.load_ext calls {@link #load}. lib/frugal/native/java.rb has the module before, and completes it.
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
        if (Libc.writes()) defineFiles(runtime, java);
        RakeModule.define(runtime, java);
    }

    private static void defineFiles(Ruby runtime, RubyModule java) {
        RubyClass identity = java.defineClassUnder("Identity", runtime.getObject(), Identity::new);
        identity.defineAnnotatedMethods(Identity.class);
        Engine.instance.identity = identity;
        java.defineClassUnder("OpenFile", runtime.getObject(), OpenFile::new).defineAnnotatedMethods(OpenFile.class);
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

    /** A kernel before 4.11 or the filter of a container may not know statx. */
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
