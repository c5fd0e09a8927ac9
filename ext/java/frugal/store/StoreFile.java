package frugal.store;

import frugal.binding.Engine;
import frugal.binding.OpenFile;
import frugal.marshal.MarshalIndex;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Identity;
import frugal.system.Libc;
import jnr.constants.platform.Errno;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyObject;
import org.jruby.RubyThread;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * Frugal::Native::Java::StoreFile: one file that processes share under flock(2). The caller keeps its bytes as long as
 * a stat of the path proves that they are valid. Ruby code decides what the answers mean for a transaction.
 *
 * <p>Its other methods are in {@link StoreOpening}, {@link StoreBytes} and {@link StoreSession}.
 */
public final class StoreFile extends RubyObject {
    /** How the transaction in progress uses a file. ENTERED: it has not locked or checked the file yet. */
    static final int FREE = 0, ENTERED = 1, SHARED = 2, EXCLUSIVE = 3;
    /** The flock. UNREPORTED: `enter` has locked the file and found the cache invalid, see acquire. */
    static final int UNLOCKED = 0, LOCKED = 1, UNREPORTED = 2;
    /** The bytes that the caller keeps. UNPROVABLE: no stat can prove that they are the file's. */
    static final int UNPROVABLE = 0, INVALID = 1, VALID = 2;
    static final int ENOENT = Errno.ENOENT.intValue();

    volatile OpenFile file; // null: not open
    boolean writable;
    volatile int lock;
    int cache;
    int held; // guarded by StorePool, like the holder
    RubyThread holder;
    IRubyObject owner; // the object that entered, until it leaves; or null
    MarshalIndex index; // enter makes tables of this index and of this class; or null
    RubyClass kind;
    IRubyObject adopted; // an IO of JRuby's that is locked, instead of a descriptor; or null
    Identity.Times times = Identity.Times.UNKNOWN;
    Identity opened; // when it was opened
    Identity identity; // of the cache

    StoreFile(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Stats a path. @return an Identity; or the errno, or Engine.STOCK for a path that only JRuby can use */
    static Object examine(IRubyObject path, IRubyObject follow) {
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(path.convertToString(), buffer)) return Engine.STOCK;
            int flags = follow.isTrue() ? 0 : Libc.AT_SYMLINK_NOFOLLOW;
            int result = Libc.statx(Libc.AT_FDCWD, buffer.address, flags, buffer.status());
            return result == 0 ? Identity.of(buffer) : (Object) (-result);
        } finally {
            Buffers.give(buffer);
        }
    }

    /** The stat of a path, or null for any error: opening the path raises it. *Cost*: one statx(2). */
    static Identity at(IRubyObject path, IRubyObject follow) {
        Object found = examine(path, follow);
        return found instanceof Identity ? (Identity) found : null;
    }

    void identify(Identity now) {
        identity = now;
        cache = now.proves(times) ? INVALID : UNPROVABLE;
    }

    void validate() {
        if (cache == INVALID) cache = VALID;
    }

    void invalidate() {
        if (cache == VALID) cache = INVALID;
    }

    private static IRubyObject itself(ThreadContext context) {
        return context.runtime.newSymbol("itself");
    }

    /**
     * fresh?(path, follow) -> true: the cache is valid; nil: no such file; false: call acquire; :itself: another
     * transaction of this thread has the file locked
     */
    @JRubyMethod(name = "fresh?")
    public IRubyObject isFresh(ThreadContext context, IRubyObject path, IRubyObject follow) {
        if (cache != VALID) return context.fals;
        Object found = examine(path, follow);
        if (!(found instanceof Identity)) return ((Integer) found) == ENOENT ? context.nil : context.fals;
        Identity now = (Identity) found;
        if (!now.sameContent(identity)) return context.fals;
        RubyThread thread = context.getFiberCurrentThread();
        if (StorePool.waitsForItself(this, now, SHARED, thread)) return itself(context);
        StorePool.hold(this, SHARED, thread);
        return context.tru;
    }

    /**
     * acquire(path, follow, exclusive) -> true: locked, and the cache is valid; false: locked, read the file; nil: call
     * open, then acquire again; :itself: the call would wait for another transaction of this thread
     */
    @JRubyMethod
    public IRubyObject acquire(ThreadContext context, IRubyObject path, IRubyObject follow, IRubyObject exclusive) {
        int how = exclusive.isTrue() ? EXCLUSIVE : SHARED;
        RubyThread thread = context.getFiberCurrentThread();
        if (lock == UNREPORTED) {
            lock = LOCKED;
            return context.fals;
        }
        if (file == null || how == EXCLUSIVE && !writable) return context.nil;
        if (StorePool.waitsForItself(this, opened, how, thread)) {
            if (opened.sameFile(at(path, follow))) return itself(context);
            StorePool.close(this);
            return context.nil;
        }
        StorePool.hold(this, how, thread);
        if (!StorePool.touch(this)) return context.nil; // another thread has closed the file
        Identity now = locked(context, how, path, follow) ? at(path, follow) : null;
        if (now == null) {
            StorePool.close(this);
            return context.nil;
        }
        if (cache == VALID && now.sameContent(identity)) {
            identity = now;
            return context.tru;
        }
        invalidate();
        if (!now.sameFile(opened) || !now.sameRights(opened)) {
            StorePool.close(this);
            return context.nil;
        }
        identify(now);
        return context.fals;
    }

    /** Locks the file, and waits if it must. False: another file is at the path by now, so waiting is pointless. */
    private boolean locked(ThreadContext context, int how, IRubyObject path, IRubyObject follow) {
        OpenFile here = file;
        int operation = how == EXCLUSIVE ? Libc.LOCK_EX : Libc.LOCK_SH;
        if (!here.lock(context, operation)) {
            if (!opened.sameFile(at(path, follow))) return false;
            here.waitForLock(context, operation);
        }
        lock = LOCKED;
        return true;
    }

    /** same?(other) -> whether the cache of another object is valid for the file that was acquired, by its identity */
    @JRubyMethod(name = "same?")
    public IRubyObject isSame(ThreadContext context, IRubyObject other) {
        StoreFile source = (StoreFile) other;
        return source.cache == VALID && source.identity.sameContent(identity) ? context.tru : context.fals;
    }

    @JRubyMethod
    public IRubyObject unlock(ThreadContext context) {
        if (lock == UNLOCKED) return context.nil;
        lock = UNLOCKED;
        if (adopted != null) {
            IRubyObject io = adopted;
            adopted = null;
            io.callMethod(context, "close");
        } else if (file.unlock() != 0) StorePool.close(this);
        return context.nil;
    }

    @JRubyMethod(name = "locked?")
    public IRubyObject isLocked(ThreadContext context) {
        return lock != UNLOCKED ? context.tru : context.fals;
    }

    /** rights -> [mode, owner, group] of the file that was acquired */
    @JRubyMethod
    public IRubyObject rights(ThreadContext context) {
        Ruby runtime = context.runtime;
        return runtime.newArrayNoCopy(runtime.newFixnum(identity.mode & 07777),
                                      runtime.newFixnum(identity.owner & 0xffffffffL),
                                      runtime.newFixnum(identity.group & 0xffffffffL));
    }

    /** stamp -> [inode, mtime in ns] of the file when it was acquired or last written */
    @JRubyMethod
    public IRubyObject stamp(ThreadContext context) {
        Ruby runtime = context.runtime;
        return runtime.newArrayNoCopy(runtime.newFixnum(identity.inode), runtime.newFixnum(identity.mtime));
    }

    /** invalidate: the caller's bytes are not valid any more, until read, write or revalidate. */
    @JRubyMethod(name = "invalidate")
    public IRubyObject declareInvalid(ThreadContext context) {
        invalidate();
        return context.nil;
    }

    /** revalidate: undoes invalidate. The bytes are still those of the cache's identity. */
    @JRubyMethod(name = "revalidate")
    public IRubyObject declareValid(ThreadContext context) {
        validate();
        return context.nil;
    }

    /** close: the next transaction opens the file again. */
    @JRubyMethod
    public IRubyObject close(ThreadContext context) {
        StorePool.close(this);
        return context.nil;
    }
}
