package io.millrace.pipeline.rules;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.schema.NearestName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the rules that appear in the files of a folder, {@code PIPELINE.yml}. Polls the content of the files, because
 * notifications are not available for network file systems and replaced symbolic links. Every process that watches the
 * folder submits a change; the history accepts it once.
 */
public final class RulesWatch implements BackgroundTasks, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RulesWatch.class);
    private static final String ENDING = ".yml";
    private static final String NAME = "rules-watch";

    private final Path folder;
    private final List<WatchedFile> files;
    private final List<BackgroundTask> tasks = new ArrayList<>();
    private final Set<String> reported = new HashSet<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(NAME).daemon().factory());

    /** @param folder the folder; need not exist */
    public RulesWatch(Path folder, RuleChanges changes) {
        this.folder = folder;
        files = changes.all().stream()
                .map(rules -> new WatchedFile(
                        new RulesFile(folder.resolve(rules.pipeline().name() + ENDING)), rules, changes))
                .toList();
    }

    /** Starts to poll. */
    public void start(Duration interval) {
        if (files.isEmpty()) {
            return;
        }
        schedule(NAME, interval, this::reportUnknownFiles);
        files.forEach(file -> schedule(NAME + "-" + file.pipeline(), interval, file::poll));
    }

    /** A task per pipeline: one whose store does not answer must not delay another one. */
    private void schedule(String name, Duration interval, Runnable action) {
        BackgroundTask task = new BackgroundTask(name);
        tasks.add(task);
        long nanos = interval.toNanos();
        var _ = thread.scheduleWithFixedDelay(() -> task.run(action), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** Logs each file that belongs to no pipeline once: its name may be misspelt. */
    private void reportUnknownFiles() {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<String> pipelines = files.stream().map(WatchedFile::pipeline).toList();
        for (String name : fileNames()) {
            boolean known = pipelines.stream().anyMatch(pipeline -> name.equals(pipeline + ENDING));
            if (!known && reported.add(name)) {
                String pipeline = name.replaceFirst("\\.ya?ml$", "");
                LOG.warn(
                        "Watched folder '{}' has the file '{}', which belongs to no pipeline of this process{} Name"
                                + " files PIPELINE.yml.",
                        folder,
                        name,
                        NearestName.hint(pipeline, pipelines));
            }
        }
    }

    private List<String> fileNames() {
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> name.endsWith(".yml") || name.endsWith(".yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return List.copyOf(tasks);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
