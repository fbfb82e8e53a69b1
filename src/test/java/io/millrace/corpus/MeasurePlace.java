package io.millrace.corpus;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.MeasurePlanner;
import io.millrace.measure.plan.Plans;
import io.millrace.measure.plan.Windows;
import io.millrace.measure.window.Measured;
import io.millrace.store.query.AggregateQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Measures: groups and aggregates of a window. */
final class MeasurePlace implements Place {

    private static final int GROUPS = 1000;

    private final CorpusForm form;

    private MeasurePlace(CorpusForm form) {
        this.form = form;
    }

    /** Returns a place for each layout. */
    static List<Place> all(CorpusRecords records) {
        return records.forms().stream()
                .map(form -> (Place) new MeasurePlace(form))
                .toList();
    }

    @Override
    public Found matching(String condition) {
        Rows rows = Objects.requireNonNull(rows(
                new AggregateQuery(null, List.of(CorpusRecords.NUMBER), List.of("count(" + condition + ")"), GROUPS)));
        Map<Long, @Nullable Object> found = new TreeMap<>();
        rows.groups().forEach((key, counts) -> {
            if (!counts.contains(Found.plain(0L))) {
                found.put(((Number) key.getFirst()).longValue(), true);
            }
        });
        return new Found(found, rows.failed());
    }

    @Override
    public @Nullable Rows rows(AggregateQuery query) {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < query.by().size(); i++) {
            keys.add(query.by().get(i) + " as k" + i);
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < query.values().size(); i++) {
            values.put("v" + i, query.values().get(i));
        }
        List<String> errors = new ArrayList<>();
        MeasurePlan plan = new MeasurePlanner(
                        Plans.definition(keys, values, new Windows.Sliding(Duration.ofHours(1), 1), null, 0, GROUPS),
                        form.schema(),
                        FunctionRegistry.empty(),
                        (_, error) -> errors.add(error))
                .plan();
        Refusal.throwFirst(errors);
        RecordBatch batch = form.batch();
        long[] failed = {0};
        if (query.where() != null) {
            new ExpressionCompiler(form.schema()).filter(query.where()).loop().apply(batch, (_, _, _) -> failed[0]++);
        }
        Measured measured = Measured.of(Objects.requireNonNull(plan), batch);
        if (query.by().isEmpty() && measured.rows().isEmpty()) {
            return null; // a window without records has no row
        }
        Map<List<@Nullable Object>, List<@Nullable Object>> rows = new HashMap<>();
        for (Map<String, @Nullable Object> row : measured.rows()) {
            rows.put(plain(row, "k", keys.size()), plain(row, "v", values.size()));
        }
        return new Rows(rows, failed[0] + measured.failed());
    }

    private static List<@Nullable Object> plain(Map<String, @Nullable Object> row, String prefix, int count) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(Found.plain(row.get(prefix + i)));
        }
        return values;
    }

    @Override
    public String toString() {
        return "measure-" + form.name();
    }
}
