package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.schema.Schema;
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
import java.util.stream.Collectors;
import org.apache.geode.cache.CacheFactory;

/** W1 as a pipeline of Millrace, assembled from configuration, with its channels and its embedded Geode. */
final class W1Pipeline implements AutoCloseable {

    private static final List<String> REGIONS = List.of("buys", "sells");
    private static final long STEADY_FROM = 1_000_000;

    private final ConfiguredPipeline pipeline;
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

    /** What the configuration asks for, compiled once, so that the JIT compiler has seen it before it is measured. */
    record Planned(ConfiguredPipeline.Planned configured, Variant variant) {

        static Planned of(Variant variant) throws IOException {
            Path file = Files.writeString(W1Data.FOLDER.resolve("w1.yml"), configuration(variant));
            return new Planned(ConfiguredPipeline.Planned.of(file), variant);
        }
    }

    W1Pipeline(Planned planned) {
        variant = planned.variant;
        pipeline = new ConfiguredPipeline(
                planned.configured, new EmbeddedStore(GeodeOptions.inMemory(), FunctionRegistry.empty()));
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
        pipeline.start();
        PipelineStatus early = pipeline.status();
        while (!pipeline.ended()) {
            ConfiguredPipeline.pause();
            if (early.in() < STEADY_FROM) {
                early = pipeline.status();
            }
        }
        return early;
    }

    /** Figures of the run that do not come from its time. */
    String report(PipelineStatus early) {
        PipelineStatus status = pipeline.status();
        double allocated =
                (double) (status.allocatedBytes() - status.storedBytes() - early.allocatedBytes() + early.storedBytes())
                        / (status.in() - early.in());
        long bytes = REGIONS.stream()
                .map(pipeline.store()::info)
                .mapToLong(RegionInfo::bytes)
                .sum();
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
        Schema schema = pipeline.store().definition(region).schema();
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

    @Override
    public void close() {
        pipeline.close();
    }
}
