import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists folders and follows links. Each line of standard input is a folder. The answer is
 * a line with the number of paths, a space and the nanoseconds, or with the name of an
 * error. One JVM lists all folders, so that neither its start nor its compiler is measured.
 */
public final class Walk {
    public static void main(String[] arguments) throws IOException {
        BufferedReader folders = new BufferedReader(new InputStreamReader(System.in));
        for (String folder = folders.readLine(); folder != null; folder = folders.readLine()) {
            System.out.println(answer(Path.of(folder)));
            System.out.flush();
        }
    }

    private static String answer(Path folder) {
        long started = System.nanoTime();
        try (Stream<Path> paths = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            List<String> names = paths.map(Path::toString).sorted().collect(Collectors.toList());
            return names.size() - 1 + " " + (System.nanoTime() - started);
        } catch (UncheckedIOException error) {
            return error.getCause().getClass().getSimpleName();
        } catch (IOException error) {
            return error.getClass().getSimpleName();
        }
    }
}
