package frugal.rake;

import org.jruby.RubyClass;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.runtime.ivars.VariableAccessor;

/** An instance variable of Rake's objects. Remembers where the newest class of them has it. */
final class Variable {
    private final String name;
    private volatile Place place = new Place(null, null);

    private static final class Place {
        final RubyClass type;
        final VariableAccessor accessor;

        Place(RubyClass type, VariableAccessor accessor) {
            this.type = type;
            this.accessor = accessor;
        }
    }

    Variable(String name) {
        this.name = name;
    }

    /** @return nil where there is no such variable */
    IRubyObject get(IRubyObject object) {
        RubyClass type = object.getMetaClass().getRealClass();
        Place known = place;
        if (known.type != type) {
            VariableAccessor found = type.getVariableAccessorForRead(name);
            if (found.getIndex() < 0) return type.getRuntime().getNil();
            place = known = new Place(type, found);
        }
        Object value = known.accessor.get(object);
        return value instanceof IRubyObject ? (IRubyObject) value : type.getRuntime().getNil();
    }

    void set(IRubyObject object, IRubyObject value) {
        RubyClass type = object.getMetaClass().getRealClass();
        Place known = place;
        if (known.type != type) place = known = new Place(type, type.getVariableAccessorForWrite(name));
        known.accessor.set(object, value);
    }
}
