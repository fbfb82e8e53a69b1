package io.millrace.cli.check;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Waits for changes in the folders that contain some files, and in the folders in these. Not thread-safe. */
final class FolderWatch implements AutoCloseable {

    /** An editor may write a file in several steps. */
    private static final long QUIET_MILLIS = 100;

    private final WatchService service = FileSystems.getDefault().newWatchService();

    /** @throws IOException if a folder can't be watched, for example if there are too many of them */
    FolderWatch(Collection<Path> files) throws IOException {
        List<Path> folders = files.stream()
                .map(file -> Objects.requireNonNull(file.toAbsolutePath().getParent()))
                .distinct()
                .toList();
        for (Path folder : folders) {
            watch(folder);
            try (Stream<Path> entries = Files.list(folder)) {
                for (Path inner : entries.filter(Files::isDirectory).toList()) {
                    watch(inner);
                }
            }
        }
    }

    private void watch(Path folder) throws IOException {
        folder.register(service, ENTRY_CREATE, ENTRY_MODIFY, ENTRY_DELETE);
    }

    /**
     * Returns when files have changed since the previous call, and no more change.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    void await() throws InterruptedException {
        WatchKey changed = service.take();
        while (changed != null) {
            changed.pollEvents();
            changed.reset();
            changed = service.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() throws IOException {
        service.close();
    }
}
