package io.millrace.expression.operand;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Dictionary;
import io.millrace.schema.FieldType;

/** Operands that must be texts: converts names to texts, and refuses values without characters. */
public final class TextOperands {

    private TextOperands() {}

    /** Returns whether a value is bytes or an address, which can only be compared for equality. */
    public static boolean isOpaque(Ir value) {
        return switch (value) {
            case Ir.Load(var field) ->
                field.type() instanceof FieldType.BytesType || field.type() instanceof FieldType.IpType;
            case Ir.Choice(var ignoredCondition, var ifTrue, var ifFalse, var ignoredType) ->
                isOpaque(ifTrue) || isOpaque(ifFalse);
            case Ir.Present(var inner) -> isOpaque(inner);
            case Fold fold -> isOpaque(fold.value());
            default -> false;
        };
    }

    /** Returns whether a value is a text or a name. */
    public static boolean isText(Ir value) {
        return (value.type() == Basic.TEXT && !isOpaque(value)) || value.type() instanceof ValueType.Name;
    }

    /**
     * Returns whether a choice is between two texts or names that are not null. A function of it is then a choice
     * between two functions, and those of constants and names are computed during compilation.
     */
    public static boolean isChoiceOfTexts(Ir.Choice choice) {
        return choice.type() == Basic.TEXT
                && !(choice.ifTrue() instanceof Ir.Absent)
                && !(choice.ifFalse() instanceof Ir.Absent);
    }

    /** Returns a text or name as a text; any other value as it is. */
    public static Ir text(Ir value, Place place) {
        if (value.type() instanceof ValueType.Name(var dictionary)) {
            return name(value, dictionary, place);
        }
        if (value.type() != Basic.TEXT) {
            return value;
        }
        return switch (value) {
            case Ir.Choice(var condition, var ifTrue, var ifFalse, var ignoredType) ->
                new Ir.Choice(condition, text(ifTrue, place), text(ifFalse, place), Basic.TEXT);
            case Ir.Present(var inner) -> new Ir.Present(text(inner, place));
            case Fold(var kind, var path, int index, var filter, var inner, var ignoredType) ->
                new Fold(kind, path, index, filter, text(inner, place), Basic.TEXT);
            default -> value;
        };
    }

    private static Ir name(Ir value, Dictionary dictionary, Place place) {
        if (value instanceof Ir.Constant(var ignoredType, long code)) {
            return new Ir.Text(String.valueOf(dictionary.name(code)));
        }
        for (String name : dictionary.namesByCode().values()) {
            requireWellFormed(name, place);
        }
        return new TextNode.NameText(value);
    }

    /** Returns a constant. */
    public static Ir constant(String value, Place place) {
        requireWellFormed(value, place);
        return new Ir.Text(value);
    }

    /** Refuses a text with half of a surrogate pair, which cannot be encoded. */
    public static void requireWellFormed(String text, Place place) {
        if (!isWellFormed(text)) {
            throw place.error(ErrorCode.BAD_CONSTANT, "half of a surrogate pair is not a text", "");
        }
    }

    static boolean isWellFormed(String text) {
        return TextCharset.UTF8.charset().newEncoder().canEncode(text);
    }

    /** Refuses a constant that no text of this value can contain. */
    public static void requirePossible(Ir value, Ir constant, Place place) {
        if (!(constant instanceof Ir.Text(String text)) || value instanceof Ir.Text) {
            return;
        }
        TextForm form = TextForm.of(value);
        String problem;
        if (TextCharset.smallest(text).compareTo(form.charset()) > 0) {
            problem = "it can't be written in " + form.charset().charset();
        } else {
            int bytes = form.charset().encode(text).length;
            if (bytes <= form.bound()) {
                return;
            }
            problem = "it takes " + bytes + " bytes, the text has at most " + form.bound();
        }
        throw place.error(ErrorCode.BAD_CONSTANT, "invalid constant '" + text + "': " + problem, "");
    }
}
