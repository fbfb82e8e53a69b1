package io.millrace.config.plan;

import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_REGION;
import static io.millrace.schema.ProblemCode.INVALID_TABLE;
import static io.millrace.schema.ProblemCode.UNKNOWN_SCHEMA;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;

import io.millrace.background.DurationText;
import io.millrace.codec.file.FileErrors;
import io.millrace.expression.error.ExpressionException;
import io.millrace.pipeline.definition.Problem;
import io.millrace.schema.yaml.SchemaException;
import io.millrace.schema.yaml.UnknownSchemaException;
import io.millrace.table.TableException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The problems found in a configuration, in the order in which they were found. Not thread-safe. */
final class PlanProblems {

    /** By property: the first problem of one counts, others follow from it. */
    private final Map<String, Problem> problems = new LinkedHashMap<>();

    boolean isEmpty() {
        return problems.isEmpty();
    }

    List<Problem> all() {
        return List.copyOf(problems.values());
    }

    void add(Problem problem) {
        problems.putIfAbsent(problem.property(), problem);
    }

    /**
     * Adds a problem.
     *
     * @param at name of a property, without the prefix {@code millrace.}
     */
    void add(String at, String message) {
        add(new Problem("millrace." + at, message));
    }

    /** Returns what the supplier does, or null if it throws: then its message is added. */
    <T> @Nullable T attempt(String at, Supplier<T> supplier) {
        try {
            return supplier.get();
        } catch (SchemaException | ExpressionException e) {
            // Their messages contain codes.
            add(at, String.valueOf(e.getMessage()));
        } catch (UnknownSchemaException e) {
            add(at, UNKNOWN_SCHEMA.message(String.valueOf(e.getMessage())));
        } catch (UncheckedIOException e) {
            add(at, UNREADABLE_FILE.message(FileErrors.describe("", e)));
        } catch (TableException e) {
            add(at, INVALID_TABLE.message(String.valueOf(e.getMessage())));
        } catch (IllegalArgumentException e) {
            add(
                    at,
                    (at.startsWith("tables.") ? INVALID_TABLE : INVALID_REGION)
                            .message(String.valueOf(e.getMessage())));
        }
        return null;
    }

    void requireAtLeast(String at, long value, long smallest) {
        if (value < smallest) {
            add(at, INVALID_NUMBER.message("Invalid number '" + value + "'. Use " + smallest + " or more."));
        }
    }

    void requireBetween(String at, long value, long smallest, long largest) {
        if (value < smallest || value > largest) {
            add(at, INVALID_NUMBER.message("Invalid number '" + value + "'. Use " + smallest + " to " + largest + "."));
        }
    }

    void requireMillisecond(String at, Duration value) {
        if (value.toMillis() < 1) {
            add(at, INVALID_DURATION.message("Invalid duration '" + DurationText.of(value) + "'. Use 1ms or more."));
        }
    }

    void requirePositive(String at, Duration value) {
        if (!value.isPositive()) {
            add(
                    at,
                    INVALID_DURATION.message(
                            "Invalid duration '" + DurationText.of(value) + "'. Use a duration above 0."));
        }
    }
}
