package io.millrace.simulation;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.measure.plan.MeasureDefinition;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.MeasurePlanner;
import io.millrace.measure.plan.Windows;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.measure.run.RowWriters;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.measure.window.OpenWindow;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.Trades;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.WriterName;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The pipeline's measure: counts all records by the side, in windows of the time at which they are taken. In several
 * partitions, the number of a record is its time, so that each window has the same records in every order of events.
 */
final class SimulatedMeasure {

    static final String ROWS = "rows";

    /** Number of records of a window in several partitions. */
    private static final int WINDOW = 8;

    private static final MeasurePlan PLAN = plan(Trades.SCHEMA, Duration.ofSeconds(2), null);
    private static final MeasurePlan PLAN_OF_PARTED = plan(Parts.SCHEMA, Duration.ofSeconds(2), null);
    private static final MeasurePlan PLAN_BY_NUMBER = plan(timed(), Duration.ofMillis(WINDOW), "id");

    private static final RecordCodec TRADES = RecordCodec.of(Trades.SCHEMA);

    static final RegionDefinition REGION =
            new RegionDefinition(ROWS, Layout.BLOCKS, 0, true, PLAN.rowSchema(), List.of(), 4);

    private SimulatedMeasure() {}

    /** Trades whose number is a time. */
    private static Schema timed() {
        List<Field> fields = new ArrayList<>(Trades.SCHEMA.fields());
        fields.set(
                0,
                Field.of(
                        "id",
                        new FieldType.InstantType(IntStorage.of(8, true, ByteOrder.BIG_ENDIAN), TimeUnit.MILLISECONDS),
                        0));
        return new Schema(Trades.SCHEMA.name(), Trades.LENGTH, fields, List.of());
    }

    private static MeasurePlan plan(Schema schema, Duration window, @Nullable String time) {
        return Objects.requireNonNull(new MeasurePlanner(
                        new MeasureDefinition(
                                "count",
                                List.of("side"),
                                Map.of("n", "count()"),
                                new Windows.Sliding(window, 1),
                                time,
                                Duration.ZERO,
                                null,
                                4,
                                List.of(ROWS),
                                0,
                                List.of(),
                                List.of(ROWS)),
                        schema,
                        FunctionRegistry.empty(),
                        (property, message) -> {
                            throw new AssertionError(property + ": " + message);
                        })
                .plan());
    }

    /**
     * Returns the step that passes records to the measure.
     *
     * @param received schema of the records
     * @param partitions number of partitions of the pipeline
     */
    static StepPlan step(Schema received, int partitions, InstantSource clock, Simulation simulation) {
        MeasurePlan plan = partitions > 1 ? PLAN_BY_NUMBER : received.groups().isEmpty() ? PLAN : PLAN_OF_PARTED;
        return new StepPlan(
                new StepExplanation(Rules.PIPELINE + ".measure", "measure", 0, List.of(), List.of()),
                List.of(),
                List.of(),
                List.of(plan),
                run -> {
                    MeasureProcessor running = run.measures().get(plan.name());
                    return new Step(running == null ? processor(plan, run, clock, simulation) : running, run.retry());
                });
    }

    /** As {@code MeasureStep}, with the clock of the simulation. */
    private static final class Step extends BatchStep {

        private final MeasureProcessor measure;
        private final Retry retry;

        Step(MeasureProcessor measure, Retry retry) {
            super(Rules.PIPELINE + ".measure", "measure");
            this.measure = measure;
            this.retry = retry;
        }

        @Override
        protected void process(RecordBatch batch) {
            measure.take(batch);
            if (measure.full()) {
                retry.run(() -> measure.flush(false));
            }
        }

        @Override
        public List<MeasureProcessor> measures() {
            return List.of(measure);
        }
    }

    private static MeasureProcessor processor(
            MeasurePlan plan, RunContext run, InstantSource clock, Simulation simulation) {
        Store store = run.store().get();
        WriterName name = run.writer().part(plan.name());
        if (name.partition() > 0) {
            return MeasureProcessor.other(plan, store.states(run.persistent()), name.text(), clock, simulation::now);
        }
        return MeasureProcessor.first(
                plan,
                store.states(run.persistent()),
                IntStream.range(0, run.partitions())
                        .mapToObj(partition -> name.inPartition(partition).text())
                        .toList(),
                new RowWriters(
                        List.of(new RowWriters.Writer(
                                ROWS,
                                store.writer(ROWS, name, plan.rowSchema(), (batch, ordinal, reason) -> {
                                    throw new AssertionError(reason.toString());
                                }),
                                false)),
                        Map.of()),
                clock,
                simulation::now);
    }

    /** Returns the rows of closed windows of several partitions, as text. */
    static List<String> rows(Collection<byte[]> blocks) {
        RecordCodec codec = RecordCodec.of(PLAN.rowSchema());
        List<String> rows = new ArrayList<>();
        for (byte[] value : blocks) {
            int count = Block.open(value, PLAN.rowSchema()).count();
            for (int i = 0; i < count; i++) {
                Map<String, @Nullable Object> row = codec.decode(
                        value, BlockFormat.HEADER_LENGTH + i * PLAN.rowSchema().recordLength());
                long end = ((Instant) Objects.requireNonNull(row.get("end"))).toEpochMilli();
                rows.add(end + " " + row.get("side") + " " + row.get("n"));
            }
        }
        return rows.stream().sorted().toList();
    }

    /**
     * Returns the rows that the first records of a feed make.
     *
     * @param records number of records, which have reached the end of these windows
     */
    static List<String> rows(byte[] feed, int records) {
        Map<String, Integer> counts = new HashMap<>();
        int last = Math.max(0, records - 1) / WINDOW * WINDOW;
        for (int record = 0; record < last; record++) {
            Object side = TRADES.decode(feed, record * Trades.LENGTH).get("side");
            counts.merge((record / WINDOW + 1) * WINDOW + " " + side, 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .map(count -> count.getKey() + " " + count.getValue())
                .sorted()
                .toList();
    }

    /** Returns how many records are counted: in the windows in the region, and in the one that is open. */
    static long counted(Collection<byte[]> blocks, RunningMeasure measure) {
        long counted = 0;
        for (byte[] value : blocks) {
            counted += counted(
                    value,
                    BlockFormat.HEADER_LENGTH,
                    Block.open(value, PLAN.rowSchema()).count());
        }
        OpenWindow open = measure.current(Integer.MAX_VALUE);
        return open == null
                ? counted
                : counted + counted(open.window().rows(), 0, open.window().count());
    }

    private static long counted(byte[] bytes, int from, int rows) {
        Field count = Objects.requireNonNull(PLAN.rowSchema().field("n"));
        long counted = 0;
        for (int i = 0; i < rows; i++) {
            counted += RawBytes.getLong(bytes, from + i * PLAN.rowSchema().recordLength() + count.offset());
        }
        return counted;
    }
}
