import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists folders as sorted strings. Each line of standard input is a way (walk: Files.walk, follows links; files:
 * File.listFiles; fork: File.listFiles in a ForkJoinPool), a tab and a folder. The answer is a line with the number of paths,
 * a space and the nanoseconds, or with the name of an error. One JVM lists all folders, so that neither its start nor its
 * compiler is measured.
 */
final class Lister {
    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split("\t");
            System.out.println(answer(words[0], words[1]));
            System.out.flush();
        }
    }

    private static String answer(String way, String folder) {
        long started = System.nanoTime();
        try {
            String[] paths = list(way, folder);
            Arrays.sort(paths);
            return paths.length + " " + (System.nanoTime() - started);
        } catch (UncheckedIOException error) {
            return error.getCause().getClass().getSimpleName();
        } catch (IOException error) {
            return error.getClass().getSimpleName();
        }
    }

    private static String[] list(String way, String folder) throws IOException {
        List<String> paths = new ArrayList<>();
        switch (way) {
            case "files": below(new File(folder), paths); break;
            case "fork": paths = ForkJoinPool.commonPool().invoke(new Below(new File(folder))); break;
            default:
                try (Stream<Path> all = Files.walk(Path.of(folder), FileVisitOption.FOLLOW_LINKS)) {
                    paths = all.skip(1).map(Path::toString).collect(Collectors.toList());
                }
        }
        return paths.toArray(new String[0]);
    }

    private static void below(File folder, List<String> paths) {
        File[] children = folder.listFiles();
        if (children == null) {
            return;
        }
        for (File child : children) {
            paths.add(child.getPath());
            below(child, paths);
        }
    }

    /** A task for each directory. */
    private static final class Below extends RecursiveTask<List<String>> {
        private final File folder;

        Below(File folder) {
            this.folder = folder;
        }

        @Override
        protected List<String> compute() {
            List<String> paths = new ArrayList<>();
            List<Below> tasks = new ArrayList<>();
            File[] children = folder.listFiles();
            for (File child : children == null ? new File[0] : children) {
                paths.add(child.getPath());
                if (child.isDirectory()) {
                    tasks.add(new Below(child));
                }
            }
            invokeAll(tasks).forEach(task -> paths.addAll(task.join()));
            return paths;
        }
    }
}
