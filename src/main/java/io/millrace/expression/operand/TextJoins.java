package io.millrace.expression.operand;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType;
import java.util.function.UnaryOperator;

/** Texts that are made of others. What is made of constants and names is computed during compilation. */
public final class TextJoins {

    /** The maximum number of bytes of a text that is made of others. */
    private static final int BYTES_MAX = 1 << 16;

    private TextJoins() {}

    /** Returns whether {@code +} joins two values. */
    public static boolean apply(Ir left, Ir right) {
        return TextOperands.isText(left) && TextOperands.isText(right);
    }

    /** Returns two texts or names, one after the other. */
    public static Ir join(Ir left, Ir right, Place place) {
        if (left instanceof Ir.Text(String first) && right instanceof Ir.Text(String second)) {
            return new Ir.Text(first + second);
        }
        if (left.type() instanceof ValueType.Name(var dictionary) && right instanceof Ir.Text(String second)) {
            return NameMethods.text(left, dictionary, name -> name + second, place);
        }
        if (left instanceof Ir.Text(String first) && right.type() instanceof ValueType.Name(var dictionary)) {
            return NameMethods.text(right, dictionary, name -> first + name, place);
        }
        return bounded(new TextNode.Joined(TextOperands.text(left, place), TextOperands.text(right, place)), place);
    }

    /** Returns a text or name with each occurrence of a target replaced. */
    public static Ir replace(Ir value, String target, String replacement, Place place) {
        UnaryOperator<String> replace = text -> text.replace(target, replacement);
        if (value instanceof Ir.Text(String text)) {
            return new Ir.Text(replace.apply(text));
        }
        if (value.type() instanceof ValueType.Name(var dictionary)) {
            return NameMethods.text(value, dictionary, replace, place);
        }
        return bounded(new TextNode.Replaced(TextOperands.text(value, place), target, replacement), place);
    }

    private static Ir bounded(Ir text, Place place) {
        int bound = TextForm.of(text).bound();
        if (bound > BYTES_MAX) {
            throw place.error(
                    ErrorCode.TOO_LARGE,
                    "the text may have " + bound + " bytes, at most " + BYTES_MAX + " are possible",
                    "use a part of it, as in name.substring(0, 100)");
        }
        return text;
    }
}
