package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.codec.RecordBatch;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;
import io.millrace.feed.Split;
import io.millrace.feed.file.FileFeed;
import io.millrace.feed.tcp.TcpFeed;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Feeds whose file or port is unavailable for a while. */
class FeedFailureTest {

    private static final int RECORDS = 20_000;

    @TempDir
    Path folder;

    private ApplicationContextRunner runner(String... feed) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withPropertyValues(
                        "millrace.data=" + folder.resolve("data"),
                        "millrace.flush=1ms",
                        "millrace.regions.buys.layout=blocks",
                        "millrace.pipelines.trades.schema=trade",
                        "millrace.pipelines.trades.steps[0].to=buys")
                .withPropertyValues(feed);
    }

    @Test
    void shouldReadEachRecordOnceThoughItsFileFailsAtTimes() throws IOException {
        Path file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(RECORDS, 1));
        runner("millrace.pipelines.trades.feed.stale.path=" + file)
                .withUserConfiguration(StaleFiles.class)
                .run(context -> {
                    await().until(() -> pipeline(context).ended());
                    assertThat(pipeline(context).error()).isNull();
                    assertThat(pipeline(context).state()).isEqualTo(PipelineState.DONE);
                    assertThat(PipelineStatus.of(pipeline(context)).in()).isEqualTo(RECORDS);
                    assertThat(context.getBean(Store.class)
                                    .query("buys", new Query(null, List.of("id"), List.of("id"), Query.MAX_LIMIT))
                                    .records())
                            .extracting(record -> record.get("id"))
                            .containsExactlyElementsOf(LongStream.rangeClosed(1, RECORDS)
                                    .<Object>mapToObj(id -> id)
                                    .toList());
                });
    }

    @Test
    void shouldListenOnceItsPortIsFree() throws IOException {
        ServerSocket other = new ServerSocket(FreePort.next(), 1, InetAddress.getLoopbackAddress());
        runner(
                        "millrace.pipelines.trades.feed.tcp.port=" + other.getLocalPort(),
                        "millrace.pipelines.trades.feed.tcp.host=127.0.0.1")
                .run(context -> {
                    try (other) {
                        await().until(() -> pipeline(context).error() != null);
                        assertThat(pipeline(context).state()).isEqualTo(PipelineState.WAITING);
                        assertThat(pipeline(context).error())
                                .contains("Unable to listen on 127.0.0.1:" + other.getLocalPort());
                    }
                    TcpFeed feed = (TcpFeed) pipeline(context).feed();
                    await().until(() -> feed.port() == other.getLocalPort());
                    await().until(() -> pipeline(context).error() == null);
                });
    }

    @Test
    void shouldFailAfterTheTimeout() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            runner(
                            "millrace.feed-retry-timeout=1ms",
                            "millrace.pipelines.trades.feed.tcp.port=" + other.getLocalPort(),
                            "millrace.pipelines.trades.feed.tcp.host=127.0.0.1")
                    .run(context -> {
                        await().until(() -> pipeline(context).state() == PipelineState.FAILED);
                        assertThat(pipeline(context).error())
                                .startsWith("The feed can't be read for 1ms, 'millrace.feed-retry-timeout': Unable to"
                                        + " listen on 127.0.0.1:");
                    });
        }
    }

    private static Pipeline pipeline(ApplicationContext context) {
        return context.getBean(Pipelines.class).named("trades").orElseThrow();
    }

    @Configuration
    static class StaleFiles {
        @Bean
        FeedFactory<Stale> stale() {
            return new FeedFactory<>() {
                @Override
                public String name() {
                    return "stale";
                }

                @Override
                public Class<Stale> propertiesType() {
                    return Stale.class;
                }

                @Override
                public FeedDefinition define(Stale properties, FeedCheck check) {
                    return properties;
                }
            };
        }
    }

    /** A file of a server that restarts. */
    record Stale(Path path) implements FeedDefinition {

        @Override
        public String describe() {
            return "stale file " + path;
        }

        @Override
        public Feed create(FeedContext context) {
            return new StaleFeed(new FileFeed(path, context.schema(), context.batchRecords(), Split.WHOLE));
        }
    }

    /** Fails when it is opened first, and at every third poll and every fifth identity. */
    private static final class StaleFeed implements Feed {

        private final FileFeed file;
        private int opens;
        private int polls;
        private int identities;

        StaleFeed(FileFeed file) {
            this.file = file;
        }

        private static void failIf(boolean fails) throws IOException {
            if (fails) {
                throw new IOException("Stale file handle");
            }
        }

        @Override
        public void open(long position) throws IOException {
            failIf(++opens == 1);
            file.open(position);
        }

        @Override
        public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
            failIf(++polls % 3 == 0);
            return file.poll(batch, maxWait);
        }

        @Override
        public String identity(long position) throws IOException {
            failIf(++identities % 5 == 0);
            return file.identity(position);
        }

        @Override
        public void verify(String identity) throws IOException {
            file.verify(identity);
        }

        @Override
        public @Nullable Piece takePiece() {
            return file.takePiece();
        }

        @Override
        public long lag() {
            return file.lag();
        }

        @Override
        public boolean replayable() {
            return true;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
