package frugal.store;

import frugal.binding.Engine;
import frugal.binding.OpenFile;
import frugal.system.Identity;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** The methods of {@link StoreFile} that read and write the locked file. */
public final class StoreBytes {
    private static final int PAGE = 4096;

    private StoreBytes() {
    }

    /** read(path) -> the bytes of the locked file, frozen. One pread; none for an empty file. */
    @JRubyMethod
    public static IRubyObject read(ThreadContext context, IRubyObject self, IRubyObject path) {
        StoreFile store = (StoreFile) self;
        byte[] bytes = new byte[(int) Math.min(store.identity.size, Integer.MAX_VALUE - 8)];
        int used = bytes.length == 0 ? 0 : store.file.read(context, bytes, 0);
        store.validate();
        ByteList list = new ByteList(bytes, 0, used, ASCIIEncoding.INSTANCE, false);
        IRubyObject text = RubyString.newString(context.runtime, list);
        text.setFrozen(true);
        return text;
    }

    /**
     * write(path, base, old, fresh, size, final_size) -> true; false: it is not locked. The file has `size` bytes; from
     * `base` on, it has `old` (nil: unknown) and gets `fresh`. If a write fails, the old bytes are restored.
     */
    @JRubyMethod(required = 6)
    public static IRubyObject write(ThreadContext context, IRubyObject self, IRubyObject[] args) {
        StoreFile store = (StoreFile) self;
        if (store.lock == StoreFile.UNLOCKED || store.file == null) return context.fals;
        store.invalidate();
        ByteList fresh = args[3].convertToString().getByteList();
        long base = RubyNumeric.num2long(args[1]);
        Overwrite change = new Overwrite(store.file, base, fresh, RubyNumeric.num2long(args[4]));
        ByteList old = args[2].isNil() ? change.old(context) : args[2].convertToString().getByteList();
        int errno = change.run(store.identity.allocated, RubyNumeric.num2long(args[5]));
        if (errno != 0) {
            change.restore(old);
            throw Engine.instance.fault(context, errno, args[0]);
        }
        Identity after = store.file.stat();
        if (after == null || after.links == 0) return context.tru; // removed: the cache stays invalid
        store.identify(after);
        store.validate();
        return context.tru;
    }

    /** One write in place. */
    private static final class Overwrite {
        private final OpenFile file;
        private final long base;
        private final ByteList fresh;
        private final long size;

        Overwrite(OpenFile file, long base, ByteList fresh, long size) {
            this.file = file;
            this.base = base;
            this.fresh = fresh;
            this.size = size;
        }

        /** What will be overwritten; null: nothing, or a part of one page, which the kernel writes as a whole. */
        ByteList old(ThreadContext context) {
            long end = Math.min(size, base + fresh.realSize());
            if (end <= base || base / PAGE == (end - 1) / PAGE) return null;
            byte[] bytes = new byte[(int) (end - base)];
            return new ByteList(bytes, 0, file.read(context, bytes, base), false);
        }

        /**
         * If the file grows beyond its blocks, the part after the old end is written first: there, a full disk is
         * noticed, and a reader of the old content does not read this part.
         *
         * @return 0, or the errno
         */
        int run(long allocated, long finalSize) {
            long end = base + fresh.realSize();
            int grown = (int) Math.max(end - Math.max(size, base), 0);
            int head = fresh.realSize() - grown;
            int errno = 0;
            if (grown > 0 && end > allocated) {
                errno = put(head, grown);
                if (errno == 0 && head > 0) errno = put(0, head);
            } else if (fresh.realSize() > 0) errno = put(0, fresh.realSize());
            return errno == 0 && finalSize < Math.max(size, end) ? file.cut(finalSize) : errno;
        }

        void restore(ByteList old) {
            if (old != null) file.write(old.unsafeBytes(), old.begin(), old.realSize(), base);
            file.cut(size);
        }

        private int put(int from, int length) {
            return file.write(fresh.unsafeBytes(), fresh.begin() + from, length, base + from);
        }
    }
}
