package io.millrace.pipeline;

import static io.millrace.pipeline.rules.RulesRunner.all;
import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.pipeline.rules.RulesRunner;
import io.millrace.pipeline.rules.RulesRunner.Gate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Tables that change while the pipelines that use them run, and between two starts. */
class TableChangeTest {

    private static final int RECORDS = 900;
    private static final int DESKS = 10;
    private static final String REGIONS = """
            a: { layout: blocks, block-records: 64, persistent: true }
            b: { layout: blocks, block-records: 64, persistent: true }
            """;
    private static final String STEPS = """
            steps:
            - enrich: { table: desks, key: id % 10, add: { target: target } }
            - route: [ { when: target == 1, to: a }, { otherwise: b } ]
            """;

    @TempDir
    Path folder;

    private RulesRunner runner;
    private Path trades;

    @BeforeEach
    void prepare() throws IOException {
        runner = new RulesRunner(folder);
        trades = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(RECORDS, 1));
    }

    /** Writes the table: records of one desk go to region a, all others to region b. */
    private void writeTable(int desk) {
        StringBuilder rows = new StringBuilder("id,target\n");
        IntStream.range(0, DESKS)
                .forEach(i -> rows.append(i).append(',').append(i == desk ? 1 : 0).append('\n'));
        try {
            Path next = Files.writeString(folder.resolve("next"), rows);
            Files.move(next, folder.resolve("desks.csv"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ApplicationContextRunner service(Path data) {
        return runner.configured(REGIONS, "feed: { file: " + trades + " }", STEPS)
                .withPropertyValues(
                        "millrace.data=" + data,
                        "millrace.tables.desks.file=" + folder.resolve("desks.csv"),
                        "millrace.tables.desks.key=id");
    }

    /** Returns a copy of the data folder, as a killed process leaves it. */
    private Path killed(Path data, String name) throws IOException {
        Path copy = folder.resolve(name);
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.toList()) {
                Path target = copy.resolve(data.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else if (!file.toString().endsWith(".lk")) {
                    Files.copy(file, target);
                }
            }
        }
        return copy;
    }

    private static Set<Long> ids(ApplicationContext context, String region) {
        List<Long> ids = all(context, region).stream().map(RulesRunner::id).toList();
        assertThat(ids).doesNotHaveDuplicates();
        return new TreeSet<>(ids);
    }

    private static void requireEachOnce(ApplicationContext context) {
        Set<Long> a = ids(context, "a");
        Set<Long> b = ids(context, "b");
        assertThat(a).doesNotContainAnyElementsOf(b);
        assertThat(a.size() + b.size()).isEqualTo(RECORDS);
    }

    @Test
    void shouldProcessRecordsAgainWithTheRowsThatProcessedThemBeforeTheCrash() throws IOException {
        writeTable(0);
        Path data = folder.resolve("data");
        service(data).withBean(Gate.class).withPropertyValues("millrace.flush=1h").run(context -> {
            Gate.of(context).pass(3);
            // Region b is ahead of the commit and of region a, whose first block is not full.
            await().until(() -> all(context, "b").size() == 256);
            killed(data, "killed");
            Gate.of(context).open();
        });
        writeTable(1);
        service(folder.resolve("killed")).run(context -> {
            done(context);
            requireEachOnce(context);
            assertThat(ids(context, "a")).contains(10L, 250L).doesNotContain(11L, 251L);
        });
    }
}
