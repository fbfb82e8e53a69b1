package io.millrace.expression.operator;

import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.TextOperands;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;

/** Comparisons of texts, on their bytes. */
final class TextComparisons {

    private TextComparisons() {}

    static Ir compare(Relation relation, Ir left, Ir right, Place place) {
        if (left instanceof Ir.Text(String a) && right instanceof Ir.Text(String b)) {
            return Constants.truth(relation.holds(a.compareTo(b)));
        }
        if (left instanceof Ir.Text) {
            return compare(relation.flipped(), right, left, place);
        }
        boolean opaque = TextOperands.isOpaque(left) || TextOperands.isOpaque(right);
        if (relation != Relation.EQ && relation != Relation.NE) {
            if (opaque) {
                throw place.mismatch(relation.symbol(), left, right, "bytes and addresses have no order: use == or !=");
            }
            return new TextNode.TextOrder(relation, TextOperands.text(left, place), TextOperands.text(right, place));
        }
        if (opaque) {
            requireAlike(left, right, place);
        }
        Ir same = right instanceof Ir.Text(String text)
                ? sameText(left, text, place)
                : new TextNode.SameText(TextOperands.text(left, place), TextOperands.text(right, place));
        return relation == Relation.EQ ? same : new Ir.Not(same);
    }

    private static Ir sameText(Ir left, String text, Place place) {
        Ir constant = new Ir.Text(text);
        if (!(left instanceof Ir.Load(var field))) {
            Ir value = TextOperands.text(left, place);
            TextOperands.requirePossible(value, constant, place);
            return new TextNode.SameText(value, constant);
        }
        requireValue(field, text, place);
        // Bytes that stand for absent are equal to no text.
        return TextEncoding.meansAbsent(field, text) ? Constants.truth(false) : new TextNode.SameText(left, constant);
    }

    private static void requireValue(Field field, String text, Place place) {
        try {
            TextEncoding.encode(field.type(), text);
        } catch (IllegalArgumentException e) {
            throw Constants.invalid(field, text, String.valueOf(e.getMessage()), "", place);
        }
    }

    /**
     * Byte fields can be compared with byte fields of the same width; address fields also with texts that are
     * addresses.
     */
    private static void requireAlike(Ir left, Ir right, Place place) {
        boolean alike = left instanceof Ir.Load(var first)
                && (right instanceof Ir.Text || (right instanceof Ir.Load(var second) && alike(first, second)));
        if (!alike) {
            throw place.mismatch("==", left, right, "bytes and addresses go with fields of their type and width");
        }
    }

    private static boolean alike(Field first, Field second) {
        FieldType a = first.type();
        FieldType b = second.type();
        return a.getClass() == b.getClass() && a.bytes() == b.bytes();
    }
}
