package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.plan.Setup;
import io.millrace.config.plan.SetupPlanner;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineAssembler;
import io.millrace.pipeline.PipelineLimits;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.geode.EmbeddedStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.RegionInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.geode.cache.CacheFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.integration.config.EnableIntegration;

/** W1 as a pipeline of Millrace, assembled from configuration, with its channels and its embedded Geode. */
final class W1Pipeline implements AutoCloseable {

    private static final List<String> REGIONS = List.of("buys", "sells");
    private static final long STEADY_FROM = 1_000_000;
    private static final long WAIT_NS = 200_000;

    private final AnnotationConfigApplicationContext context;
    private final Store store;
    private final Pipelines pipelines;
    private final Variant variant;

    /** What is done besides. */
    enum Variant {
        PLAIN,
        /** The fields that steps add are kept in the regions. */
        KEEP_ADDED,
        /** What is kept is measured by currency, in windows of a second. */
        MEASURED,
        /** In 16 partitions, by one lane. */
        ONE_LANE,
        /** In 16 partitions, by two lanes. */
        TWO_LANES;

        private int partitions() {
            return this == ONE_LANE || this == TWO_LANES ? 16 : 1;
        }

        private int lanes() {
            return this == TWO_LANES ? 2 : 1;
        }
    }

    private static final String MEASURE = """
                    - measure:
                        name: turnover
                        by: currency1
                        every: 1s
                        values: { trades: count(), turnover: sum(notional) }\
            """;

    /** Spring Integration, as {@code MillraceAutoConfiguration} sets it up. */
    @Configuration
    @EnableIntegration
    static class Integration {}

    /** What the configuration asks for, compiled once, so that the JIT compiler has seen it before it is measured. */
    record Planned(Setup setup, MillraceProperties properties, Variant variant) {

        static Planned of(Variant variant) throws IOException {
            Path file = Files.writeString(W1Data.FOLDER.resolve("w1.yml"), configuration(variant));
            ConfigurableEnvironment environment = ConfigurationFiles.load(List.of(file));
            MillraceProperties properties = PropertyBinding.bind(environment);
            return new Planned(
                    new SetupPlanner(properties, PipelineReader.of(environment), FunctionRegistry.empty()).plan(),
                    properties,
                    variant);
        }
    }

    W1Pipeline(Planned planned) {
        variant = planned.variant;
        Setup setup = planned.setup;
        MillraceProperties properties = planned.properties;
        store = new EmbeddedStore(GeodeOptions.inMemory(), FunctionRegistry.empty());
        setup.regions().forEach(store::open);
        setup.statePersistence().forEach(store::openStates);
        context = new AnnotationConfigApplicationContext(Integration.class);
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

    private static String configuration(Variant variant) {
        return """
                millrace:
                  tables:
                    desks: { file: %1$s, key: id }
                  regions:
                    buys:  { layout: blocks, keep-added: %3$s }
                    sells: { layout: blocks, keep-added: %3$s }
                  pipelines:
                    w1:
                      partitions: %5$d
                      lanes: %6$d
                      feed: { file: %2$s }
                      schema: trade
                      steps:
                        - filter: currency1 != 'JPY' and amount1 > 1000000
                        - enrich: { table: desks, key: id %% 100000, add: { desk: desk } }
                        - set: { notional: amount1 * exchangeRate }
                %4$s
                        - route:
                            - { when: buySell == 'Buy', to: buys }
                            - { otherwise: sells }
                """.formatted(
                        W1Data.DESKS_FILE,
                        W1Data.TRADES_FILE,
                        variant == Variant.KEEP_ADDED,
                        variant == Variant.MEASURED ? MEASURE : "",
                        variant.partitions(),
                        variant.lanes());
    }

    /** Starts the pipeline and waits until all of the file is stored; returns its status after the first records. */
    PipelineStatus run() {
        pipelines.start();
        PipelineStatus early = status();
        while (!pipelines.ended()) {
            LockSupport.parkNanos(WAIT_NS);
            if (early.in() < STEADY_FROM) {
                early = status();
            }
        }
        return early;
    }

    /** Figures of the run that do not come from its time. */
    String report(PipelineStatus early) {
        PipelineStatus status = status();
        double allocated =
                (double) (status.allocatedBytes() - status.storedBytes() - early.allocatedBytes() + early.storedBytes())
                        / (status.in() - early.in());
        long bytes =
                REGIONS.stream().map(store::info).mapToLong(RegionInfo::bytes).sum();
        String steps = status.steps().stream()
                .map(step -> step.name() + " " + step.nanosPerRecord())
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "kept %d, %.2f bytes a stored record, %.3f bytes allocated a record beyond them; ns in each step: %s",
                status.kept(),
                (double) bytes / status.kept(),
                allocated,
                steps);
    }

    /** Fails unless the regions hold what they should. */
    void require(W1Totals buys, W1Totals sells) {
        totals("buys").require(buys, variant == Variant.KEEP_ADDED);
        totals("sells").require(sells, variant == Variant.KEEP_ADDED);
    }

    private W1Totals totals(String region) {
        W1Totals totals = new W1Totals();
        Schema schema = store.definition(region).schema();
        boolean added = variant == Variant.KEEP_ADDED;
        int desk = added ? offset(schema, "desk") : 0;
        int notional = added ? offset(schema, "notional") : 0;
        for (Object value : CacheFactory.getAnyInstance().getRegion(region).values()) {
            Block block = Block.open((byte[]) value, schema);
            byte[] bytes = block.bytes();
            for (int i = 0, at = BlockFormat.HEADER_LENGTH; i < block.count(); i++, at += block.recordLength()) {
                totals.add(bytes, at);
                if (added) {
                    totals.addComputed(
                            RawBytes.getLong(bytes, at + desk),
                            Double.longBitsToDouble(RawBytes.getLong(bytes, at + notional)));
                }
            }
        }
        return totals;
    }

    private static int offset(Schema schema, String field) {
        return Objects.requireNonNull(schema.field(field)).offset();
    }

    private PipelineStatus status() {
        Pipeline pipeline = pipelines.named("w1").orElseThrow();
        if (pipeline.error() != null) {
            throw new IllegalStateException(pipeline.error());
        }
        return PipelineStatus.of(pipeline);
    }

    @Override
    public void close() {
        pipelines.stop();
        context.close();
        store.close();
    }
}
