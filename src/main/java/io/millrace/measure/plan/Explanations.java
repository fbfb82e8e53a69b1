package io.millrace.measure.plan;

import io.millrace.aggregate.GroupKey;
import io.millrace.expression.Compiled;
import io.millrace.expression.Explanation;
import io.millrace.expression.FieldPlace;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects what {@code explain} shows of a measure's expressions, and the size of their code. Not thread-safe. */
final class Explanations {

    private final Schema schema;
    private final List<MeasureExpression> expressions = new ArrayList<>();
    private int codeBytes;

    /** @param schema schema of the records */
    Explanations(Schema schema) {
        this.schema = schema;
    }

    List<MeasureExpression> expressions() {
        return expressions;
    }

    /** Returns the total size of the compiled code in bytes. */
    int codeBytes() {
        return codeBytes;
    }

    /** Adds the key of groups, which need not be compiled: a field is read as it is. */
    void add(String role, String target, String text, GroupKey key) {
        if (!key.numbers().isEmpty()) {
            add(role, target, key.numbers().getFirst());
            return;
        }
        FieldPlace place = FieldPlace.of(Objects.requireNonNull(schema.field(text.strip())), schema);
        expressions.add(new MeasureExpression(
                role, target, new Explanation(text, place.name(), place.type(), List.of(place), List.of(), List.of())));
    }

    /** Adds an expression on records. */
    void add(String role, @Nullable String target, Compiled<?> compiled) {
        expressions.add(
                new MeasureExpression(role, target, compiled.expressions().getFirst()));
        codeBytes += compiled.codeBytes();
    }

    /**
     * Adds an expression on rows, without the fields that it reads: records need not have them.
     *
     * @param text the expression as configured
     * @param form its compiled form
     */
    void addOfRow(String role, String target, String text, String form, Compiled<?> compiled) {
        Explanation became = compiled.expressions().getFirst();
        expressions.add(new MeasureExpression(
                role,
                target,
                new Explanation(text, form, became.type(), List.of(), became.constants(), became.warnings())));
        codeBytes += compiled.codeBytes();
    }
}
