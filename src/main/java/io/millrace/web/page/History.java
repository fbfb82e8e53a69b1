package io.millrace.web.page;

import io.millrace.metrics.CollectorPause;
import io.millrace.metrics.PipelineSample;
import io.millrace.metrics.Sample;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The last quarter of an hour, one value a second: columns of 900 numbers, and the newest 10,000 GC pauses.
 * Thread-safe.
 */
final class History {

    static final int SECONDS = 900;
    private static final int MAX_PAUSES = 10_000;
    private static final long SECOND = 1000;

    private final Column heapUsed = new Column();
    private final Column cpu = new Column();
    private final Map<String, Column> eventsPerSecond = new TreeMap<>();
    private final Map<String, Column> bytesPerEvent = new TreeMap<>();
    private final Deque<CollectorPause> pauses = new ArrayDeque<>();
    private long firstTime;
    /** Second of the newest sample, counted from the first one; -1 before it. */
    private long newest = -1;

    /** One number for each second; NaN where there is no sample. */
    private static final class Column {
        private final double[] values = new double[SECONDS];

        Column() {
            Arrays.fill(values, Double.NaN);
        }

        void set(long second, double value) {
            values[(int) (second % SECONDS)] = value;
        }

        List<@Nullable Number> values(long firstSecond, long lastSecond) {
            List<@Nullable Number> all = new ArrayList<>();
            for (long second = firstSecond; second <= lastSecond; second++) {
                all.add(number(values[(int) (second % SECONDS)]));
            }
            return all;
        }

        /** Returns integers as {@code Long}, which JSON writes without an exponent; NaN as null. */
        private static @Nullable Number number(double value) {
            if (Double.isNaN(value)) {
                return null;
            }
            return value == (long) value ? (Number) (long) value : (Number) value;
        }
    }

    /** Adds the sample of a second. A later sample of the same second replaces it. */
    synchronized void add(Sample sample) {
        if (newest < 0) {
            firstTime = sample.time();
        }
        // To the nearest second, since samples are late by varying times. A clock that is set back replaces the newest.
        long second = Math.max(newest, Math.round((double) (sample.time() - firstTime) / SECOND));
        for (long missed = Math.max(newest + 1, second - SECONDS); missed < second; missed++) {
            set(missed, Double.NaN, Double.NaN);
            clear(missed);
        }
        newest = second;
        double load = sample.process().cpu();
        set(second, (double) sample.process().heapUsed(), load < 0 ? Double.NaN : thousandths(load));
        for (PipelineSample pipeline : sample.pipelines()) {
            String name = pipeline.status().name();
            column(eventsPerSecond, name).set(second, Math.rint(pipeline.eventsPerSecond()));
            column(bytesPerEvent, name).set(second, bytesPerEvent(pipeline));
        }
        addPauses(sample);
    }

    private void set(long second, double used, double load) {
        heapUsed.set(second, used);
        cpu.set(second, load);
    }

    private void clear(long second) {
        eventsPerSecond.values().forEach(column -> column.set(second, Double.NaN));
        bytesPerEvent.values().forEach(column -> column.set(second, Double.NaN));
    }

    private static Column column(Map<String, Column> columns, String pipeline) {
        return columns.computeIfAbsent(pipeline, _ -> new Column());
    }

    /** Returns bytes allocated for each event in addition to the values stored; NaN if there was no event. */
    private static double bytesPerEvent(PipelineSample pipeline) {
        return pipeline.records() == 0
                ? Double.NaN
                : thousandths(Math.max(0, pipeline.allocatedPerEvent() - pipeline.storedPerEvent()));
    }

    private static double thousandths(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    private void addPauses(Sample sample) {
        pauses.addAll(sample.pauses());
        long oldest = sample.time() - SECONDS * SECOND;
        while (!pauses.isEmpty()
                && (pauses.size() > MAX_PAUSES || pauses.getFirst().time() < oldest)) {
            pauses.removeFirst();
        }
    }

    /** Returns the history for JSON: columns of equal length, oldest second first. */
    synchronized Map<String, Object> view() {
        long firstSecond = Math.max(0, newest - SECONDS + 1);
        List<Long> times = new ArrayList<>();
        for (long second = firstSecond; second <= newest; second++) {
            times.add(firstTime + second * SECOND);
        }
        Map<String, Object> pipelines = new LinkedHashMap<>();
        eventsPerSecond.forEach((name, column) -> pipelines.put(
                name,
                Map.of(
                        "eventsPerSecond", column.values(firstSecond, newest),
                        "bytesPerEvent", column(bytesPerEvent, name).values(firstSecond, newest))));
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("times", times);
        view.put("heapUsed", heapUsed.values(firstSecond, newest));
        view.put("cpu", cpu.values(firstSecond, newest));
        view.put("gc", List.copyOf(pauses));
        view.put("pipelines", pipelines);
        return view;
    }
}
