package io.millrace.codec.check;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.codec.check.ConditionCompiler.Condition;
import io.millrace.schema.RecordConstraint;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds records that do not meet the {@linkplain RecordConstraint conditions} of a schema. A condition without a
 * result, for example because of an overflow, is not met.
 *
 * <p>Immutable, so safe for use by many threads, each with its own batch. Allocates only for records that violate a
 * condition.
 */
public final class ConditionChecks {

    private static final RejectSink IGNORED = (_, _, _) -> {};

    private final List<Check> checks;

    /**
     * A condition.
     *
     * @param groups indexes of the lists that contain the elements, from the outermost one; empty if the condition is
     *     on the record, or if the element that violates it can't be determined
     */
    private record Check(RecordConstraint constraint, Condition condition, List<Integer> groups) {}

    /**
     * A violation.
     *
     * @param path path of the element, such as {@code legs[2]}, or name of the list; empty for the record
     * @param reason which constraint is violated, with its message, as a sentence
     */
    public record Violated(String path, String reason) {

        @Override
        public String toString() {
            return path.isEmpty() ? reason : "Invalid value of '" + path + "'. " + reason;
        }
    }

    private ConditionChecks(List<Check> checks) {
        this.checks = List.copyOf(checks);
    }

    /**
     * Compiles the conditions of a schema.
     *
     * @param schema schema of the batches, whose rows contain the fields that the conditions read
     * @throws IllegalArgumentException if a condition is not valid in the schema
     */
    public static ConditionChecks of(Schema schema) {
        if (schema.constraints().isEmpty()) {
            return new ConditionChecks(List.of());
        }
        ConditionCompiler compiler = ConditionCompiler.installed();
        return new ConditionChecks(schema.constraints().stream()
                .map(constraint -> check(schema, constraint, compiler.compile(schema, constraint)))
                .toList());
    }

    private static Check check(Schema schema, RecordConstraint constraint, Condition condition) {
        List<Integer> groups = new ArrayList<>();
        if (condition.separate()) {
            List<RepeatedGroup> all = schema.groups();
            int group = all.stream().map(ConditionChecks::name).toList().indexOf(constraint.each());
            for (int i = group; i >= 0; i = all.get(i).parent()) {
                groups.addFirst(i);
            }
        }
        return new Check(constraint, condition, List.copyOf(groups));
    }

    private static String name(RepeatedGroup group) {
        return group.path().replace("[]", "");
    }

    /** Returns the conditions of a schema as text. Equal texts mean equal checks of equal schemas. */
    static String describe(Schema schema) {
        return schema.constraints().stream()
                .map(constraint -> constraint.each() + ": " + constraint.condition() + "\n")
                .collect(Collectors.joining());
    }

    /** Returns whether there are no conditions. */
    public boolean isEmpty() {
        return checks.isEmpty();
    }

    /** Returns the names of the fields and repeating parts that the conditions read. */
    public Stream<String> reads() {
        return checks.stream().flatMap(check -> check.condition.reads().stream());
    }

    /** Returns the conditions, to be read: each with the name of its constraint and its list, if it has one. */
    Stream<String> constraints() {
        return checks.stream()
                .map(check -> check.constraint)
                .map(constraint -> constraint.name()
                        + (constraint.each().isEmpty() ? "" : " of each of " + constraint.each()) + ": "
                        + constraint.condition());
    }

    /** Narrows the selection of a batch to the records that meet all conditions. */
    public void select(RecordBatch batch) {
        for (int i = 0; i < checks.size(); i++) {
            checks.get(i).condition.filter().apply(batch, IGNORED);
        }
    }

    /** Returns all violations of a record, in the order of the schema. The selection of the batch remains the same. */
    public List<Violated> violations(RecordBatch batch, int ordinal) {
        int selected = batch.selected();
        int first = batch.selection()[0];
        List<Violated> found = new ArrayList<>();
        checks.forEach(check -> collect(check, batch, ordinal, found));
        batch.selection()[0] = first;
        batch.select(selected);
        return found;
    }

    private static void collect(Check check, RecordBatch batch, int ordinal, List<Violated> found) {
        String violation = violation(check, batch, ordinal);
        if (violation == null) {
            return;
        }
        if (check.groups.isEmpty()) {
            found.add(new Violated(check.constraint.each(), violation));
        } else {
            collect(check, batch, ordinal, 0, ordinal, List.of(), found);
        }
    }

    /** Applies the condition to the elements of a list, one by one, by hiding all others of the list. */
    private static void collect(
            Check check,
            RecordBatch batch,
            int ordinal,
            int level,
            int parent,
            List<Integer> indexes,
            List<Violated> found) {
        ChildRows rows = batch.childRows().get(check.groups.get(level));
        int first = rows.first(parent);
        int end = rows.end(parent);
        for (int row = first; row < end; row++) {
            List<Integer> path =
                    Stream.concat(indexes.stream(), Stream.of(row - first)).toList();
            rows.show(parent, row, row + 1);
            String violation = violation(check, batch, ordinal);
            if (violation != null && level + 1 < check.groups.size()) {
                collect(check, batch, ordinal, level + 1, row, path, found);
            } else if (violation != null) {
                String list =
                        batch.schema().groups().get(check.groups.get(level)).path();
                found.add(new Violated(path(list, path), violation));
            }
            rows.show(parent, first, end);
        }
    }

    /** Returns how a record violates a condition, or null if it meets it. Changes the selection of the batch. */
    private static @Nullable String violation(Check check, RecordBatch batch, int ordinal) {
        List<String> noResult = new ArrayList<>();
        batch.selection()[0] = ordinal;
        batch.select(1);
        check.condition.filter().apply(batch, (_, _, reason) -> noResult.add(reason.detail()));
        if (batch.selected() == 1) {
            return null;
        }
        String name = check.constraint.name();
        return noResult.isEmpty()
                ? "Constraint '" + name + "' is violated: " + sentence(check.constraint.message())
                : "Constraint '" + name + "' can't be checked: " + sentence(noResult.getFirst());
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    /** Returns the path with the index of each element in place of {@code []}. */
    static String path(String name, List<Integer> indexes) {
        String path = name;
        for (int index : indexes) {
            path = path.replaceFirst("\\[]", "[" + index + "]");
        }
        return path;
    }
}
