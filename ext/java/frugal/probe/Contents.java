package frugal.probe;

import frugal.binding.Engine;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Records;
import frugal.system.Statx;
import java.util.Arrays;
import jnr.constants.platform.Errno;
import jnr.constants.platform.OpenFlags;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyFile;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jruby.util.io.EncodingUtils;

/** Reads directories and files: the probes entries, children and read. */
public final class Contents {
    private static final int DIRECTORY_FLAGS = OpenFlags.O_RDONLY.intValue() | OpenFlags.O_CLOEXEC.intValue() |
        OpenFlags.O_DIRECTORY.intValue();
    /** With O_NONBLOCK, so that a thread that waits for the other end of a fifo can be interrupted. */
    private static final int FILE_FLAGS = OpenFlags.O_RDONLY.intValue() | OpenFlags.O_CLOEXEC.intValue() |
        OpenFlags.O_NONBLOCK.intValue();
    private static final int EINTR = Errno.EINTR.intValue();
    private static final int EAGAIN = Errno.EAGAIN.intValue();
    private static final int EFBIG = Errno.EFBIG.intValue();
    private static final int ENOENT = Errno.ENOENT.intValue();
    /** The most bytes that one call of read returns. */
    private static final int STEP = 64 << 20;
    private static final int LARGEST = Integer.MAX_VALUE - 16;
    private static final byte[] NONE = {};

    private Contents() {
    }

    @JRubyMethod
    public static IRubyObject entries(ThreadContext context, IRubyObject self, IRubyObject path) {
        return list(context, path, true);
    }

    @JRubyMethod
    public static IRubyObject children(ThreadContext context, IRubyObject self, IRubyObject path) {
        return list(context, path, false);
    }

    @JRubyMethod
    public static IRubyObject read(ThreadContext context, IRubyObject self, IRubyObject path) {
        return content(context, path, false);
    }

    // -- directories --

    private static IRubyObject list(ThreadContext context, IRubyObject path, boolean dots) {
        String probe = dots ? "entries" : "children";
        RubyString name = RubyFile.get_path(context, path);
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(name, buffer)) {
                return Engine.instance.without(context, Engine.STOCK, probe, name);
            }
            int directory = open(context, buffer, DIRECTORY_FLAGS);
            if (directory < 0) return Engine.instance.without(context, -directory, probe, name);

            try {
                return names(context, directory, buffer, dots, name);
            } finally {
                Libc.close(directory);
            }
        } finally {
            Buffers.give(buffer);
        }
    }

    private static IRubyObject names(ThreadContext context, int directory, Buffer buffer, boolean dots,
                                     RubyString path) {
        RubyArray<?> names = context.runtime.newArray();
        if (dots) { // the first two, as in Dir.entries of JRuby
            names.append(name(context, new byte[] {'.'}, 0, 1));
            names.append(name(context, new byte[] {'.', '.'}, 0, 2));
        }
        for (;;) {
            context.pollThreadEvents();
            int size = Libc.getdents(directory, buffer.data(), Buffer.DATA_ROOM);
            if (size == -EINTR) continue;
            if (size == 0 || size == -ENOENT) return names; // ENOENT: the directory was removed
            if (size < 0) throw Engine.instance.fault(context, -size, path);

            byte[] bytes = new byte[size];
            buffer.get(Buffer.DATA, bytes, 0, size);
            new Records(bytes).each((from, length) -> names.append(name(context, bytes, from, length)));
        }
    }

    /** Makes a name in the encoding of the file system, or in the default internal one, as Dir.entries of MRI does. */
    private static RubyString name(ThreadContext context, byte[] bytes, int from, int length) {
        Encoding external = context.runtime.getDefaultFilesystemEncoding();
        Encoding internal = context.runtime.getDefaultInternalEncoding();
        ByteList list = new ByteList(bytes, from, length, external, true);
        RubyString name = RubyString.newStringNoCopy(context.runtime, list, external, 0);
        if (external == USASCIIEncoding.INSTANCE && !name.isAsciiOnly()) {
            name.associateEncoding(ASCIIEncoding.INSTANCE);
            return name;
        }
        return internal == null ? name : EncodingUtils.strConvEnc(context, name, external, internal);
    }

    // -- files --

    /** @param binary whether the String gets no encoding */
    static IRubyObject content(ThreadContext context, IRubyObject path, boolean binary) {
        String probe = binary ? "binread" : "read";
        RubyString name = RubyFile.get_path(context, path);
        Buffer buffer = Buffers.take();
        try {
            if (!Engine.instance.paths.write(name, buffer)) {
                return Engine.instance.without(context, Engine.STOCK, probe, name);
            }
            int file = open(context, buffer, FILE_FLAGS);
            if (file < 0) return Engine.instance.without(context, -file, probe, name);

            byte[] bytes;
            try {
                bytes = bytes(context, file, buffer, name);
            } finally {
                Libc.close(file);
            }
            return encoded(context, bytes, binary);
        } finally {
            Buffers.give(buffer);
        }
    }

    private static byte[] bytes(ThreadContext context, int file, Buffer buffer, RubyString path) {
        buffer.bytes.put(0, (byte) 0);
        int errno = -Libc.statx(file, buffer.address, Libc.AT_EMPTY_PATH, buffer.status());
        long size = errno == 0 ? Statx.size(buffer) : 0; // 0: unknown, the file is read to its end
        if (size > LARGEST) throw Engine.instance.fault(context, EFBIG, path); // arrays of Java cannot be longer

        boolean waits = errno == 0 && (Statx.mode(buffer) & Statx.FORMAT) == Statx.FIFO;
        if (waits) await(context, file, buffer);
        if (size < Buffer.DATA_ROOM) {
            return bytes(context, file, (int) size, buffer, Buffer.DATA, Buffer.DATA_ROOM, path, buffer);
        }
        int room = (int) Math.min(size + 1, STEP);
        Buffer large = Buffers.allocate(room);
        try {
            return bytes(context, file, (int) size, large, 0, room, path, buffer);
        } finally {
            large.free();
        }
    }

    /** Reads to the end of the file. If the size was right, no other call is needed to find the end. */
    private static byte[] bytes(ThreadContext context, int file, int size, Buffer into, int at, int room,
                                RubyString path, Buffer buffer) {
        byte[] bytes = size == 0 ? NONE : new byte[size];
        int used = 0;
        while (used == 0 || used != size) {
            int got = (int) Libc.read(file, into.address + at, room);
            if (got == 0) break;
            if (got == -EINTR) {
                context.pollThreadEvents();
            } else if (got == -EAGAIN) {
                await(context, file, buffer);
            } else if (got < 0) {
                throw Engine.instance.fault(context, -got, path);
            } else {
                if (got > LARGEST - used) throw Engine.instance.fault(context, EFBIG, path);
                if (used + got > bytes.length) bytes = Arrays.copyOf(bytes, larger(bytes.length, used + got));
                into.get(at, bytes, used, got);
                used += got;
                context.pollThreadEvents();
            }
        }
        return used == bytes.length ? bytes : Arrays.copyOf(bytes, used);
    }

    private static int larger(int length, int needed) {
        return (int) Math.min(LARGEST, Math.max(needed, 2L * length));
    }

    /** Waits in growing steps, since a thread in a system call cannot be interrupted. */
    private static void await(ThreadContext context, int file, Buffer buffer) {
        int at = Buffer.STATUS;
        int milliseconds = 1;
        buffer.bytes.putInt(at, file).putShort(at + 4, (short) Libc.POLLIN);
        do {
            context.pollThreadEvents();
            milliseconds = Math.min(milliseconds * 2, 32);
        } while (Libc.poll(buffer.address + at, milliseconds) <= 0);
    }

    private static int open(ThreadContext context, Buffer buffer, int flags) {
        for (;;) {
            int descriptor = Libc.openat(Libc.AT_FDCWD, buffer.address, flags, 0);
            if (descriptor != -EINTR) return descriptor;
            context.pollThreadEvents();
        }
    }

    /** Gives bytes the default encodings, as File.read does. */
    private static IRubyObject encoded(ThreadContext context, byte[] bytes, boolean binary) {
        Ruby runtime = context.runtime;
        Encoding external = binary ? ASCIIEncoding.INSTANCE : EncodingUtils.defaultExternalEncoding(runtime);
        Encoding internal = runtime.getDefaultInternalEncoding();
        RubyString content = RubyString.newStringNoCopy(runtime, new ByteList(bytes, false), external, 0);
        if (internal == null || internal == external || external == ASCIIEncoding.INSTANCE) return content;
        return content.callMethod(context, "encode", runtime.getEncodingService().getDefaultInternal());
    }
}
