package frugal.rake;

import frugal.binding.Methods;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyModule;

/**
 * Rake's planner in Java, the twin of ext/frugal/rake and lib/frugal/native/pure/rake_*.rb, see docs/adr/0003. In
 * reading order:
 *
 * <ul>
 *   <li>Upstream: Rake's classes, and whether Ruby's methods are still its own
 *   <li>Names: which names can be looked up here; Tasks: the instance variables of tasks
 *   <li>Definition: defines tasks
 *   <li>Plan: the class RakePlan; Scopes, Facts: what it has read of tasks; Closure: times of all prerequisites
 *   <li>Walk: the class RakeWalk; Stack, Frame: the tasks that it has started; Resolution: finds prerequisites
 *   <li>FileNames: filters names of files; PathMethods: String#ext and String#pathmap, by PathParts and PathMap
 * </ul>
 */
public final class RakeModule {
    private RakeModule() {
    }

    /** Defines RakePlan, RakeWalk and the module Names in the engine. */
    public static void define(Ruby runtime, RubyModule engine) {
        RubyClass plan = engine.defineClassUnder("RakePlan", runtime.getObject(), Plan::new);
        plan.defineAnnotatedMethods(Plan.class);
        plan.defineAnnotatedMethods(Definition.class);
        engine.defineClassUnder("RakeWalk", runtime.getObject(), Walk::new).defineAnnotatedMethods(Walk.class);
        RubyModule names = engine.defineModuleUnder("Names");
        names.defineAnnotatedMethods(FileNames.class);
        names.defineAnnotatedMethods(PathMethods.class);
    }
}
