package frugal.marshal;

import java.util.Arrays;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.Ruby;
import org.jruby.RubyBasicObject;
import org.jruby.RubyBoolean;
import org.jruby.RubyClass;
import org.jruby.RubyFixnum;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * Frugal::Native::Java::MarshalTable: the table of a transaction, over an index of the store's roots. It has the most
 * frequent methods of a Hash; its subclass Frugal::Store::MarshalTable has the others.
 */
public final class MarshalTable extends RubyBasicObject {
    private static final int PAIRS = 16;

    private MarshalIndex index;
    /** The roots whose values were set, or were read and can be changed in place. */
    private final int[] roots = new int[PAIRS];
    private final IRubyObject[] values = new IRubyObject[PAIRS];
    private int count;
    /** {number => value}: replaces the pairs if there are more, or if the subclass needs a Hash; or null. */
    private RubyHash read;
    private RubyHash removed; // {number => true}, or null
    private RubyHash added; // {key => value}, or null
    private RubyHash hash; // has replaced the table; or null

    MarshalTable(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject initialize(ThreadContext context, IRubyObject newIndex) {
        index = (MarshalIndex) newIndex;
        return context.nil;
    }

    /** A table for the next transaction: this table, or a new one if it is not of that class. */
    public static MarshalTable renew(ThreadContext context, IRubyObject table, RubyClass type, MarshalIndex index) {
        MarshalTable renewed = table.getMetaClass() == type ? (MarshalTable) table
            : new MarshalTable(context.runtime, type);
        renewed.index = index;
        Arrays.fill(renewed.values, 0, renewed.count, null);
        renewed.count = 0;
        renewed.read = renewed.removed = renewed.added = renewed.hash = null;
        return renewed;
    }

    private RubyHash ensured(RubyHash one) {
        return one != null ? one : RubyHash.newHash(getRuntime());
    }

    private IRubyObject number(int root) {
        return getRuntime().newFixnum(root);
    }

    /** The value of a root that was read or set before, or null. */
    private IRubyObject known(int root) {
        for (int i = 0; i < count; i++) {
            if (roots[i] == root) return values[i];
        }
        return read == null ? null : read.fastARef(number(root));
    }

    private RubyHash readHash() {
        read = ensured(read);
        for (int i = 0; i < count; i++) read.fastASet(number(roots[i]), values[i]);
        count = 0;
        return read;
    }

    private void set(int root, IRubyObject value) {
        if (read != null || count == PAIRS) {
            readHash().fastASet(number(root), value);
            return;
        }
        int at = 0;
        while (at < count && roots[at] != root) at++;
        roots[at] = root;
        values[at] = value;
        if (at == count) count++;
    }

    /** The root of a key; -1: there is none, or it was removed. */
    private int rootOf(IRubyObject key) {
        int root = index.rootOf(key);
        return root >= 0 && removed != null && removed.fastARef(number(root)) != null ? -1 : root;
    }

    @JRubyMethod(name = "[]")
    public IRubyObject get(ThreadContext context, IRubyObject key) {
        if (hash != null) return hash.op_aref(context, key);
        int root = rootOf(key);
        if (root < 0) return added == null ? context.nil : added.op_aref(context, key);
        IRubyObject value = known(root);
        if (value != null) return value;
        value = index.roots.simple(root);
        if (value == null) return callMethod(context, "decode", number(root));
        if (value instanceof RubyString) set(root, value); // the program can change it, and must get this object again
        return value;
    }

    @JRubyMethod(name = "[]=")
    public IRubyObject set(ThreadContext context, IRubyObject key, IRubyObject value) {
        if (hash != null) return hash.op_aset(context, key, value);
        int root = rootOf(key);
        if (root < 0) (added = ensured(added)).op_aset(context, key, value);
        else set(root, value);
        return value;
    }

    @JRubyMethod(name = "key?")
    public IRubyObject hasKey(ThreadContext context, IRubyObject key) {
        if (hash == null && rootOf(key) >= 0) return context.tru;
        RubyHash table = hash == null ? added : hash;
        return table != null && table.fastARef(key) != null ? context.tru : context.fals;
    }

    /** unchanged? -> true: the table certainly has not changed; false: perhaps it has */
    @JRubyMethod(name = "unchanged?")
    public IRubyObject isUnchanged(ThreadContext context) {
        return unchanged() ? context.tru : context.fals;
    }

    public boolean unchanged() {
        if (hash != null || removed != null || added != null) return false;
        if (read != null) return read.isEmpty();
        for (int i = 0; i < count; i++) {
            if (!equal(values[i], index.roots.simple(roots[i]))) return false;
            // The program may have set two roots to one object: Marshal.dump would write a link.
            for (int j = 0; j < i && values[i] instanceof RubyString; j++) {
                if (values[j] == values[i]) return false;
            }
        }
        return true;
    }

    /** Whether Marshal.dump writes both in the same way. */
    private static boolean equal(IRubyObject value, IRubyObject stored) {
        if (stored instanceof RubyFixnum) {
            return value instanceof RubyFixnum
                && ((RubyFixnum) value).getLongValue() == ((RubyFixnum) stored).getLongValue();
        }
        if (!(stored instanceof RubyString)) return value == stored;
        if (!(value instanceof RubyString) || value.getMetaClass() != stored.getMetaClass()) return false;
        if (value.hasVariables()) return false;
        ByteList one = ((RubyString) value).getByteList();
        ByteList other = ((RubyString) stored).getByteList();
        return one.getEncoding() == other.getEncoding() && one.equal(other);
    }

    /**
     * single -> [number, dump] if the only root that may have changed was set to nil, true, false or a small Integer;
     * otherwise nil
     */
    @JRubyMethod
    public IRubyObject single(ThreadContext context) {
        if (hash != null || removed != null || added != null || read != null || count != 1) return context.nil;
        IRubyObject value = values[0];
        MarshalWriter dump = new MarshalWriter(10).open('[', 1);
        if (value instanceof RubyFixnum) {
            long number = ((RubyFixnum) value).getLongValue();
            if (number < -(1L << 30) || number >= 1L << 30) return context.nil;
            dump.put('i');
            dump.number((int) number);
        } else if (value.isNil()) dump.put('0');
        else if (value instanceof RubyBoolean) dump.put(value.isTrue() ? 'T' : 'F');
        else return context.nil;
        ByteList bytes = new ByteList(dump.bytes, 0, dump.size, ASCIIEncoding.INSTANCE, true);
        return context.runtime.newArray(number(roots[0]), RubyString.newString(context.runtime, bytes));
    }

    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject index(ThreadContext context) {
        return index;
    }

    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject read(ThreadContext context) {
        return readHash();
    }

    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject removed(ThreadContext context) {
        return removed = ensured(removed);
    }

    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject added(ThreadContext context) {
        return added = ensured(added);
    }

    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject whole(ThreadContext context) {
        return hash == null ? context.nil : hash;
    }

    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject become(ThreadContext context, IRubyObject table) {
        return hash = (RubyHash) table;
    }
}
