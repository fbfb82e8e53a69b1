package io.millrace.web.measure;

import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Window;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.measure.window.OpenWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Measures and their windows in JSON. */
final class MeasureViews {

    /** Maximum number of rows in all closed windows of an answer. */
    private static final int CLOSED_ROWS_MAX = 20_000;

    private MeasureViews() {}

    /** Returns the state of a measure. */
    static Map<String, @Nullable Object> of(KnownMeasures.Known known) {
        RunningMeasure measure = known.measure();
        MeasurePlan plan = measure.plan();
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("name", plan.name());
        view.put("pipeline", known.pipeline().name());
        view.put("by", plan.definition().by());
        view.put("values", plan.definition().values());
        view.put("to", plan.definition().to());
        view.put("groups", measure.groups());
        view.put("counted", measure.counts().counted().get());
        view.put("late", measure.counts().late().get());
        view.put("ahead", measure.counts().ahead().get());
        view.put("failed", measure.counts().failed().get());
        view.put("firstFailure", measure.firstFailure());
        List<Map<String, Object>> alerts = new ArrayList<>();
        for (int i = 0; i < plan.alerts().size(); i++) {
            Map<String, Object> alert = new LinkedHashMap<>();
            alert.put("name", plan.alerts().get(i).name());
            alert.put("raised", measure.raised(i).get());
            alert.put("missed", measure.missed(i).get());
            alerts.add(alert);
        }
        view.put("alerts", alerts);
        return view;
    }

    /**
     * Returns the state of a measure, its open window and its closed ones, newest first.
     *
     * @param windows maximum number of closed windows
     * @param limit maximum number of rows of each window
     */
    static Map<String, @Nullable Object> withWindows(KnownMeasures.Known known, int windows, int limit) {
        RunningMeasure measure = known.measure();
        MeasurePlan plan = measure.plan();
        Map<String, @Nullable Object> view = of(known);
        OpenWindow current = measure.current(limit);
        view.put("current", current == null ? null : of(plan, current.window(), current.groups(), limit));
        List<Map<String, @Nullable Object>> closed = new ArrayList<>();
        int rows = 0;
        for (Window window : measure.closedWindows()) {
            rows += Math.min(limit, window.count());
            if (closed.size() == windows || rows > CLOSED_ROWS_MAX) {
                break;
            }
            closed.add(of(plan, window, limit));
        }
        view.put("windows", closed);
        return view;
    }

    /** Returns a closed window with at most {@code limit} rows. */
    static Map<String, @Nullable Object> of(MeasurePlan plan, Window window, int limit) {
        return of(plan, window, window.count(), limit);
    }

    /** @param groups number of groups in the window; null if it is not known */
    private static Map<String, @Nullable Object> of(
            MeasurePlan plan, Window window, @Nullable Integer groups, int limit) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("start", Instant.ofEpochMilli(window.start()));
        view.put("end", Instant.ofEpochMilli(window.end()));
        view.put("groups", groups);
        view.put(
                "rows",
                IntStream.range(0, Math.min(limit, window.count()))
                        .mapToObj(row -> plan.decode(window, row))
                        .toList());
        return view;
    }
}
