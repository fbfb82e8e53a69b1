package io.millrace.store.geode.cache;

import io.millrace.codec.file.FileErrors;
import io.millrace.store.error.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names and lengths of the files of a disk store, listed in a file while the store is closed. Geode reads a file
 * that was truncated up to its end: without the list, removed entries would come back, or values be missing only when
 * they are read. After a crash there is no list, because the files have other lengths than Geode needs. Not
 * thread-safe.
 */
final class DiskFiles {

    private static final Logger LOG = LoggerFactory.getLogger(DiskFiles.class);

    private static final String LIST = "millrace.files";
    /** What Geode puts before the names of the files of persistent regions; others don't outlast the process. */
    private static final String PREFIX = "BACKUP";

    private final Path folder;
    private final Path list;

    DiskFiles(Path folder) {
        this.folder = folder;
        this.list = folder.resolve(LIST);
    }

    /**
     * Requires that all files are at least as long as when the store was closed, and deletes the list, because the
     * files change from now on.
     *
     * @throws CorruptDataException naming a file that is shorter or missing
     */
    void requireIntact() throws IOException {
        if (!Files.exists(list)) {
            return;
        }
        for (String line : Files.readAllLines(list)) {
            int space = line.indexOf(' ');
            try {
                requireLength(
                        folder.resolve(line.substring(space + 1)),
                        Long.parseLong(line.substring(0, Math.max(0, space))));
            } catch (NumberFormatException e) {
                throw new CorruptDataException(
                        "Invalid line '" + line + "' of file '" + list + "'. Expected a length and a file name. "
                                + Causes.RESTORE,
                        e);
            }
        }
        Files.delete(list);
    }

    private static void requireLength(Path file, long length) throws IOException {
        if (!Files.exists(file)) {
            throw new CorruptDataException(
                    "Disk file '" + file + "' is missing: it had " + length + " bytes when it was closed. "
                            + Causes.RESTORE,
                    null);
        }
        if (Files.size(file) < length) {
            throw new CorruptDataException(
                    "Disk file '" + file + "' is truncated: it has " + Files.size(file) + " bytes, and had " + length
                            + " when it was closed. " + Causes.RESTORE,
                    null);
        }
    }

    /** Lists the files after the store was closed. If that is not possible, the next start does not check them. */
    void list() {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> lines = new ArrayList<>();
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                String name = String.valueOf(file.getFileName());
                if (name.startsWith(PREFIX)) {
                    lines.add(Files.size(file) + " " + name);
                }
            }
            Path next = Files.write(folder.resolve(LIST + ".next"), lines);
            Files.move(next, list, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warn("Disk files not listed: reason={}", FileErrors.describe(list.toString(), e));
        }
    }
}
