package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.schema.FieldType;
import java.util.List;

/** Comparisons of texts, which are made on the bytes. */
final class TextComparisons {

    private TextComparisons() {}

    static Ir compare(Relation relation, Ir left, Ir right, Place place) {
        if (left instanceof Ir.Text(String a) && right instanceof Ir.Text(String b)) {
            return Constants.truth(relation.holds(a.compareTo(b)));
        }
        if (relation != Relation.EQ && relation != Relation.NE) {
            throw place.error(
                    ErrorCode.NOT_YET,
                    "'" + Comparisons.symbol(relation) + "' does not go with texts yet",
                    "compare with == or !=");
        }
        if (!(left instanceof Ir.Load field)) {
            return compare(relation, right, left, place);
        }
        Ir same = right instanceof Ir.Text(String text) ? sameText(field, text, place) : sameField(field, right, place);
        return relation == Relation.EQ ? same : new Ir.Not(same);
    }

    private static Ir sameText(Ir.Load field, String text, Place place) {
        try {
            TextEncoding.encode(field.field().type(), text);
        } catch (IllegalArgumentException e) {
            throw place.error(
                    ErrorCode.BAD_CONSTANT,
                    "constant='" + text + "' is never a value of "
                            + field.field().name() + ": " + e.getMessage(),
                    "");
        }
        // An optional text without a character is absent, and so equals no text.
        return text.isEmpty() && field.optional() ? Constants.truth(false) : new Ir.SameText(field, new Ir.Text(text));
    }

    private static Ir sameField(Ir.Load left, Ir right, Place place) {
        Ir.Load other = (Ir.Load) right;
        if (!comparable(left.field().type(), other.field().type())) {
            throw place.mismatch("==", left, right, "only texts of one character set go together");
        }
        Ir same = new Ir.SameText(left, other);
        // Where both are empty one is absent and the other is not.
        return left.optional() == other.optional()
                ? same
                : new Ir.And(List.of(same, new Ir.Not(new Ir.EmptyText(left))));
    }

    private static boolean comparable(FieldType left, FieldType right) {
        if (left instanceof FieldType.StringType(var ignoredBytes, var first, var ignoredPad)
                && right instanceof FieldType.StringType(var ignoredBytes2, var second, var ignoredPad2)) {
            return first.equals(second);
        }
        return left.getClass() == right.getClass() && left.bytes() == right.bytes();
    }
}
