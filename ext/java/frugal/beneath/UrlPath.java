package frugal.beneath;

import java.util.Arrays;
import org.jruby.util.ByteList;

/** Decodes and normalizes the path of a URL. */
final class UrlPath {
    private UrlPath() {
    }

    /** Decodes each %XX once, and copies everything else. */
    static byte[] unescape(ByteList path) {
        byte[] bytes = new byte[path.realSize()];
        int used = 0;
        for (int at = 0; at < path.realSize(); at++) {
            byte one = (byte) path.get(at);
            if (one == '%' && at + 2 < path.realSize()) {
                int high = Character.digit((char) path.get(at + 1), 16);
                int low = Character.digit((char) path.get(at + 2), 16);
                if (high >= 0 && low >= 0) {
                    one = (byte) (high << 4 | low);
                    at += 2;
                }
            }
            bytes[used++] = one;
        }
        return Arrays.copyOf(bytes, used);
    }

    /**
     * Removes empty names and ".", and each ".." together with the name before it; the path never leads above its
     * beginning: "/a/./b/../c/" becomes "a/c".
     */
    static byte[] clean(byte[] path) {
        byte[] clean = new byte[path.length];
        int used = 0;
        for (int at = 0; at < path.length;) {
            int end = at;
            while (end < path.length && path[end] != '/') end++;
            int size = end - at;
            boolean dots = size <= 2 && (size < 1 || path[at] == '.') && (size < 2 || path[at + 1] == '.');
            if (!dots) {
                if (used > 0) clean[used++] = '/';
                System.arraycopy(path, at, clean, used, size);
                used += size;
            } else if (size == 2) {
                while (used > 0 && clean[used - 1] != '/') used--;
                if (used > 0) used--;
            }
            at = end + 1;
        }
        return Arrays.copyOf(clean, used);
    }
}
