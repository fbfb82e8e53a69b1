package io.millrace.simulation;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.measure.MeasureDefinition;
import io.millrace.measure.MeasurePlan;
import io.millrace.measure.MeasurePlanner;
import io.millrace.measure.MeasureProcessor;
import io.millrace.measure.OpenWindow;
import io.millrace.measure.Windows;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.Trades;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.WriterName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The pipeline's measure: counts all records by the side, in windows of the time at which they are taken. */
final class SimulatedMeasure {

    static final String ROWS = "rows";

    private static final MeasurePlan PLAN = plan(Trades.SCHEMA);
    private static final MeasurePlan PLAN_OF_PARTED = plan(Parts.SCHEMA);

    static final RegionDefinition REGION =
            new RegionDefinition(ROWS, Layout.BLOCKS, 0, true, PLAN.rowSchema(), List.of(), 4);

    private SimulatedMeasure() {}

    private static MeasurePlan plan(Schema schema) {
        return Objects.requireNonNull(new MeasurePlanner(
                        new MeasureDefinition(
                                "count",
                                List.of("side"),
                                Map.of("n", "count()"),
                                new Windows.Sliding(Duration.ofSeconds(2), 1),
                                null,
                                Duration.ZERO,
                                null,
                                4,
                                ROWS,
                                0,
                                List.of()),
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
     */
    static StepPlan step(Schema received, InstantSource clock, Simulation simulation) {
        MeasurePlan plan = received.groups().isEmpty() ? PLAN : PLAN_OF_PARTED;
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
        return new MeasureProcessor(
                plan,
                store.states(run.persistent()),
                name.text(),
                store.writer(ROWS, name, plan.rowSchema(), (batch, ordinal, reason) -> {
                    throw new AssertionError(reason.toString());
                }),
                List.of(),
                clock,
                simulation::now);
    }

    /** Returns how many records are counted: in the windows in the region, and in the one that is open. */
    static long counted(Collection<byte[]> blocks, MeasureProcessor keeper) {
        long counted = 0;
        for (byte[] value : blocks) {
            counted += counted(
                    value,
                    BlockFormat.HEADER_LENGTH,
                    Block.open(value, PLAN.rowSchema()).count());
        }
        OpenWindow open = keeper.measure().current(Integer.MAX_VALUE);
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
