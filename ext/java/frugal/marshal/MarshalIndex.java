package frugal.marshal;

import org.jcodings.specific.ASCIIEncoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyNumeric;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** Frugal::Native::Java::MarshalIndex: the roots of a store. See {@link MarshalScan} for the dumps that it knows. */
public final class MarshalIndex extends RubyObject {
    MarshalRoots roots;
    private RubyString text; // the complete store, if there is a String of it

    MarshalIndex(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** new(bytes, outdated = nil) -> nil: the bytes cannot be indexed. The outdated one stays valid. */
    @JRubyMethod(name = "new", meta = true, required = 1, optional = 1)
    public static IRubyObject make(ThreadContext context, IRubyObject self, IRubyObject[] args) {
        RubyString text = args[0].convertToString();
        ByteList list = text.getByteList();
        boolean shared = text.isFrozen() && list.begin() == 0;
        byte[] bytes = shared ? list.unsafeBytes() : list.bytes();
        MarshalRoots roots = MarshalRoots.of(context.runtime, bytes, list.realSize());
        if (roots == null) return context.nil;
        MarshalIndex index = new MarshalIndex(context.runtime, (RubyClass) self);
        index.roots = roots;
        index.text = shared ? text : null;
        return index;
    }

    private static RubyString string(ThreadContext context, byte[] bytes, int from, int length) {
        return RubyString.newString(context.runtime, new ByteList(bytes, from, length, ASCIIEncoding.INSTANCE, true));
    }

    @JRubyMethod
    public IRubyObject size(ThreadContext context) {
        return context.runtime.newFixnum(roots.count);
    }

    /** The approximate number of bytes of memory that the index takes. */
    @JRubyMethod
    public IRubyObject memsize(ThreadContext context) {
        return context.runtime.newFixnum(roots.bytes.length + 128L * roots.count);
    }

    @JRubyMethod
    public IRubyObject bytes(ThreadContext context) {
        return text != null ? text : string(context, roots.bytes, 0, roots.size);
    }

    @JRubyMethod
    public IRubyObject bytesize(ThreadContext context) {
        return context.runtime.newFixnum(roots.size);
    }

    @JRubyMethod
    public IRubyObject keys(ThreadContext context) {
        return roots.numbers.keys(context);
    }

    /** find(key) -> the number of the root with this key, or nil */
    @JRubyMethod
    public IRubyObject find(ThreadContext context, IRubyObject key) {
        IRubyObject number = roots.numbers.fastARef(key);
        return number == null ? context.nil : number;
    }

    int rootOf(IRubyObject key) {
        IRubyObject number = roots.numbers.fastARef(key);
        return number == null ? -1 : RubyNumeric.num2int(number);
    }

    /** Whether loading a root may run code. Always false, because bytes with such roots have no index. */
    @JRubyMethod(name = {"code?", "times?"}, optional = 1)
    public IRubyObject runsCode(ThreadContext context, IRubyObject[] args) {
        return context.fals;
    }

    /** The roots that share objects with this one. Always nil, because bytes with links have no index. */
    @JRubyMethod
    public IRubyObject group(ThreadContext context, IRubyObject number) {
        return context.nil;
    }

    @JRubyMethod
    public IRubyObject slice(ThreadContext context, IRubyObject offset, IRubyObject length) {
        int from = RubyNumeric.num2int(offset);
        int size = RubyNumeric.num2int(length);
        if (from < 0 || size < 0 || size > roots.size - from) {
            throw context.runtime.newRangeError("frugal: the store is not that large");
        }
        return string(context, roots.bytes, from, size);
    }

    /** dump_of(number), dump_of([number, ...]) -> a dump of the value, or of an Array of the values */
    @JRubyMethod(name = "dump_of")
    public IRubyObject dumpOf(ThreadContext context, IRubyObject numbers) {
        boolean array = numbers instanceof RubyArray;
        int[] wanted = array ? numbers(context, numbers) : new int[] {number(context, numbers)};
        MarshalWriter dump = roots.dump(wanted, array);
        return string(context, dump.bytes, 0, dump.size);
    }

    @JRubyMethod
    public IRubyObject load(ThreadContext context, IRubyObject number) {
        int root = number(context, number);
        IRubyObject value = roots.simple(root);
        if (value != null) return value;
        MarshalWriter dump = roots.dump(new int[] {root}, false);
        IRubyObject text = string(context, dump.bytes, 0, dump.size);
        return context.runtime.getModule("Marshal").callMethod(context, "load", text);
    }

    /**
     * update(changed, removed, added, dump) -> [[offset, bytes]], or []; nil: the whole table has to be dumped. See
     * {@link MarshalRoots#update}.
     */
    @JRubyMethod(required = 4)
    public IRubyObject update(ThreadContext context, IRubyObject[] args) {
        int[] changed = numbers(context, args[0]);
        int[] removed = numbers(context, args[1]);
        byte[] dump = args[3].convertToString().getBytes();
        int[] patch = roots.update(changed, removed, RubyNumeric.num2int(args[2]), dump);
        if (patch == null) return context.nil;
        RubyArray<?> patches = context.runtime.newArray();
        if (patch.length == 0) return patches;
        text = null;
        IRubyObject bytes = string(context, roots.bytes, patch[0], patch[1] - patch[0]);
        return patches.append(context.runtime.newArray(context.runtime.newFixnum(patch[0]), bytes));
    }

    private int[] numbers(ThreadContext context, IRubyObject list) {
        RubyArray<?> array = list.convertToArray();
        int[] found = new int[array.size()];
        for (int i = 0; i < found.length; i++) found[i] = number(context, array.eltOk(i));
        return found;
    }

    private int number(ThreadContext context, IRubyObject number) {
        int root = RubyNumeric.num2int(number);
        if (root >= 0 && root < roots.count) return root;
        throw context.runtime.newIndexError("frugal: the store has no root " + root);
    }
}
