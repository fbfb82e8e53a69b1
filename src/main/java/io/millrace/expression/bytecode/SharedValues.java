package io.millrace.expression.bytecode;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Values that the expressions of one loop have in common: each is computed once for a record and kept in a local
 * variable, as far as the code that wants it again can only be reached through the code that computed it. Code that may
 * be skipped is written between {@link #mark()} and {@link #release}. Where that was forgotten the JVM's verifier
 * refuses the class, since it reads a variable that may be unset.
 */
final class SharedValues {

    private final Schema schema;
    private final Map<Ir, Integer> uses = new HashMap<>();
    private final List<Known> known = new ArrayList<>();

    /** A value and the local variable that holds it. */
    private record Known(Ir value, int local) {}

    /**
     * @param schema of the records
     * @param expressions all that the loop computes
     */
    SharedValues(Schema schema, List<Ir> expressions) {
        this.schema = schema;
        expressions.forEach(this::count);
    }

    private void count(Ir node) {
        uses.merge(node, 1, Integer::sum);
        node.operands().forEach(this::count);
    }

    /** Whether a value is wanted more than once, and always there once it was computed. */
    boolean wants(Ir value) {
        return !value.optional()
                && value.type() != Basic.TEXT
                && !(value instanceof Ir.Constant || value instanceof Ir.Real || value instanceof Ir.Condition)
                && uses.getOrDefault(value, 0) > 1;
    }

    /** Whether a value is wanted more than once, or known already. */
    boolean uses(Ir value) {
        return wants(value) || find(value).isPresent();
    }

    /** The local variable that holds a value by now. */
    OptionalInt find(Ir value) {
        return known.stream()
                .filter(entry -> entry.value.equals(value))
                .mapToInt(Known::local)
                .findFirst();
    }

    /** Says that a local variable holds a value, in all code that follows up to a release. */
    void add(Ir value, int local) {
        known.add(new Known(value, local));
    }

    /** Begins code that may be skipped. */
    int mark() {
        return known.size();
    }

    /** Ends code that may be skipped: what it computed counts no more. */
    void release(int mark) {
        known.subList(mark, known.size()).clear();
    }

    /** Forgets what was computed from a field that has been written since. */
    void written(Field target) {
        known.removeIf(entry -> reads(entry.value, target));
    }

    private boolean reads(Ir node, Field target) {
        return (node instanceof Ir.Load(var field) && overlap(field, target))
                || node.operands().stream().anyMatch(operand -> reads(operand, target));
    }

    private boolean overlap(Field a, Field b) {
        return schema.isAdded(a) == schema.isAdded(b)
                && a.offset() < b.offset() + b.type().bytes()
                && b.offset() < a.offset() + a.type().bytes();
    }
}
