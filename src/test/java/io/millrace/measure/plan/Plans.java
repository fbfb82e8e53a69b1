package io.millrace.measure.plan;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes plans of measures for tests. */
public final class Plans {

    private Plans() {}

    /** Names and what they stand for, one after the other. */
    public static Map<String, String> values(String... namesAndTexts) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            values.put(namesAndTexts[i], namesAndTexts[i + 1]);
        }
        return values;
    }

    public static MeasureDefinition definition(
            List<String> by,
            Map<String, String> values,
            Windows windows,
            @Nullable String time,
            long lateness,
            int groups,
            AlertDefinition... alerts) {
        return new MeasureDefinition(
                "calls",
                by,
                values,
                windows,
                time,
                Duration.ofMillis(lateness),
                null,
                groups,
                List.of(),
                0,
                List.of(alerts),
                List.of());
    }

    /** The plan of a definition in which nothing is wrong. */
    public static MeasurePlan plan(MeasureDefinition definition, Schema schema) {
        return Objects.requireNonNull(
                new MeasurePlanner(definition, schema, FunctionRegistry.empty(), (property, message) -> {
                            throw new AssertionError(property + ": " + message);
                        })
                        .plan());
    }
}
