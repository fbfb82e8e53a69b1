package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.annotation.ServiceActivator;

/** Files that are overwritten or truncated in place, as by cp, copytruncate or rsync --inplace, while they are read. */
class ChangedFileTest {

    private static final int MONDAY = 20_000;
    private static final int TUESDAY = 30_000;

    /** Number of records after which a file is changed while it is read. */
    private static final int READ = 8_192;

    private static final long FLUSH_NANOS = 1_000_000;

    @TempDir
    Path folder;

    private Path file;
    private byte[] monday;
    private byte[] tuesday;
    private ApplicationContextRunner runner;

    @BeforeEach
    void write() throws IOException {
        monday = Files.readAllBytes(TradeFile.write(folder.resolve("monday.bin"), TradeFile.random(MONDAY, 1)));
        tuesday = Files.readAllBytes(TradeFile.write(folder.resolve("tuesday.bin"), TradeFile.random(TUESDAY, 2)));
        file = Files.write(folder.resolve("trades.bin"), monday);
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  flush: 1ms
                  regions:
                    buys: { layout: blocks, persistent: true }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps: [ { to: buys } ]
                """.formatted(file));
        runner = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues(
                        "spring.config.location=" + config.toUri(), "millrace.data=" + folder.resolve("data"));
    }

    @Test
    void shouldRefuseAFileThatWasOverwrittenBeforeTheStop() {
        runner.run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.DONE);
            overwrite(tuesday);
        });
        runner.run(context -> {
            await().until(() -> pipeline(context).ended());
            assertThat(pipeline(context).state()).isEqualTo(PipelineState.FAILED);
            assertThat(pipeline(context).error())
                    .contains("trades.bin' begins with other bytes than before", "millrace positions reset")
                    .endsWith("[changed-feed]");
            assertThat(ids(context)).hasSize(MONDAY);
        });
    }

    @Test
    void shouldFailAtAStopIfItsFileWasOverwritten() {
        Pipeline[] stopped = new Pipeline[1];
        runner.run(context -> {
            stopped[0] = pipeline(context);
            await().until(() -> stopped[0].state() == PipelineState.DONE);
            overwrite(tuesday);
        });
        assertThat(stopped[0].state()).isEqualTo(PipelineState.FAILED);
        assertThat(stopped[0].error())
                .contains("trades.bin' was overwritten while it was open: it begins with other bytes");
    }

    @Test
    void shouldFailIfItsFileIsOverwrittenWhileItIsReadAndContinueOnceItIsRestored() {
        changedWhileItIsRead(() -> overwrite(tuesday), "was overwritten while it was open");
    }

    @Test
    void shouldFailIfItsFileIsTruncatedWhileItIsReadAndContinueOnceItIsRestored() {
        changedWhileItIsRead(
                () -> truncate((READ + 2_000) * TradeFile.LENGTH),
                "was truncated while it was open: it has " + (READ + 2_000) * TradeFile.LENGTH + " bytes, but had "
                        + MONDAY * TradeFile.LENGTH + ".");
    }

    @Test
    void shouldFailIfItsFileIsTruncatedBeforeWhatWasRead() {
        changedWhileItIsRead(() -> truncate(TradeFile.LENGTH), "was truncated while it was open: it has 39 bytes");
    }

    private void changedWhileItIsRead(Change change, String problem) {
        runner.withBean(AfterBatches.class, () -> new AfterBatches(change)).run(context -> {
            await().until(() -> pipeline(context).ended());
            assertThat(pipeline(context).state()).isEqualTo(PipelineState.FAILED);
            assertThat(pipeline(context).error()).contains(problem).endsWith("[changed-feed]");
        });

        overwrite(monday);
        runner.run(context -> {
            await().until(() -> pipeline(context).ended());
            assertThat(pipeline(context).error()).isNull();
            assertThat(ids(context))
                    .isEqualTo(LongStream.rangeClosed(1, MONDAY).boxed().toList());
        });
    }

    private void overwrite(byte[] bytes) {
        try {
            Object key = Files.getAttribute(file, "unix:ino");
            Files.write(file, bytes);
            assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void truncate(long size) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Pipeline pipeline(ApplicationContext context) {
        return context.getBean(Pipelines.class).named("trades").orElseThrow();
    }

    private static List<Long> ids(ApplicationContext context) {
        return context
                .getBean(Store.class)
                .query("buys", new Query(null, List.of("id"), List.of("id"), Query.MAX_LIMIT))
                .records()
                .stream()
                .map(record -> (Long) record.get("id"))
                .toList();
    }

    private interface Change {
        void make();
    }

    /** Changes the file once a number of records has been read. */
    static final class AfterBatches {

        private final Change change;
        private boolean changed;

        private AfterBatches(Change change) {
            this.change = change;
        }

        @ServiceActivator(inputChannel = "trades.admitted")
        void read(RecordBatch batch) {
            if (!changed && batch.to() >= (long) READ * TradeFile.LENGTH) {
                changed = true;
                long startNanos = System.nanoTime();
                change.make();
                while (System.nanoTime() - startNanos < FLUSH_NANOS) { // so that the next flush is due
                    Thread.onSpinWait();
                }
            }
        }
    }
}
