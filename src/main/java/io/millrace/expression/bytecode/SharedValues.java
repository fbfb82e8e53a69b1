package io.millrace.expression.bytecode;

import io.millrace.expression.ir.Fold;
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
 * The values that the expressions of one loop share. Each is computed once for a record and stored in a local variable,
 * as long as the code that uses it again can only be reached through the code that computed it. Code that may be
 * skipped is written between {@link #mark()} and {@link #release}. If these calls are missing, the JVM's verifier
 * refuses the class, since it reads a variable that may not be set.
 */
final class SharedValues {

    private final Schema schema;
    private final Map<Ir, Integer> uses = new HashMap<>();
    private final List<Known> known = new ArrayList<>();

    /** A value and the local variable that holds it. */
    record Known(Ir value, int local) {}

    /**
     * @param schema the schema of the records
     * @param expressions all expressions that the loop computes
     */
    SharedValues(Schema schema, List<Ir> expressions) {
        this.schema = schema;
        expressions.forEach(this::count);
    }

    private void count(Ir node) {
        uses.merge(node, 1, Integer::sum);
        node.operands().forEach(this::count);
    }

    /** Returns whether a value is used more than once, and is always present once it is computed. */
    boolean wants(Ir value) {
        return !value.optional()
                && value.type() != Basic.TEXT
                && !(value instanceof Ir.Constant
                        || value instanceof Ir.WideConstant
                        || value instanceof Ir.Real
                        || value instanceof Ir.Condition)
                && uses.getOrDefault(value, 0) > 1;
    }

    /** Returns whether a value is used more than once, or is stored in a local variable. */
    boolean uses(Ir value) {
        return wants(value) || find(value).isPresent();
    }

    /** Returns the local variable that stores a value at this point. */
    OptionalInt find(Ir value) {
        return known.stream()
                .filter(entry -> entry.value.equals(value))
                .mapToInt(Known::local)
                .findFirst();
    }

    /** Records that a local variable stores a value, in all code that follows up to a release. */
    void add(Ir value, int local) {
        known.add(new Known(value, local));
    }

    /** Begins code that may be skipped. */
    int mark() {
        return known.size();
    }

    /** Ends code that may be skipped: the values that it computed are not available afterwards. */
    void release(int mark) {
        known.subList(mark, known.size()).clear();
    }

    /**
     * Begins code for the row of a part, which runs for any number of rows. Values of another row of the part are not
     * available there.
     *
     * @return what to pass to {@link #exitRow}
     */
    List<Known> enterRow(String path) {
        List<Known> outer = List.copyOf(known);
        known.removeIf(entry -> belongsToRow(entry.value, path));
        return outer;
    }

    /** Ends code for the row of a part: the values that it computed are not available afterwards. */
    void exitRow(List<Known> outer) {
        known.clear();
        known.addAll(outer);
    }

    /** Returns whether a value depends on the row of a part that a fold outside of the value is at. */
    private boolean belongsToRow(Ir node, String path) {
        return switch (node) {
            case Ir.Load(var field) -> isInRow(field, path);
            case Fold fold when fold.path().equals(path) -> false;
            case Fold fold when isInside(fold.path(), path) -> true;
            default -> node.operands().stream().anyMatch(operand -> belongsToRow(operand, path));
        };
    }

    private boolean isInRow(Field field, String path) {
        return schema.groups().stream()
                .anyMatch(group -> group.path().equals(path) && group.field(field.name()) != null);
    }

    /** Returns whether the rows of a part are children of the rows of another one. */
    private boolean isInside(String path, String outer) {
        return schema.groups().stream()
                .anyMatch(group -> group.path().equals(path)
                        && group.parent() >= 0
                        && schema.groups().get(group.parent()).path().equals(outer));
    }

    /** Removes the values that were computed from a field that is now overwritten. */
    void written(Field target) {
        known.removeIf(entry -> reads(schema, entry.value, target));
    }

    /** Returns whether a value is computed from bytes of a field. */
    static boolean reads(Schema schema, Ir node, Field target) {
        return (node instanceof Ir.Load(var field) && overlap(schema, field, target))
                || node.operands().stream().anyMatch(operand -> reads(schema, operand, target));
    }

    private static boolean overlap(Schema schema, Field a, Field b) {
        return schema.isAdded(a) == schema.isAdded(b)
                && a.offset() < b.offset() + b.type().bytes()
                && b.offset() < a.offset() + a.type().bytes();
    }
}
