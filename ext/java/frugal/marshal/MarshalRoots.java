package frugal.marshal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import org.jcodings.Encoding;
import org.jcodings.specific.ASCIIEncoding;
import org.jcodings.specific.USASCIIEncoding;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.Ruby;
import org.jruby.RubyHash;
import org.jruby.RubyString;
import org.jruby.RubySymbol;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** The roots of a store by their places in its bytes, and how to replace some of them. */
final class MarshalRoots {
    byte[] bytes;
    int size;
    /** Whether the array is not shared, so it can be changed. */
    private boolean own;
    int count;
    /** {key => number of its root}, in the order of the store. */
    RubyHash numbers;
    private final Ruby runtime;
    private ArrayList<ByteList> symbols;
    private HashMap<ByteList, Integer> symbolNumbers;
    private boolean textKeys;
    /** For each root, and for the end: where the key and the value begin, and how many symbols precede them. */
    private int[] keys;
    private int[] values;
    private int[] keySymbols;
    private int[] valueSymbols;

    private MarshalRoots(Ruby runtime) {
        this.runtime = runtime;
    }

    /** @return null: the bytes are damaged, or have values that have to be loaded as a whole */
    static MarshalRoots of(Ruby runtime, byte[] bytes, int size) {
        MarshalRoots roots = new MarshalRoots(runtime);
        return roots.read(bytes, size) ? roots : null;
    }

    private boolean read(byte[] from, int length) {
        MarshalScan scan = new MarshalScan(from, length, new ArrayList<>());
        int found = scan.open('{');
        if (found < 0) return false;
        RubyHash table = RubyHash.newHash(runtime);
        int[][] places = new int[4][found + 1];
        for (int i = 0; i <= found; i++) {
            places[0][i] = scan.at;
            places[2][i] = scan.symbols.size();
            if (i == found) break;
            IRubyObject key = key(scan);
            if (key == null) return false;
            table.fastASet(key, runtime.newFixnum(i));
            places[1][i] = scan.at;
            places[3][i] = scan.symbols.size();
            if (!scan.value(0)) return false;
        }
        if (scan.at != length || table.size() != found) return false; // more bytes, or two equal keys
        bytes = from;
        size = length;
        own = false;
        count = found;
        numbers = table;
        symbols = scan.symbols;
        symbolNumbers = new HashMap<>();
        for (int i = 0; i < symbols.size(); i++) symbolNumbers.put(symbols.get(i), i);
        textKeys = scan.textKeys;
        keys = places[0];
        values = places[1];
        keySymbols = places[2];
        valueSymbols = places[3];
        return true;
    }

    /** The key that Marshal.load makes: an Integer, a Symbol, or a frozen String that is the same in all Hashes. */
    private IRubyObject key(MarshalScan scan) {
        int from = scan.at;
        if (!scan.value(0)) return null;
        switch (scan.bytes[from]) {
            case 'i': return integer(scan.bytes, scan.size, from);
            case ':': case ';': return RubySymbol.newSymbol(runtime, scan.symbolAt(from));
            case '"': case 'I':
                RubyString text = string(scan.bytes, scan.size, from, scan.at);
                return runtime.freezeAndDedupString(text);
            default: return null;
        }
    }

    private IRubyObject integer(byte[] from, int length, int offset) {
        MarshalScan scan = new MarshalScan(from, length, null);
        scan.at = offset + 1;
        return runtime.newFixnum(scan.number());
    }

    private RubyString string(byte[] from, int length, int offset, int end) {
        MarshalScan scan = new MarshalScan(from, length, null);
        boolean encoded = from[offset] == 'I';
        scan.at = offset + (encoded ? 2 : 1);
        int used = scan.count();
        Encoding encoding = !encoded ? ASCIIEncoding.INSTANCE
            : from[end - 1] == 'T' ? UTF8Encoding.INSTANCE : USASCIIEncoding.INSTANCE;
        return RubyString.newString(runtime, new ByteList(from, scan.at, used, encoding, true));
    }

    /** A value that needs no Marshal.load; null for another one. */
    IRubyObject simple(int root) {
        switch (bytes[values[root]]) {
            case '0': return runtime.getNil();
            case 'T': return runtime.getTrue();
            case 'F': return runtime.getFalse();
            case 'i': return integer(bytes, size, values[root]);
            case '"': case 'I': return string(bytes, size, values[root], keys[root + 1]);
            default: return null;
        }
    }

    /** A dump of the value of a root, or of an Array of the values of several. */
    MarshalWriter dump(int[] roots, boolean array) {
        MarshalWriter out = new MarshalWriter(256);
        if (array) out.open('[', roots.length);
        else {
            out.put(4);
            out.put(8);
        }
        MarshalScan scan = new MarshalScan(bytes, size, symbols);
        for (int root : roots) scan.copy(values[root], out);
        return out;
    }

    /**
     * Replaces, removes and adds roots.
     *
     * @param dump of an Array: the values of the changed roots, then a key and a value for each added one
     * @return where the bytes differ from the old ones, as {from, to}, or {}; null: the whole has to be dumped
     */
    int[] update(int[] changed, int[] removed, int added, byte[] dump) {
        MarshalScan scan = new MarshalScan(dump, dump.length, new ArrayList<>());
        int elements = scan.open('[');
        if (elements != changed.length + 2 * added) return null;
        int[] places = new int[elements];
        for (int i = 0; i < elements; i++) {
            places[i] = scan.at;
            if (!scan.value(0)) return null;
        }
        if (scan.textKeys || added > 0 && textKeys) return null; // stock's dump may have a link to an equal key
        if (changed.length == 1 && removed.length == 0 && added == 0) {
            int[] patch = replace(changed[0], scan, places[0]);
            if (patch != null) return patch;
        }
        return rewrite(changed, removed, scan, places);
    }

    /** Replaces one value, if the symbols behind it keep their numbers; otherwise null. */
    private int[] replace(int root, MarshalScan scan, int place) {
        int before = valueSymbols[root];
        MarshalWriter fresh = new MarshalWriter(64, symbolNumbers, before);
        scan.copy(place, fresh);
        if (!fresh.fresh.equals(symbols.subList(before, keySymbols[root + 1]))) return null;

        int from = values[root];
        int end = keys[root + 1];
        int more = fresh.size - (end - from);
        if (more == 0 && own) {
            System.arraycopy(fresh.bytes, 0, bytes, from, fresh.size);
            return new int[] {from, end};
        }
        byte[] all = new byte[size + more];
        System.arraycopy(bytes, 0, all, 0, from);
        System.arraycopy(fresh.bytes, 0, all, from, fresh.size);
        System.arraycopy(bytes, end, all, from + fresh.size, size - end);
        bytes = all;
        size += more;
        own = true;
        for (int i = root + 1; more != 0 && i <= count; i++) {
            keys[i] += more;
            values[i] += more;
        }
        return new int[] {from, more == 0 ? end : size};
    }

    private int[] rewrite(int[] changed, int[] removed, MarshalScan scan, int[] places) {
        int[] element = new int[count];
        Arrays.fill(element, -1);
        for (int root : removed) element[root] = -2;
        for (int i = 0; i < changed.length; i++) element[changed[i]] = i;
        int added = (places.length - changed.length) / 2;
        MarshalWriter out = new MarshalWriter(size + scan.size + 8).open('{', count - removed.length + added);
        MarshalScan old = new MarshalScan(bytes, size, symbols);
        for (int root = 0; root < count; root++) {
            if (element[root] == -2) continue;
            old.copy(keys[root], out);
            if (element[root] < 0) old.copy(values[root], out);
            else scan.copy(places[element[root]], out);
        }
        for (int i = changed.length; i < places.length; i++) scan.copy(places[i], out);

        byte[] before = bytes;
        int least = Math.min(size, out.size);
        boolean same = size == out.size;
        if (!read(out.bytes, out.size)) return null; // an added key is of another kind
        own = true;
        int from = 0;
        while (from < least && before[from] == bytes[from]) from++;
        if (same && from == size) return new int[0];
        int to = size;
        while (same && before[to - 1] == bytes[to - 1]) to--;
        return new int[] {from, to};
    }
}
