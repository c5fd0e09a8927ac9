package frugal.marshal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import org.jruby.util.ByteList;

/** The bytes of a Marshal dump. A symbol is written in full once, and as a link afterwards. */
final class MarshalWriter {
    byte[] bytes;
    int size;
    /** The symbols that were written in full. */
    final ArrayList<ByteList> fresh = new ArrayList<>();
    private final HashMap<ByteList, Integer> numbers = new HashMap<>();
    private final HashMap<ByteList, Integer> earlier;
    private final int before;

    MarshalWriter(int room) {
        this(room, null, 0);
    }

    /** For a part of a dump. The symbols before this part are the first ones of the table `earlier`. */
    MarshalWriter(int room, HashMap<ByteList, Integer> earlier, int before) {
        this.bytes = new byte[room];
        this.earlier = earlier;
        this.before = before;
    }

    /** The start of a dump with one container. */
    MarshalWriter open(char type, int count) {
        put(4);
        put(8);
        put(type);
        number(count);
        return this;
    }

    void put(int one) {
        reserve(1);
        bytes[size++] = (byte) one;
    }

    void put(byte[] from, int begin, int end) {
        reserve(end - begin);
        System.arraycopy(from, begin, bytes, size, end - begin);
        size += end - begin;
    }

    void symbol(ByteList name) {
        Integer number = numbers.get(name);
        if (number == null && earlier != null) {
            number = earlier.get(name);
            if (number != null && number >= before) number = null;
        }
        put(number == null ? ':' : ';');
        if (number != null) {
            number(number);
            return;
        }
        numbers.put(name, before + fresh.size());
        fresh.add(name);
        number(name.realSize());
        put(name.unsafeBytes(), name.begin(), name.begin() + name.realSize());
    }

    /** An Integer of at most 31 bits. */
    void number(int number) {
        if (number == 0) put(0);
        else if (number > 0 && number < 123) put(number + 5);
        else if (number < 0 && number > -124) put(number - 5);
        else {
            reserve(5);
            int length = size++;
            for (int rest = number; rest != 0 && rest != -1; rest >>= 8) bytes[size++] = (byte) rest;
            int width = size - length - 1;
            bytes[length] = (byte) (number < 0 ? -width : width);
        }
    }

    private void reserve(int more) {
        if (more > bytes.length - size) bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
}
