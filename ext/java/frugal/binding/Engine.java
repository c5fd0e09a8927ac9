package frugal.binding;

import jnr.constants.platform.Errno;
import org.jruby.Ruby;
import org.jruby.RubyException;
import org.jruby.RubyModule;
import org.jruby.RubyString;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** What all methods of the engine share: the paths, the pure engine, and the handling of an errno. */
public final class Engine {
    /** The result of a call that JRuby's own method has to answer, see {@link Paths#write}. */
    public static final int STOCK = -1;

    private static final int ENOENT = Errno.ENOENT.intValue();
    private static final int ENOTDIR = Errno.ENOTDIR.intValue();
    private static final int ENOSYS = Errno.ENOSYS.intValue();
    private static final int EPERM = Errno.EPERM.intValue();

    /** The engine of the runtime that has loaded the jar: each runtime has its own class loader and classes. */
    public static Engine instance;

    public final Ruby runtime;
    public final Paths paths;
    private final RubyModule pure;

    public Engine(Ruby runtime) {
        this.runtime = runtime;
        this.paths = new Paths(runtime);
        this.pure = runtime.getClassFromPath("Frugal::Native::Pure");
    }

    public static boolean missing(int errno) {
        return errno == ENOENT || errno == ENOTDIR;
    }

    /** Whether an errno means that the kernel, or a filter such as that of a container, refuses the system call. */
    public static boolean refused(int errno) {
        return errno == ENOSYS || errno == EPERM;
    }

    /**
     * The answer of a probe whose system call has failed.
     *
     * @param errno positive, or STOCK
     * @param probe the name of the method, which the pure engine has, too
     * @return nil for a miss; throws for a fault
     */
    public IRubyObject without(ThreadContext context, int errno, String probe, RubyString path) {
        if (missing(errno)) return context.nil;
        if (errno == STOCK || refused(errno)) return pure.callMethod(context, probe, path);
        throw fault(context, errno, path);
    }

    /** The exception Errno::… for a path. It keeps the bytes of the path. */
    public RaiseException fault(ThreadContext context, int errno, IRubyObject path) {
        IRubyObject error = runtime.getSystemCallError().callMethod(
            context, "new", new IRubyObject[] {path, runtime.newFixnum(errno)});
        return ((RubyException) error).toThrowable();
    }
}
