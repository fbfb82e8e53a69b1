package io.millrace.bench;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.feed.tcp.TcpFeed;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Trades from TCP, or from a file, into one region of blocks, all of them, as they came. */
final class TradesPipeline implements AutoCloseable {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final ConfiguredPipeline pipeline;
    private long cpuNanos;

    /**
     * A pipeline into a region in memory, in this process.
     *
     * @param feed as a configuration writes it
     */
    TradesPipeline(String feed) throws IOException {
        this(configuration("{ layout: blocks }", feed), GeodeOptions.inMemory());
    }

    /** A pipeline of this {@link #configuration}. */
    TradesPipeline(Path file, GeodeOptions options) throws IOException {
        pipeline = new ConfiguredPipeline(ConfiguredPipeline.Planned.of(file), new GeodeStore(options));
    }

    /**
     * Writes a configuration.
     *
     * @param region as a configuration writes it
     * @param feed likewise
     */
    static Path configuration(String region, String feed) throws IOException {
        return configuration("lines", region, feed);
    }

    /**
     * Writes a configuration of a pipeline that has read nothing, although others have read its feed.
     *
     * @param name name of the pipeline
     */
    static Path configuration(String name, String region, String feed) throws IOException {
        return Files.writeString(W1Data.FOLDER.resolve("trades.yml"), """
                millrace:
                  regions:
                    trades: %s
                  pipelines:
                    %s:
                      on-known-feed: read
                      feed: %s
                      schema: trade
                      rejects: lines-rejected
                      steps:
                        - to: trades
                """.formatted(region, name, feed));
    }

    void start() {
        cpuNanos = SYSTEM.getProcessCpuTime();
        pipeline.start();
    }

    /** Port that the feed listens on. */
    int port() {
        TcpFeed feed = (TcpFeed) pipeline.pipeline().feed();
        while (feed.port() == 0) {
            ConfiguredPipeline.pause();
        }
        return feed.port();
    }

    /** Waits until so many trades are stored. */
    void awaitKept(long trades) {
        while (pipeline.status().kept() < trades) {
            ConfiguredPipeline.pause();
        }
        cpuNanos = SYSTEM.getProcessCpuTime() - cpuNanos;
    }

    /** Figures of the run that do not come from its time. */
    String report() {
        PipelineStatus status = pipeline.status();
        return String.format(
                Locale.ROOT,
                "kept %d, %.1f ns of CPU a record in all threads, senders among them; %.3f bytes allocated a record"
                        + " by the pipeline beyond what is stored",
                status.kept(),
                (double) cpuNanos / status.kept(),
                status.allocatedPerRecord());
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
