package io.millrace.expression.check;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds comparisons that are valid, but probably not what the author means: those of a field with a number that the
 * type of the field cannot hold, and orders of an {@code f32} with a number that no {@code f32} equals.
 */
public final class SuspectComparisons {

    private final Set<Ir> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<String> warnings = new LinkedHashSet<>();

    private SuspectComparisons() {}

    /** Returns a sentence for each such comparison of an expression, without duplicates. */
    public static List<String> of(Ir expression) {
        SuspectComparisons comparisons = new SuspectComparisons();
        comparisons.collect(expression);
        return new ArrayList<>(comparisons.warnings);
    }

    private void collect(Ir node) {
        if (!seen.add(node)) {
            return;
        }
        switch (node) {
            case Ir.Comparison(var relation, var left, var right, var ignoredTotal) -> {
                comparison(relation, left, right);
                comparison(relation.flipped(), right, left);
            }
            case Ir.Membership(Ir.Load(var field), var members, var ignoredIfAbsent)
            when field.type() instanceof FieldType.Numbered type && isNumber(type) ->
                members.stream()
                        .filter(member -> !type.storage().holds(member))
                        .forEach(member -> warnings.add("'" + field.name() + "' never equals " + shown(type, member)
                                + ": it holds " + range(type) + "."));
            default -> {}
        }
        node.operands().forEach(this::collect);
    }

    private void comparison(Relation relation, Ir value, Ir constant) {
        if (!(value instanceof Ir.Load(var field))) {
            return;
        }
        if (constant instanceof Ir.Constant(var ignoredType, long raw)
                && field.type() instanceof FieldType.Numbered type
                && isNumber(type)
                && !type.storage().unsignedLong()) {
            range(relation, field, type, raw);
        }
        if (constant instanceof Ir.Real(double number, var ignoredDecimal)
                && field.type() instanceof FieldType.FloatType(int bytes, var ignoredOrder)
                && bytes == Float.BYTES) {
            nearest(relation, field, number);
        }
    }

    private static boolean isNumber(FieldType type) {
        return type instanceof FieldType.IntegerType || type instanceof FieldType.DecimalType;
    }

    private void range(Relation relation, Field field, FieldType.Numbered type, long raw) {
        long min = type.storage().min();
        long max = type.storage().max();
        boolean never = !relation.holds(Long.compare(min, raw))
                && !relation.holds(Long.compare(max, raw))
                && (relation != Relation.EQ || raw < min || raw > max);
        boolean isInside = raw >= min && raw <= max;
        boolean holdsForAbsent = relation == Relation.NE || relation == Relation.LT || relation == Relation.LE;
        // A test of the end of the range, as of 'level >= 0', is redundant, but no mistake.
        boolean always = !isInside && relation.holds(Long.compare(min, raw)) && relation.holds(Long.compare(max, raw));
        if ((never && !(field.optional() && holdsForAbsent)) || (always && !(field.optional() && !holdsForAbsent))) {
            warnings.add("'" + field.name() + " " + relation.symbol() + " " + shown(type, raw) + "' is always " + always
                    + ": '" + field.name() + "' holds " + range(type) + ".");
        }
    }

    private static String range(FieldType.Numbered type) {
        return shown(type, type.storage().min()) + " to "
                + shown(type, type.storage().max());
    }

    private static String shown(FieldType type, long raw) {
        return BigDecimal.valueOf(raw, type instanceof FieldType.DecimalType(var ignoredStorage, int scale) ? scale : 0)
                .toPlainString();
    }

    /** The nearest {@code f32} is what a record has that was read from the text of the number. */
    private void nearest(Relation relation, Field field, double number) {
        float stored = (float) number;
        boolean holds = relation.holds(Double.compare(stored, number));
        if (Float.isFinite(stored) && holds != relation.holds(0)) {
            warnings.add("'" + field.name() + " " + relation.symbol() + " " + number + "' "
                    + (holds ? "includes" : "excludes") + " records with " + number + ": an f32 stores it as "
                    + (double) stored + ". Compare with " + (double) stored + ".");
        }
    }
}
