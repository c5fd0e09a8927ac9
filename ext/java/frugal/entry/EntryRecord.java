package frugal.entry;

import java.math.BigInteger;
import java.util.zip.CRC32;
import org.jcodings.specific.ASCIIEncoding;
import org.jruby.Ruby;
import org.jruby.RubyBignum;
import org.jruby.RubyClass;
import org.jruby.RubyNumeric;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/**
 * Frugal::Native::Java::EntryRecord: finds the newest valid record in the bytes of an entry's file.
 * lib/frugal/entries/format.rb describes them.
 */
public final class EntryRecord {
    static final int HEAD = 16;
    /** Not 0 if the file is about to be deleted or replaced. */
    static final int FLAG_AT = 15;
    static final int ID = 6;
    private static final byte[] MAGIC = {'f', 'r', 'u', 'g', 'a', 'l', 'E', '1'};
    private static final int EXPONENT_AT = 8;
    private static final int ID_AT = 9;
    private static final int SMALLEST = 12;
    private static final int LARGEST = 17;
    private static final int RECORD_HEAD = 32;

    private final byte[] content;
    private final int slot;
    /** Where the slot begins. */
    private final int at;
    private boolean settled;

    private EntryRecord(byte[] content, int slot) {
        this.content = content;
        this.slot = slot;
        this.at = offset(content, slot);
    }

    /** Whether the content begins with the head of an entry whose key has this identity. */
    static boolean belongs(byte[] content, byte[] id) {
        if (content.length < HEAD) return false;
        for (int i = 0; i < MAGIC.length; i++) {
            if (content[i] != MAGIC[i]) return false;
        }
        for (int i = 0; i < ID; i++) {
            if (content[ID_AT + i] != id[i]) return false;
        }
        return content[EXPONENT_AT] == 0 || hasTwoSlots(content);
    }

    /** The newest valid record of a content whose head is valid, or null. */
    static EntryRecord find(byte[] content) {
        if (content.length < HEAD) return null;
        EntryRecord first = new EntryRecord(content, 0);
        EntryRecord second = hasTwoSlots(content) ? new EntryRecord(content, 1) : null;
        if (!first.fits()) first = null;
        if (second != null && !second.fits()) second = null;
        if (first == null || second != null && Long.compareUnsigned(second.sequence(), first.sequence()) > 0) {
            EntryRecord older = first;
            first = second;
            second = older;
        }
        EntryRecord found = first != null && first.isValid() ? first : second;
        if (found == null || found == second && !second.isValid()) return null;
        found.settled = found.seemsSettled();
        return found;
    }

    private static boolean hasTwoSlots(byte[] content) {
        return content[EXPONENT_AT] >= SMALLEST && content[EXPONENT_AT] <= LARGEST;
    }

    private static int offset(byte[] content, int slot) {
        return HEAD + (slot == 0 ? 0 : ((1 << content[EXPONENT_AT]) - HEAD) / 2);
    }

    private boolean fits() {
        return content.length >= at + RECORD_HEAD && sequence() != 0 && size() <= content.length - at - RECORD_HEAD;
    }

    /** The checksum is that of the head of the file, of the record's head, and of the payload. */
    private boolean isValid() {
        CRC32 sum = new CRC32();
        sum.update(content, 0, FLAG_AT);
        sum.update(content, at + 4, RECORD_HEAD - 4 + (int) size());
        return (int) sum.getValue() == read32(content, at);
    }

    /**
     * Whether the other slot is empty, or has the previous record, valid or not. Then neither slot was being written
     * while the content was read.
     */
    private boolean seemsSettled() {
        if (!hasTwoSlots(content)) return true;
        int other = offset(content, 1 - slot);
        long before = content.length < other + 16 ? 0 : read64(content, other + 8);
        return before == 0 || before == sequence() - 1;
    }

    boolean isSettled() {
        return settled;
    }

    private long size() {
        return read32(content, at + 4) & 0xffffffffL;
    }

    private long sequence() {
        return read64(content, at + 8);
    }

    /** An object of a Struct with the members of Frugal::Entries::Record. */
    IRubyObject toStruct(ThreadContext context, IRubyObject kind) {
        Ruby runtime = context.runtime;
        ByteList payload = new ByteList(content, at + RECORD_HEAD, (int) size(), ASCIIEncoding.INSTANCE, true);
        return ((RubyClass) kind).newInstance(context, new IRubyObject[] {
            RubyString.newString(runtime, payload), runtime.newFixnum(content[at + 28] & 0xff),
            unsigned(runtime, read64(content, at + 16)), runtime.newFixnum(read32(content, at + 24) & 0xffffffffL),
            unsigned(runtime, sequence()), runtime.newFixnum(slot), runtime.newBoolean(settled)
        }, Block.NULL_BLOCK);
    }

    private static IRubyObject unsigned(Ruby runtime, long value) {
        if (value >= 0) return runtime.newFixnum(value);
        return RubyBignum.newBignum(runtime, new BigInteger(Long.toUnsignedString(value)));
    }

    private static int read32(byte[] bytes, int at) {
        return bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff) << 16 | bytes[at + 3] << 24;
    }

    private static long read64(byte[] bytes, int at) {
        return read32(bytes, at) & 0xffffffffL | (long) read32(bytes, at + 4) << 32;
    }

    /** decode(content, klass) -> the newest valid record, an object of `klass`; nil */
    @JRubyMethod(meta = true)
    public static IRubyObject decode(ThreadContext context, IRubyObject self, IRubyObject content, IRubyObject kind) {
        EntryRecord found = find(content.convertToString().getBytes());
        return found == null ? context.nil : found.toStruct(context, kind);
    }

    /** checksum(bytes, crc) -> CRC-32 of the bytes, after bytes whose CRC-32 is `crc` */
    @JRubyMethod(meta = true)
    public static IRubyObject checksum(ThreadContext context, IRubyObject self, IRubyObject bytes, IRubyObject crc) {
        ByteList list = bytes.convertToString().getByteList();
        int before = (int) RubyNumeric.num2long(crc);
        int sum = EntryChecksum.after(before, list.unsafeBytes(), list.begin(), list.realSize());
        return context.runtime.newFixnum(sum & 0xffffffffL);
    }
}
