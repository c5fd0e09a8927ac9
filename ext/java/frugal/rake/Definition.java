package frugal.rake;

import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyHash;
import org.jruby.RubyProc;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Defines tasks as TaskManager#define_task does, for the forms that are common in Rakefiles with many files. Rake
 * handles all other forms.
 */
public final class Definition {
    private IRubyObject name;
    private IRubyObject prerequisites;

    private Definition() {
    }

    /** RakePlan.adopt_definition: Task.define_task stays Rake's, which calls the drop-in's TaskManager#define_task. */
    @JRubyMethod(name = "adopt_definition", meta = true)
    public static IRubyObject adoptDefinition(ThreadContext context, IRubyObject self, IRubyObject stock) {
        return context.nil;
    }

    @JRubyMethod(name = "ask_application", meta = true)
    public static IRubyObject askApplication(ThreadContext context, IRubyObject self) {
        return context.nil;
    }

    /** RakePlan.define(application, task_class, arguments) { action } -> Task, or nil if Rake has to define it. */
    @JRubyMethod(meta = true)
    public static IRubyObject define(ThreadContext context, IRubyObject self, IRubyObject application,
                                     IRubyObject type, IRubyObject arguments, Block block) {
        Upstream upstream = Upstream.instance;
        RubyArray<?> list = (RubyArray<?>) arguments;
        boolean known = type == upstream.file || type == upstream.task || type == upstream.creation;
        if (!known || application.getMetaClass() != upstream.application || application.isFrozen()
            || list.size() != 1 || !upstream.definitionPossible()) return context.nil;
        IRubyObject tasks = Tasks.get(application, "@tasks");
        if (!(tasks instanceof RubyHash)) return context.nil;

        Definition definition = new Definition();
        if (!definition.parse(context, application, type, list.eltOk(0))) return context.nil;
        return definition.apply(context, application, (RubyClass) type, (RubyHash) tasks, block);
    }

    /** Accepts file("a"), file("a" => "b"), task(a: ["b", :c]), task(a: FileList[...]). */
    private boolean parse(ThreadContext context, IRubyObject application, IRubyObject type, IRubyObject argument) {
        name = argument;
        prerequisites = context.nil;
        if (argument instanceof RubyHash && argument.getMetaClass() == context.runtime.getHash()
            && ((RubyHash) argument).size() == 1) {
            name = ((RubyHash) argument).keys().eltOk(0);
            prerequisites = ((RubyHash) argument).fastARef(name);
        }
        return type == Upstream.instance.task ? readTaskName(context, application) : Names.exactString(name);
    }

    /** A name with a colon may belong to a namespace. Rake makes the name by String#split: it is a new String. */
    private boolean readTaskName(ThreadContext context, IRubyObject application) {
        if (name instanceof RubySymbol) name = ((RubySymbol) name).to_s(context);
        if (!Names.provable(name) || ((RubyString) name).getByteList().realSize() == 0 || Names.scoped(name)
            || Tasks.get(application, "@scope").getMetaClass() != Upstream.instance.emptyScope) return false;
        name = ((RubyString) name).strDup(context.runtime);
        return true;
    }

    private IRubyObject apply(ThreadContext context, IRubyObject application, RubyClass type, RubyHash tasks,
                              Block block) {
        IRubyObject task = tasks.fastARef(name);
        boolean fresh = task == null || task.isNil();
        boolean unseen = fresh && prerequisites.getMetaClass() != Upstream.instance.fileList;
        if (fresh) {
            task = Tasks.create(context.runtime, application, type, name);
            tasks.op_aset(context, name, task);
        } else if (Facts.kind(task, application) == Facts.FOREIGN || !Tasks.enhanceable(task)) {
            return context.nil;
        }
        // Only now, as in Rake: to resolve a FileList may run code of the program, which then finds the task.
        if (!readPrerequisites(context)) return context.nil;
        RubyArray<?> names = prerequisites.isNil() ? null : (RubyArray<?>) prerequisites;
        Tasks.enhance(context, task, names, block.isGiven() ? proc(context.runtime, block) : null, unseen);
        return task;
    }

    /** Converts a String, a Symbol, or an Array or FileList of these into a new Array. False for anything else. */
    private boolean readPrerequisites(ThreadContext context) {
        IRubyObject list = prerequisites;
        if (list.isNil()) return true;
        if (list instanceof RubySymbol) list = ((RubySymbol) list).to_s(context);
        if (Names.exactString(list)) {
            prerequisites = RubyArray.newArray(context.runtime, list);
            return true;
        }
        if (list.getMetaClass() == Upstream.instance.fileList) list = list.callMethod(context, "to_ary");
        if (!Tasks.exactArray(list)) return false;
        RubyArray<?> given = (RubyArray<?>) list;
        RubyArray<?> names = context.runtime.newArray(given.size());
        for (int i = 0; i < given.size(); i++) {
            IRubyObject one = given.eltOk(i);
            if (one instanceof RubySymbol) one = ((RubySymbol) one).to_s(context);
            if (!Names.exactString(one)) return false;
            names.append(one);
        }
        prerequisites = names;
        return true;
    }

    private static RubyProc proc(Ruby runtime, Block block) {
        RubyProc proc = block.getProcObject();
        return proc == null ? runtime.newProc(Block.Type.PROC, block) : proc;
    }
}
