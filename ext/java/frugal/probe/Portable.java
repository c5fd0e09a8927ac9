package frugal.probe;

import frugal.binding.Engine;
import org.jruby.RubyFile;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.FileResource;
import org.jruby.util.JRubyFile;

/**
 * The portable tier: the probes where libc cannot be called. JRuby's own stat detects a miss without an exception, and
 * the pure engine answers if the path exists. So a hit costs one system call more than in the pure engine.
 */
public final class Portable {
    private Portable() {
    }

    @JRubyMethod
    public static IRubyObject mtime(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, "mtime", true);
    }

    @JRubyMethod
    public static IRubyObject size(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, "size", true);
    }

    @JRubyMethod
    public static IRubyObject stat(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, "stat", true);
    }

    @JRubyMethod
    public static IRubyObject type(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, "type", false);
    }

    @JRubyMethod
    public static IRubyObject readlink(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, "readlink", false);
    }

    @JRubyMethod
    public static IRubyObject entries(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, "entries", true);
    }

    @JRubyMethod
    public static IRubyObject children(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, "children", true);
    }

    @JRubyMethod
    public static IRubyObject read(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, "read", true);
    }

    private static IRubyObject ask(ThreadContext context, IRubyObject path, String probe, boolean follow) {
        RubyString name = RubyFile.get_path(context, path);
        FileResource file = JRubyFile.createResource(context, name.toString());
        if ((follow ? file.stat() : file.lstat()) == null && Engine.missing(file.errno())) return context.nil;
        return context.runtime.getClassFromPath("Frugal::Native::Pure").callMethod(context, probe, name);
    }
}
