package frugal.rake;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyHash;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.RubyTime;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Frugal::Native::Java::RakePlan: the tasks and files of one Rake application, as they are until code of the program
 * runs. A method returns nil if it cannot prove the answer; then the caller uses Rake's own method.
 *
 * <p>Threads of JRuby run at the same time, so each method holds the plan's monitor.
 */
public final class Plan extends RubyObject {
    private static final int MAX_PLANS = 64;
    private static final ArrayDeque<Plan> PLANS = new ArrayDeque<>();

    IRubyObject application;
    boolean buildAll;
    private final Scopes scopes = new Scopes();
    /** How many tasks were entered since code of the program last ran. */
    private int entered;
    private int generation;
    private Prefetch prefetch;
    private Map<IRubyObject, FileAnswer> answers = new HashMap<>();
    private Map<IRubyObject, Facts> facts = new IdentityHashMap<>();
    private int structure;
    private Map<String, Closure> closures = new HashMap<>();
    private RubyHash tasks;

    public Plan(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** RakePlan.of(application): always the same plan. Only those of the newest applications are kept. */
    @JRubyMethod(meta = true)
    public static IRubyObject of(ThreadContext context, IRubyObject self, IRubyObject application) {
        synchronized (PLANS) {
            for (Plan plan : PLANS) {
                if (plan.application == application) return plan;
            }
            if (PLANS.size() >= MAX_PLANS) PLANS.removeLast();
            Plan plan = new Plan(context.runtime, (RubyClass) self);
            plan.initialize(context, application);
            PLANS.addFirst(plan);
            return plan;
        }
    }

    /** RakePlan.adopt(faults_raise): looks Rake's classes up. */
    @JRubyMethod(meta = true)
    public static IRubyObject adopt(ThreadContext context, IRubyObject self, IRubyObject faultsRaise) {
        Upstream.instance = new Upstream(context.runtime, faultsRaise.isTrue());
        return context.nil;
    }

    /** RakePlan.trusted = false: Rake's classes were changed, so Rake defines all tasks from now on. */
    @JRubyMethod(name = "trusted=", meta = true)
    public static IRubyObject setTrusted(ThreadContext context, IRubyObject self, IRubyObject flag) {
        Upstream.instance.trusted = flag.isTrue();
        return flag;
    }

    @JRubyMethod
    public IRubyObject initialize(ThreadContext context, IRubyObject application) {
        this.application = application;
        return this;
    }

    @JRubyMethod(name = "build_all=")
    public synchronized IRubyObject setBuildAll(ThreadContext context, IRubyObject flag) {
        buildAll = flag.isTrue();
        return flag;
    }

    @JRubyMethod
    public IRubyObject live(ThreadContext context) {
        return Tasks.get(this, "@live");
    }

    @JRubyMethod(name = "live=")
    public IRubyObject setLive(ThreadContext context, IRubyObject flag) {
        return setInstanceVariable("@live", flag);
    }

    /** Invalidates all answers about files and tasks, since code of the program ran or may have run. */
    @JRubyMethod
    public synchronized IRubyObject invalidate(ThreadContext context) {
        endPrefetch();
        if (!answers.isEmpty()) answers = new HashMap<>();
        entered = 0;
        generation++;
        return restructure(context);
    }

    /** Invalidates all answers about tasks, since Ruby code changed some, but not about files. */
    @JRubyMethod
    public synchronized IRubyObject restructure(ThreadContext context) {
        if (!facts.isEmpty()) facts = new IdentityHashMap<>();
        if (!closures.isEmpty()) closures = new HashMap<>();
        tasks = null;
        structure++;
        return context.nil;
    }

    /** Cost: at most one statx(2). */
    @JRubyMethod(name = "exist?")
    public synchronized IRubyObject exist(ThreadContext context, IRubyObject name) {
        if (!Upstream.instance.alone() || !Names.provable(name)) return context.nil;
        long time = time(name);
        return time == FileTimes.STOCK ? context.nil : time >= 0 ? context.tru : context.fals;
    }

    /** Whether a walk may invoke the task by itself. */
    @JRubyMethod(name = "plain?")
    public IRubyObject plain(ThreadContext context, IRubyObject task) {
        int kind = Facts.kind(task, application);
        return kind == Facts.FOREIGN || kind == Facts.MULTI ? context.fals : context.tru;
    }

    /** @return a Time; false for a missing file */
    @JRubyMethod
    public synchronized IRubyObject mtime(ThreadContext context, IRubyObject task) {
        Facts found = facts(context, task);
        if (found.kind != Facts.FILE || !found.provable) return context.nil;
        long time = time(found);
        if (time == FileTimes.MISSING) return context.fals;
        return time < 0 ? context.nil : FileTimes.time(context.runtime, time);
    }

    @JRubyMethod(name = "needed?")
    public synchronized IRubyObject needed(ThreadContext context, IRubyObject task) {
        return answer(context, needed(context, facts(context, task)));
    }

    @JRubyMethod(name = "out_of_date?")
    public synchronized IRubyObject outOfDate(ThreadContext context, IRubyObject task, IRubyObject stamp) {
        if (stamp.getMetaClass() != context.runtime.getTime() || buildAll) return context.nil;
        Facts found = facts(context, task);
        long time = FileTimes.nanoseconds((RubyTime) stamp);
        if (found.kind != Facts.FILE || found.scope == null || time < 0) return context.nil;
        return answer(context, closure(found.scope).outOfDate(context, found, time));
    }

    /** @return null if it cannot be proven */
    Boolean needed(ThreadContext context, Facts task) {
        if (task.kind == Facts.TASK || task.kind == Facts.MULTI) return true;
        if (task.kind == Facts.FOREIGN || !task.provable) return null;
        long time = time(task);
        if (time == FileTimes.STOCK) return null;
        if (task.kind == Facts.CREATION) return time < 0;
        if (time < 0) return time == FileTimes.MISSING ? true : null;
        if (task.scope == null) return null;
        if (buildAll) return closure(task.scope).proven(context, task) ? true : null;
        return closure(task.scope).outOfDate(context, task, time);
    }

    /** Cost: one statx(2) for a name without a valid answer. @return nanoseconds, or a constant of FileTimes */
    long time(IRubyObject name) {
        return time(answer(name));
    }

    /** The time of the file that has a task's name. */
    long time(Facts task) {
        if (task.answer == null) task.answer = answer(task.name);
        return time(task.answer);
    }

    static long time(FileAnswer answer) {
        long time = answer.time();
        return time == FileTimes.FAULT && !Upstream.instance.faultsRaise ? FileTimes.MISSING : time;
    }

    /** The answer about a file. The kernel may not have been asked for it yet. */
    FileAnswer answer(IRubyObject name) {
        return answers.computeIfAbsent(name, FileAnswer::new);
    }

    /**
     * Prefetches the files of a frame's next tasks, but not of more tasks than were entered since code of the program
     * last ran. So at most half of all calls are wasted.
     */
    void prefetch(ThreadContext context, Frame frame) {
        int size = frame.prerequisites.size();
        if (++entered < Prefetch.FEWEST) return;
        if (frame.prefetchGeneration != generation) frame.prefetched = 0;
        frame.prefetchGeneration = generation;
        int first = Math.max(frame.prefetched, frame.next);
        int until = Math.min(size, frame.next + Math.min(entered, Prefetch.MOST));
        if (until - first < Prefetch.AT_ONCE && until < size || until <= first) return;
        if (prefetch == null && size - frame.next >= Prefetch.FEWEST) prefetch = Prefetch.start();
        frame.prefetched = until;
        if (prefetch != null) prefetch.add(context, this, frame.prerequisites.subList(first, until));
    }

    /** Called before Ruby code runs. */
    void endPrefetch() {
        if (prefetch != null) prefetch.end();
        prefetch = null;
    }

    Facts facts(ThreadContext context, IRubyObject task) {
        Facts known = facts.get(task);
        if (known == null) facts.put(task, known = new Facts(context, scopes, task, application, structure));
        return known;
    }

    boolean current(Facts facts) {
        return facts.structure == structure;
    }

    /** The valid facts about the same task. */
    Facts current(ThreadContext context, Facts facts) {
        return current(facts) ? facts : facts(context, facts.task);
    }

    /** Looks a task up as Rake does, from the innermost namespace outwards. @return null if there is none yet */
    IRubyObject find(ThreadContext context, Scopes.Scope scope, IRubyObject name) {
        RubyHash all = tasks();
        if (all == null) return null;
        for (RubyString prefix : scope.prefixes) {
            IRubyObject task = all.fastARef(prefix.op_plus(context, name));
            if (task != null && task.isTrue()) return task;
        }
        IRubyObject task = all.fastARef(name);
        return task == null || task.isNil() ? null : task;
    }

    /** The application's Hash of tasks; null if it is not a Hash. */
    RubyHash tasks() {
        if (tasks == null) {
            IRubyObject found = Tasks.get(application, "@tasks");
            if (found instanceof RubyHash) tasks = (RubyHash) found;
        }
        return tasks;
    }

    /** Time.now in nanoseconds. */
    static long now(ThreadContext context) {
        return FileTimes.nanoseconds((RubyTime) context.runtime.getTime().callMethod(context, "now"));
    }

    private Closure closure(Scopes.Scope scope) {
        return closures.computeIfAbsent(scope.path, path -> new Closure(this, scope));
    }

    private static IRubyObject answer(ThreadContext context, Boolean known) {
        return known == null ? context.nil : known ? context.tru : context.fals;
    }
}
