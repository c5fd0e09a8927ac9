package frugal.rake;

import org.jruby.RubyClass;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.runtime.ivars.VariableAccessor;

/** An instance variable of Rake's objects. Caches its place in the class that was used last. */
final class Variable {
    private final String name;
    private volatile Place place = new Place(null, null, false);

    private static final class Place {
        final RubyClass type;
        final VariableAccessor accessor;
        final int index;
        /** Whether the object itself finds the variable by its index. The accessor calls a method handle. */
        final boolean indexed;

        Place(RubyClass type, VariableAccessor accessor, boolean indexed) {
            this.type = type;
            this.accessor = accessor;
            this.index = accessor == null ? -1 : accessor.getIndex();
            this.indexed = indexed;
        }

        Object get(IRubyObject object) {
            return indexed ? object.getVariable(index) : accessor.get(object);
        }

        void set(IRubyObject object, IRubyObject value) {
            if (indexed && !object.isFrozen()) object.setVariable(index, value);
            else accessor.set(object, value); // raises the error of a frozen object
        }
    }

    Variable(String name) {
        this.name = name;
    }

    /** @return nil if there is no such variable */
    IRubyObject get(IRubyObject object) {
        RubyClass type = object.getMetaClass().getRealClass();
        Place known = place;
        if (known.type != type) {
            VariableAccessor found = type.getVariableAccessorForRead(name);
            if (found.getIndex() < 0) return type.getRuntime().getNil();
            place = known = place(type, found);
        }
        Object value = known.get(object);
        return value instanceof IRubyObject ? (IRubyObject) value : type.getRuntime().getNil();
    }

    void set(IRubyObject object, IRubyObject value) {
        RubyClass type = object.getMetaClass().getRealClass();
        Place known = place;
        if (known.type != type) place = known = place(type, type.getVariableAccessorForWrite(name));
        known.set(object, value);
    }

    /** Tests on a new object whether index and accessor lead to the same variable. */
    private static Place place(RubyClass type, VariableAccessor accessor) {
        boolean indexed = false;
        if (Upstream.instance.own(type)) {
            int index = accessor.getIndex();
            IRubyObject trial = type.allocate();
            accessor.set(trial, type);
            boolean reads = trial.getVariable(index) == type;
            trial.setVariable(index, trial);
            indexed = reads && accessor.get(trial) == trial;
        }
        return new Place(type, accessor, indexed);
    }
}
