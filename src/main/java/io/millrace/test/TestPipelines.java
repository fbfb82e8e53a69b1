package io.millrace.test;

import io.millrace.client.MillraceClient;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Window;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.measure.window.OpenWindow;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.schema.NearestName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The pipelines of a {@link MillraceTest}: sends records to them and returns what they stored, rejected and measured.
 *
 * <p>A pipeline processes records on the thread that sends them, and everything it produces is stored when the call
 * returns. So a test needs not wait.
 *
 * <p>All methods throw an {@link IllegalArgumentException} for an unknown name.
 */
@API(status = API.Status.STABLE)
public final class TestPipelines {

    private static final int OPEN_ROWS_MAX = 10_000;

    private final Pipelines pipelines;
    private final MillraceClient client;

    TestPipelines(Pipelines pipelines, MillraceClient client) {
        this.pipelines = pipelines;
        this.client = client;
    }

    /** Returns an empty sequence of records of a pipeline's schema, to be {@linkplain #send sent} to it. */
    public TestRecords records(String pipeline) {
        return TestRecords.of(named(pipeline).plan().schema());
    }

    /**
     * Sends records to a pipeline and stores what all pipelines produce from them.
     *
     * @param records records of the fixed layout, back to back; or a single record of the tagged layout
     * @throws org.springframework.messaging.MessagingException if a step or an endpoint of the application fails
     */
    public void send(String pipeline, byte[] records) {
        named(pipeline).send(records);
        flush();
    }

    /** Sends records to a pipeline, as {@link #send(String, byte[])}. */
    public void send(String pipeline, TestRecords records) {
        send(pipeline, records.bytes());
    }

    /**
     * Closes all open windows of event time, as the end of a feed does if no records can follow, and stores their rows
     * and alerts. Windows of processing time close when their time has passed.
     */
    public void closeWindows() {
        pipelines.all().forEach(Pipeline::closeWindows);
        flush();
    }

    /** Returns the numbers of records of a pipeline. */
    public PipelineCounts counts(String pipeline) {
        PipelineStatus status = PipelineStatus.of(named(pipeline));
        return new PipelineCounts(status.in(), status.kept(), status.dropped(), status.rejected());
    }

    /** Returns all records of a region as values by field name, in no particular order. */
    public List<Map<String, @Nullable Object>> stored(String region) {
        return client.region(region).all().list();
    }

    /**
     * Returns all records of a region, in no particular order.
     *
     * @param view interface with getters for fields: see {@link io.millrace.view.RecordViews}
     */
    public <T> List<T> stored(String region, Class<T> view) {
        return client.region(region, view).all().list();
    }

    /** Returns the rejects of a pipeline as fields of the built-in schema {@code reject}, in no particular order. */
    public List<Map<String, @Nullable Object>> rejected(String pipeline) {
        return stored(named(pipeline).plan().definition().rejectsRegion());
    }

    /**
     * Returns the rows of a measure as values by name: those of its last 60 closed windows, oldest first, then up to
     * {@value #OPEN_ROWS_MAX} of its open window.
     */
    public List<Map<String, @Nullable Object>> measured(String measure) {
        RunningMeasure found = measure(measure);
        MeasurePlan plan = found.plan();
        OpenWindow open = found.current(OPEN_ROWS_MAX);
        return Stream.concat(
                        found.closedWindows().reversed().stream(),
                        Stream.ofNullable(open).map(OpenWindow::window))
                .flatMap(window -> rows(plan, window))
                .toList();
    }

    private static Stream<Map<String, @Nullable Object>> rows(MeasurePlan plan, Window window) {
        return IntStream.range(0, window.count()).mapToObj(row -> plan.decode(window, row));
    }

    private RunningMeasure measure(String name) {
        List<RunningMeasure> all = pipelines.all().stream()
                .flatMap(pipeline -> pipeline.measures().stream())
                .toList();
        return all.stream()
                .filter(measure -> measure.plan().name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(
                        "measure",
                        name,
                        all.stream().map(measure -> measure.plan().name()).toList()));
    }

    private Pipeline named(String name) {
        return pipelines
                .named(name)
                .orElseThrow(() -> unknown(
                        "pipeline",
                        name,
                        pipelines.all().stream().map(Pipeline::name).toList()));
    }

    private static IllegalArgumentException unknown(String what, String name, List<String> known) {
        return new IllegalArgumentException("Unknown " + what + " '" + name + "'" + NearestName.hint(name, known));
    }

    private void flush() {
        for (Pipeline pipeline : pipelines.all()) {
            try {
                pipeline.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
