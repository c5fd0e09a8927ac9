package frugal.store;

import frugal.binding.Methods;
import frugal.marshal.MarshalIndex;
import frugal.marshal.MarshalTable;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyClass;
import org.jruby.RubyFixnum;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * The methods of {@link StoreFile} about the object whose transaction uses a file, among those that share it; and the
 * fast path of a transaction whose cache is valid.
 */
public final class StoreSession {
    /** Ruby's own methods that stock's transaction calls, see dropin/pstore.rb. */
    private static Methods called;

    private StoreSession() {
    }

    /** Called once for each runtime, because each has its own class loader. */
    static void adopt(Ruby runtime) {
        RubyClass file = runtime.getFile();
        called = new Methods().core(file.getSingletonClass(), "new")
            .core(file, "flock", "truncate", "read", "rewind", "write", "close");
    }

    /** remember(index, kind): from now on, `enter` may return tables of this index, of this class; nil ends this. */
    @JRubyMethod
    public static IRubyObject remember(ThreadContext context, IRubyObject self, IRubyObject index, IRubyObject kind) {
        StoreFile store = (StoreFile) self;
        store.index = index.isTrue() ? (MarshalIndex) index : null;
        store.kind = index.isTrue() ? (RubyClass) kind : null;
        return context.nil;
    }

    /** keep: other objects of the file find it, until drop. */
    @JRubyMethod
    public static IRubyObject keep(ThreadContext context, IRubyObject self) {
        StorePool.keep((StoreFile) self);
        return context.nil;
    }

    @JRubyMethod
    public static IRubyObject drop(ThreadContext context, IRubyObject self) {
        StorePool.drop((StoreFile) self);
        return context.nil;
    }

    /** kept -> [StoreFile, ...], the kept files that are in no transaction, the newest first */
    @JRubyMethod(meta = true)
    public static IRubyObject kept(ThreadContext context, IRubyObject self) {
        RubyArray<?> list = context.runtime.newArray();
        for (StoreFile file : StorePool.kept()) list.append(file);
        return list;
    }

    private static boolean seize(ThreadContext context, StoreFile store, IRubyObject owner) {
        if (!StorePool.seize(store, context.getFiberCurrentThread())) return false;
        store.owner = owner;
        if (store.lock == StoreFile.UNREPORTED) store.lock = StoreFile.LOCKED;
        return true;
    }

    /** seize(owner) -> true: the file is the owner's until leave(owner); false: another transaction uses it */
    @JRubyMethod
    public static IRubyObject seize(ThreadContext context, IRubyObject self, IRubyObject owner) {
        return seize(context, (StoreFile) self, owner) ? context.tru : context.fals;
    }

    /**
     * enter(owner, File, path, read_only, no_follow, table) begins a transaction, until leave(owner). Returns
     *
     * <ul>
     *   <li>a table (`table`, reset, or a new one) if the file is open as needed, and its bytes are unchanged;
     *   <li>nil: call fresh? or acquire next;
     *   <li>false: another transaction uses the file, and nothing has begun.
     * </ul>
     */
    @JRubyMethod(required = 6)
    public static IRubyObject enter(ThreadContext context, IRubyObject self, IRubyObject[] args) {
        StoreFile store = (StoreFile) self;
        if (!seize(context, store, args[0])) return context.fals;
        // FakeFS replaces File, and has its own files; a test may replace a method.
        if (args[1] != context.runtime.getFile() || !called.intact()) return context.nil;
        IRubyObject no = args[4];
        boolean follow = !no.isTrue() || no instanceof RubyFixnum && ((RubyFixnum) no).getLongValue() == 0;
        return table(context, store, args[2], args[3].isTrue(), follow ? context.tru : context.fals, args[5]);
    }

    private static IRubyObject table(ThreadContext context, StoreFile store, IRubyObject path, boolean readOnly,
                                     IRubyObject follow, IRubyObject table) {
        if (store.index == null || store.cache != StoreFile.VALID || !(path instanceof RubyString)) return context.nil;
        IRubyObject answer;
        if (readOnly) {
            answer = store.isFresh(context, path, follow);
            if (answer == context.fals) store.invalidate();
            if (answer.isNil()) return RubyHash.newHash(context.runtime); // no such file
        } else {
            answer = store.acquire(context, path, follow, context.tru);
            if (answer == context.fals) store.lock = StoreFile.UNREPORTED;
        }
        if (answer != context.tru) return context.nil;
        return MarshalTable.renew(context, table, store.kind, store.index);
    }

    /** free? -> whether another object may enter: it is in no transaction. A JVM does not change its user. */
    @JRubyMethod(name = "free?")
    public static IRubyObject isFree(ThreadContext context, IRubyObject self) {
        return ((StoreFile) self).held == StoreFile.FREE ? context.tru : context.fals;
    }

    /** unchanged?(table) -> true: there is nothing to save; false: perhaps there is */
    @JRubyMethod(name = "unchanged?")
    public static IRubyObject isUnchanged(ThreadContext context, IRubyObject self, IRubyObject table) {
        return table instanceof MarshalTable && ((MarshalTable) table).unchanged() ? context.tru : context.fals;
    }

    /** release: ends the transaction, whether it succeeded or not. */
    @JRubyMethod
    public static IRubyObject release(ThreadContext context, IRubyObject self) {
        StoreFile store = (StoreFile) self;
        store.owner = null;
        try {
            store.unlock(context);
        } finally {
            StorePool.release(store); // from now on, another thread may close it
        }
        return context.nil;
    }

    /** leave(owner): as release, if the transaction is the owner's. */
    @JRubyMethod
    public static IRubyObject leave(ThreadContext context, IRubyObject self, IRubyObject owner) {
        return ((StoreFile) self).owner == owner ? release(context, self) : context.nil;
    }
}
