package frugal.entry;

import frugal.binding.Descriptor;
import frugal.binding.Engine;
import frugal.binding.OpenFile;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyFile;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** The methods of the class {@link EntryFile} itself: they open a file. */
public final class EntryOpening {
    private static final int DIGEST = 64;
    private static final int EINTR = Errno.EINTR.intValue();
    private static final int READ = OpenFlags.O_RDONLY.intValue();
    private static final int WRITE = OpenFlags.O_RDWR.intValue();
    private static final int CREATE = WRITE | OpenFlags.O_CREAT.intValue();
    private static final int EXCLUSIVE = CREATE | OpenFlags.O_EXCL.intValue();
    /** Neither follows a link in the last part of the path nor waits for the other end of a fifo. */
    private static final int ALWAYS = OpenFlags.O_CLOEXEC.intValue() | OpenFlags.O_NOFOLLOW.intValue() |
        OpenFlags.O_NONBLOCK.intValue() | OpenFlags.O_NOCTTY.intValue();
    /** Only JRuby can use the path. */
    private static final int STOCK = Integer.MIN_VALUE;

    private EntryOpening() {
    }

    /** open(dir, digest) -> an EntryFile for reading and writing; nil for a miss */
    @JRubyMethod(meta = true)
    public static IRubyObject open(ThreadContext context, IRubyObject self, IRubyObject dir, IRubyObject digest) {
        IRubyObject file = file(context, self, path(context, dir, digest), WRITE, 0);
        return file != null ? file : pure(context, "open", dir, digest);
    }

    /** open_read(dir, digest) -> an EntryFile for reading; nil for a miss */
    @JRubyMethod(name = "open_read", meta = true)
    public static IRubyObject openRead(ThreadContext context, IRubyObject self, IRubyObject dir, IRubyObject digest) {
        IRubyObject file = file(context, self, path(context, dir, digest), READ, 0);
        return file != null ? file : pure(context, "open_read", dir, digest);
    }

    /** create(dir, digest, permissions) -> an EntryFile, of a new file if there is none; nil: there is no directory */
    @JRubyMethod(meta = true)
    public static IRubyObject create(ThreadContext context, IRubyObject self, IRubyObject dir, IRubyObject digest,
                                     IRubyObject permissions) {
        int mode = RubyNumeric.num2int(permissions);
        IRubyObject file = file(context, self, path(context, dir, digest), CREATE, mode);
        return file != null ? file : pure(context, "create", dir, digest, permissions);
    }

    /** create_new(path, permissions) -> an EntryFile of a new file; raises Errno::EEXIST; nil: there is no directory */
    @JRubyMethod(name = "create_new", meta = true)
    public static IRubyObject createNew(ThreadContext context, IRubyObject self, IRubyObject path,
                                        IRubyObject permissions) {
        int mode = RubyNumeric.num2int(permissions);
        IRubyObject file = file(context, self, RubyFile.get_path(context, path), EXCLUSIVE, mode);
        return file != null ? file : pure(context, "create_new", path, permissions);
    }

    /**
     * read(dir, digest, largest, reads, klass) -> as EntryFile#load; nil if there is no record; false if it was being
     * written
     */
    @JRubyMethod(meta = true, required = 5)
    public static IRubyObject read(ThreadContext context, IRubyObject self, IRubyObject[] args) {
        RubyString path = path(context, args[0], args[1]);
        long largest = RubyNumeric.num2long(args[2]);
        int reads = RubyNumeric.num2int(args[3]);
        byte[] id = id(context, args[1]);
        int descriptor = open(context, path, READ, 0);
        if (descriptor == STOCK) return pure(context, "read", args);
        if (descriptor < 0) return miss(context, -descriptor, path);
        OpenFile file = new OpenFile(descriptor, path);
        EntryImage image = new EntryImage(file, id, false, largest);
        try {
            image.read(context, reads);
        } finally {
            file.close();
        }
        if (image.state == EntryImage.State.CHANGING) return context.fals;
        return image.state == EntryImage.State.FOUND ? image.record.toStruct(context, args[4]) : context.nil;
    }

    /** @return an EntryFile, nil for a miss; null for a path that only JRuby can use */
    private static IRubyObject file(ThreadContext context, IRubyObject self, RubyString path, int flags, int mode) {
        int descriptor = open(context, path, flags, mode);
        if (descriptor == STOCK) return null;
        if (descriptor < 0) return miss(context, -descriptor, path);
        return new EntryFile(context.runtime, (RubyClass) self, new OpenFile(descriptor, path), flags != READ);
    }

    /** @return a descriptor, a negative errno, or STOCK */
    private static int open(ThreadContext context, RubyString path, int flags, int mode) {
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(path, buffer)) return STOCK;
            for (;;) {
                int result = Libc.openat(Libc.AT_FDCWD, buffer.address, flags | ALWAYS, mode);
                if (result == -EINTR) context.pollThreadEvents();
                else if (!Descriptor.exhausted(-result) || !Descriptor.collect()) return result;
            }
        } finally {
            Buffers.give(buffer);
        }
    }

    private static IRubyObject miss(ThreadContext context, int errno, RubyString path) {
        if (Engine.missing(errno)) return context.nil;
        throw Engine.instance.fault(context, errno, path);
    }

    private static IRubyObject pure(ThreadContext context, String name, IRubyObject... args) {
        return context.runtime.getClassFromPath("Frugal::Native::Pure::EntryFile").callMethod(context, name, args);
    }

    // -- names --

    /** The name of an entry's file, "dir/ab/cdef…". */
    private static RubyString path(ThreadContext context, IRubyObject dir, IRubyObject digest) {
        Ruby runtime = context.runtime;
        ByteList folder = dir.convertToString().getByteList();
        ByteList hex = digest.convertToString().getByteList();
        if (!isDigest(hex)) throw runtime.newArgumentError("not a hexadecimal SHA-256");
        ByteList path = new ByteList(folder.realSize() + DIGEST + 2);
        path.append(folder);
        path.append('/').append(hex, 0, 2);
        path.append('/').append(hex, 2, DIGEST - 2);
        path.setEncoding(folder.getEncoding());
        return RubyString.newString(runtime, path);
    }

    private static boolean isDigest(ByteList hex) {
        boolean valid = hex.realSize() == DIGEST;
        for (int i = 0; valid && i < DIGEST; i++) valid = digit(hex, i) >= 0;
        return valid;
    }

    /** The first bytes of a digest. */
    static byte[] id(ThreadContext context, IRubyObject digest) {
        ByteList hex = digest.convertToString().getByteList();
        if (hex.realSize() != DIGEST) throw context.runtime.newArgumentError("not a hexadecimal SHA-256");
        byte[] id = new byte[EntryRecord.ID];
        for (int i = 0; i < id.length; i++) {
            id[i] = (byte) (digit(hex, 2 * i) << 4 | digit(hex, 2 * i + 1));
        }
        return id;
    }

    private static int digit(ByteList hex, int at) {
        return Character.digit((char) hex.get(at), 16);
    }
}
