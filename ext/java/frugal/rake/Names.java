package frugal.rake;

import org.jcodings.specific.UTF8Encoding;
import org.jruby.RubyString;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** Which names can be looked up without Rake. */
final class Names {
    private static final ByteList RAKE = new ByteList(new byte[] {'r', 'a', 'k', 'e', ':'}, false);

    private Names() {
    }

    static boolean exactString(IRubyObject value) {
        return value instanceof RubyString && value.getMetaClass() == value.getRuntime().getString();
    }

    /**
     * Whether a name is a String that Rake's look-up takes as it is. Rake matches names with /^rake:/ and /^\^/, which
     * raise on invalid bytes and also match after a newline. The file system rejects a NUL byte.
     */
    static boolean provable(IRubyObject value) {
        if (!exactString(value)) return false;
        RubyString name = (RubyString) value;
        ByteList bytes = name.getByteList();
        if (!bytes.getEncoding().isAsciiCompatible()) return false;
        if (has(bytes, '\n', '\0') || bytes.realSize() > 0 && bytes.get(0) == '^') return false;
        if (bytes.realSize() > 0 && bytes.get(0) == 'r' && bytes.startsWith(RAKE)) return false;
        name.scanForCodeRange();
        return name.isCodeRangeAsciiOnly() || bytes.getEncoding() == UTF8Encoding.INSTANCE && !name.isBrokenString();
    }

    /** Whether a name may belong to a namespace. */
    static boolean scoped(IRubyObject name) {
        return has(((RubyString) name).getByteList(), ':');
    }

    static boolean has(ByteList list, char wanted) {
        return has(list, wanted, wanted);
    }

    private static boolean has(ByteList list, char wanted, char other) {
        byte[] bytes = list.unsafeBytes();
        int end = list.begin() + list.realSize();
        for (int i = list.begin(); i < end; i++) {
            if (bytes[i] == wanted || bytes[i] == other) return true;
        }
        return false;
    }
}
