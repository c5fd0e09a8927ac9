import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks for files that may be missing. Each line of standard input is a question, a number of stack frames, the class that is
 * asked (File or Files) and the name of a file with paths, separated by tabs. The answer is a line with the number of paths
 * that exist, a space and the nanoseconds of processor time of this thread.
 */
public final class Ask {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split("\t");
            List<String> paths = Files.readAllLines(Paths.get(words[3]));
            System.out.println(deep(Integer.parseInt(words[1]), words[0], words[2].equals("File"), paths));
            System.out.flush();
        }
    }

    private static String deep(int frames, String question, boolean classic, List<String> paths) throws IOException {
        if (frames > 0) {
            return deep(frames - 1, question, classic, paths);
        }
        long started = THREADS.getCurrentThreadCpuTime();
        int found = 0;
        for (String path : paths) {
            found += (classic ? exists(question, new File(path)) : exists(question, Paths.get(path))) ? 1 : 0;
        }
        return found + " " + (THREADS.getCurrentThreadCpuTime() - started);
    }

    /** As far as java.io.File answers without an exception; it cannot read. */
    private static boolean exists(String question, File file) throws IOException {
        switch (question) {
            case "entries": return file.list() != null;
            case "mtime": return file.lastModified() != 0;
            default:
                try (FileInputStream stream = new FileInputStream(file)) {
                    return stream.readAllBytes() != null;
                } catch (FileNotFoundException missing) {
                    return false;
                }
        }
    }

    /** java.nio.file reports a miss by an exception. */
    private static boolean exists(String question, Path path) throws IOException {
        try {
            switch (question) {
                case "entries":
                    List<String> names = new ArrayList<>();
                    try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
                        children.forEach(child -> names.add(child.getFileName().toString()));
                    }
                    return true;
                case "mtime": return Files.getLastModifiedTime(path) != null;
                default: return Files.readAllBytes(path) != null;
            }
        } catch (NoSuchFileException missing) {
            return false;
        }
    }
}
