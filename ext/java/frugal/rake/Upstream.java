package frugal.rake;

import frugal.binding.Methods;
import java.util.regex.Pattern;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyModule;
import org.jruby.RubyThread;
import org.jruby.runtime.builtin.IRubyObject;

/** Rake's classes, and the state that must not change after the drop-in was installed. */
final class Upstream {
    /** Set by RakePlan.adopt, once for each runtime, because each has its own class loader. */
    static Upstream instance;

    /** JRuby's compiler. */
    private static final Pattern JIT = Pattern.compile("Ruby-\\d+-JIT-\\d+");

    final RubyClass task;
    final RubyClass multi;
    final RubyClass file;
    final RubyClass creation;
    final RubyClass application;
    final RubyClass fileList;
    final RubyClass scope;
    final RubyClass emptyScope;
    final RubyClass monitor;
    final RubyModule taskManager;
    /** Whether only ENOENT means that a file is missing (Rake >= 13.1). */
    final boolean faultsRaise;
    /** Whether Rake's classes are unchanged. */
    volatile boolean trusted = true;

    private final Ruby runtime;
    private final Methods calledByDefinition = new Methods();

    Upstream(Ruby runtime, boolean faultsRaise) {
        this.runtime = runtime;
        this.faultsRaise = faultsRaise;
        task = type("Rake::Task");
        multi = type("Rake::MultiTask");
        file = type("Rake::FileTask");
        creation = type("Rake::FileCreationTask");
        application = type("Rake::Application");
        fileList = type("Rake::FileList");
        scope = type("Rake::Scope");
        emptyScope = type("Rake::Scope::EmptyScope");
        monitor = type("Monitor");
        taskManager = runtime.getClassFromPath("Rake::TaskManager");
        collect();
    }

    /** Keeps Ruby's own methods that Rake calls in a definition, and {@link Definition} does not. */
    private void collect() {
        RubyClass string = runtime.getString();
        calledByDefinition.core(string, "to_s", "to_str", "respond_to?", "split", "hash", "eql?")
            .core(runtime.getSymbol(), "to_s", "respond_to?")
            .core(runtime.getHash(), "[]", "[]=", "is_a?")
            .core(runtime.getArray(), "|", "<<", "include?", "to_ary", "respond_to?")
            .core(monitor, "initialize")
            .core(string.getSingletonClass(), "===");
        for (RubyClass one : new RubyClass[] {task, file, creation, monitor}) {
            calledByDefinition.core(one.getSingletonClass(), "new");
        }
    }

    /** Whether a definition in Java has the same result as Rake's own. */
    boolean definitionPossible() {
        if (!trusted || Tasks.get(taskManager, "@record_task_metadata").isTrue()) return false;
        return calledByDefinition.intact() && runtime.getString().searchMethod("to_path").isUndefined();
    }

    /** Whether it is one of Rake's own classes of tasks, not a class that a program derives from them. */
    boolean own(RubyClass type) {
        return type == file || type == task || type == creation || type == multi;
    }

    /** Whether no other thread can run code of the program. */
    boolean alone() {
        int count = 0;
        for (RubyThread thread : runtime.getThreadService().getActiveRubyThreads()) {
            if (!(thread.isAdopted() && internal(thread.getNativeThread()))) count++;
        }
        return count == 1;
    }

    /**
     * Whether a thread is the JVM's or JRuby's own. JRuby counts such a thread as a thread of Ruby once the thread has
     * called JRuby. The thread that calls finalize() has done so after the first garbage collections.
     */
    private static boolean internal(Thread thread) {
        if (thread == null) return false;
        ThreadGroup group = thread.getThreadGroup();
        boolean system = group != null && group.getParent() == null;
        return system && thread.getName().equals("Finalizer") || JIT.matcher(thread.getName()).matches();
    }

    private RubyClass type(String path) {
        return (RubyClass) runtime.getClassFromPath(path);
    }
}
