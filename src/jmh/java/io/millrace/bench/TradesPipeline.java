package io.millrace.bench;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.plan.Setup;
import io.millrace.config.plan.SetupPlanner;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.tcp.TcpFeed;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineAssembler;
import io.millrace.pipeline.PipelineLimits;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

/** Trades from TCP, or from a file, into one region of blocks, all of them, as they came. */
final class TradesPipeline implements AutoCloseable {

    private static final long WAIT_NS = 200_000;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final AnnotationConfigApplicationContext context;
    private final Store store;
    private final Pipelines pipelines;
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
        ConfigurableEnvironment environment = ConfigurationFiles.load(List.of(file));
        MillraceProperties properties = PropertyBinding.bind(environment);
        Setup setup = new SetupPlanner(properties, PipelineReader.of(environment), FunctionRegistry.empty()).plan();
        store = new GeodeStore(options);
        setup.regions().forEach(store::open);
        context = new AnnotationConfigApplicationContext(W1Pipeline.Integration.class);
        PipelineLimits limits =
                new PipelineLimits(properties.batchRecords(), properties.latency(), properties.flush(), null);
        PipelineAssembler assembler = new PipelineAssembler(
                context.getBeanFactory(),
                store,
                limits,
                bundle -> {
                    throw new IllegalArgumentException("no connection here is secured");
                },
                "here",
                properties.pipelines().keySet());
        pipelines = new Pipelines(
                setup.pipelines().stream().map(assembler::assemble).toList());
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
        pipelines.start();
    }

    /** Port that the feed listens on. */
    int port() {
        TcpFeed feed = (TcpFeed) pipeline().feed();
        while (feed.port() == 0) {
            LockSupport.parkNanos(WAIT_NS);
        }
        return feed.port();
    }

    /** Waits until so many trades are stored. */
    void awaitKept(long trades) {
        while (PipelineStatus.of(pipeline()).kept() < trades) {
            if (pipeline().error() != null) {
                throw new IllegalStateException(pipeline().error());
            }
            LockSupport.parkNanos(WAIT_NS);
        }
        cpuNanos = SYSTEM.getProcessCpuTime() - cpuNanos;
    }

    /** Figures of the run that do not come from its time. */
    String report() {
        PipelineStatus status = PipelineStatus.of(pipeline());
        return String.format(
                Locale.ROOT,
                "kept %d, %.1f ns of CPU a record in all threads, senders among them; %.3f bytes allocated a record"
                        + " by the pipeline beyond what is stored",
                status.kept(),
                (double) cpuNanos / status.kept(),
                status.allocatedPerRecord());
    }

    private Pipeline pipeline() {
        return pipelines.all().getFirst();
    }

    @Override
    public void close() {
        pipelines.stop();
        context.close();
        store.close();
    }
}
