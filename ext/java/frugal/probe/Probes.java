package frugal.probe;

import frugal.binding.Engine;
import frugal.system.Buffers;
import frugal.system.Buffers.Buffer;
import frugal.system.Libc;
import frugal.system.Statx;
import java.util.ArrayList;
import java.util.List;
import org.joda.time.DateTime;
import org.jruby.Ruby;
import org.jruby.RubyArray;
import org.jruby.RubyFile;
import org.jruby.RubyString;
import org.jruby.RubyTime;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * The probes that take one system call: a miss is nil, and no exception of Ruby or Java is made for it. Each method
 * has the contract of its twin in lib/frugal/probe.rb.
 */
public final class Probes {
    /** How many paths of a batch are handled before the thread polls its events. */
    private static final int BETWEEN_EVENTS = 64;
    /** The last second whose nanoseconds surely fit into a long. */
    private static final long LAST_SECOND = Long.MAX_VALUE / 1_000_000_000 - 1;

    private Probes() {
    }

    @JRubyMethod
    public static IRubyObject mtime(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, 0, "mtime", Probes::time);
    }

    @JRubyMethod
    public static IRubyObject size(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, 0, "size", (runtime, buffer) -> runtime.newFixnum(Statx.size(buffer)));
    }

    @JRubyMethod
    public static IRubyObject stat(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, 0, "stat", FileStatus::object);
    }

    @JRubyMethod
    public static IRubyObject type(ThreadContext context, IRubyObject self, IRubyObject path) {
        return ask(context, path, Libc.AT_SYMLINK_NOFOLLOW, "type", Probes::typeName);
    }

    @JRubyMethod(name = "exist?")
    public static IRubyObject exist(ThreadContext context, IRubyObject self, IRubyObject path) {
        RubyString name = RubyFile.get_path(context, path);
        Buffer buffer = Buffers.take();
        try {
            int errno = examine(name, buffer, 0);
            if (errno == Engine.STOCK || Engine.refused(errno)) {
                return Engine.instance.without(context, Engine.STOCK, "exist?", name);
            }
            return errno == 0 ? context.tru : context.fals;
        } finally {
            Buffers.give(buffer);
        }
    }

    @JRubyMethod
    public static IRubyObject mtimes(ThreadContext context, IRubyObject self, IRubyObject paths) {
        return askAll(context, paths, "mtime", Probes::time);
    }

    @JRubyMethod
    public static IRubyObject stats(ThreadContext context, IRubyObject self, IRubyObject paths) {
        return askAll(context, paths, "stat", FileStatus::object);
    }

    @JRubyMethod
    public static IRubyObject readlink(ThreadContext context, IRubyObject self, IRubyObject path) {
        RubyString name = RubyFile.get_path(context, path);
        Buffer buffer = Buffers.take();
        try {
            Engine engine = Engine.instance;
            if (!engine.paths.write(name, buffer)) return engine.without(context, Engine.STOCK, "readlink", name);

            // The room is more than the kernel's limit of 4,096 bytes, so the target is never cut.
            int length = Libc.readlink(buffer.address, buffer.data(), Buffer.DATA_ROOM);
            if (length < 0) return engine.without(context, -length, "readlink", name);

            byte[] target = new byte[length];
            buffer.get(Buffer.DATA, target, 0, length);
            return RubyString.newStringNoCopy(context.runtime, new ByteList(target, false),
                context.runtime.getDefaultFilesystemEncoding(), 0);
        } finally {
            Buffers.give(buffer);
        }
    }

    /** Makes an answer from the status in a buffer. */
    interface Answer {
        IRubyObject of(Ruby runtime, Buffer buffer);
    }

    private static IRubyObject ask(ThreadContext context, IRubyObject path, int flags, String probe, Answer answer) {
        RubyString name = RubyFile.get_path(context, path);
        Buffer buffer = Buffers.take();
        try {
            int errno = examine(name, buffer, flags);
            return errno == 0 ? answer.of(context.runtime, buffer)
                : Engine.instance.without(context, errno, probe, name);
        } finally {
            Buffers.give(buffer);
        }
    }

    /** Converts all paths first: the conversion may run code of the program, which may change the list. */
    private static IRubyObject askAll(ThreadContext context, IRubyObject paths, String probe, Answer answer) {
        List<RubyString> names = new ArrayList<>();
        RubyArray<?> list = (RubyArray<?>) paths.convertToArray().dup();
        for (int i = 0; i < list.size(); i++) names.add(RubyFile.get_path(context, list.eltOk(i)));

        Batch batch = Batch.run(context, names);
        RubyArray<?> answers = context.runtime.newArray(names.size());
        Buffer buffer = Buffers.take();
        try {
            for (int i = 0; i < names.size(); i++) {
                if (i % BETWEEN_EVENTS == 0) context.pollThreadEvents();
                int errno = batch == null ? examine(names.get(i), buffer, 0) : batch.status(i, buffer);
                answers.append(errno == 0 ? answer.of(context.runtime, buffer)
                    : Engine.instance.without(context, errno, probe, names.get(i)));
            }
            return answers;
        } finally {
            Buffers.give(buffer);
        }
    }

    /** @return 0, a positive errno, or STOCK */
    private static int examine(RubyString path, Buffer buffer, int flags) {
        if (!Engine.instance.paths.write(path, buffer)) return Engine.STOCK;
        return -Libc.statx(Libc.AT_FDCWD, buffer.address, flags, buffer.status());
    }

    private static IRubyObject time(Ruby runtime, Buffer buffer) {
        return time(runtime, Statx.seconds(buffer, Statx.MTIME), Statx.nanoseconds(buffer, Statx.MTIME));
    }

    /** A Time as JRuby makes it. Those before 1970 do not equal other Times. There are none beyond the year 2262. */
    public static RubyTime time(Ruby runtime, long seconds, int nanoseconds) {
        if (Math.abs(seconds) < LAST_SECOND) {
            return RubyTime.newTimeFromNanoseconds(runtime, seconds * 1_000_000_000 + nanoseconds);
        }
        DateTime time = new DateTime(seconds * 1000 + nanoseconds / 1_000_000, RubyTime.getLocalTimeZone(runtime));
        return RubyTime.newTime(runtime, time, nanoseconds % 1_000_000);
    }

    private static IRubyObject typeName(Ruby runtime, Buffer buffer) {
        return runtime.newString(Statx.type(Statx.mode(buffer)));
    }
}
