package io.millrace.expression.check;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.TextOperands;
import io.millrace.schema.Dictionary;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Chooses the type of a new field that is to hold the value of an expression. */
public final class ResultTypes {

    private ResultTypes() {}

    public static FieldType of(Ir value, Place place) {
        return switch (value.type()) {
            case Basic.BOOLEAN -> new FieldType.BooleanType(unsigned(1));
            case Basic.WHOLE -> new FieldType.IntegerType(signed(8));
            case Basic.DOUBLE -> new FieldType.FloatType(8, ByteOrder.BIG_ENDIAN);
            case Basic.DATE -> new FieldType.DateType(signed(4));
            case ValueType.Decimal(int scale, var ignoredBits) -> decimal(scale, place);
            case ValueType.Moment(var unit) -> new FieldType.InstantType(signed(8), unit);
            case ValueType.Name(var dictionary) -> name(value, dictionary);
            case Basic.TEXT -> text(TextOperands.text(value, place), place);
            case Basic.ABSENT -> throw none(place, "null has no type");
        };
    }

    private static FieldType decimal(int scale, Place place) {
        if (scale > Constants.SCALE_MAX) {
            throw place.error(
                    ErrorCode.NOT_ASSIGNABLE,
                    "the expression has " + scale + " decimals, a field has at most " + Constants.SCALE_MAX,
                    "round it, as in #round(amount * rate, 5)");
        }
        return new FieldType.DecimalType(signed(8), scale);
    }

    private static IntStorage signed(int bytes) {
        return IntStorage.of(bytes, true, ByteOrder.BIG_ENDIAN);
    }

    private static IntStorage unsigned(int bytes) {
        return IntStorage.of(bytes, false, ByteOrder.BIG_ENDIAN);
    }

    private static FieldType name(Ir value, Dictionary dictionary) {
        if (value instanceof Ir.Load(var field)) {
            return field.type();
        }
        // The largest code is reserved for the absent value.
        int bytes = dictionary.lastCode() < 0xFF ? 1 : dictionary.lastCode() < 0xFFFF ? 2 : 4;
        return new FieldType.EnumType(unsigned(bytes), dictionary);
    }

    private static FieldType text(Ir value, Place place) {
        return switch (value) {
            case Ir.Load(var field) -> field.type();
            case Ir.Text(String text) ->
                new FieldType.StringType(
                        Math.max(1, text.getBytes(StandardCharsets.UTF_8).length), StandardCharsets.UTF_8, (byte) 0);
            case Ir.Choice(var ignoredCondition, var ifTrue, Ir.Absent _, var ignoredType) -> of(ifTrue, place);
            case Ir.Choice(var ignoredCondition2, Ir.Absent _, var ifFalse, var ignoredType2) -> of(ifFalse, place);
            case Fold fold -> text(fold.value(), place);
            case Ir.Choice choice -> wider(choice, of(choice.ifTrue(), place), of(choice.ifFalse(), place), place);
            default -> string(TextForm.of(value));
        };
    }

    /** Padded with zero bytes, which texts do not end with; a substring may end with a blank. */
    private static FieldType string(TextForm form) {
        return new FieldType.StringType(
                Math.max(1, form.width()), form.charset().charset(), (byte) 0);
    }

    private static FieldType wider(Ir.Choice choice, FieldType a, FieldType b, Place place) {
        if (a.equals(b) || (choice.ifFalse() instanceof Ir.Text(String text) && holds(a, text))) {
            return a;
        }
        if (choice.ifTrue() instanceof Ir.Text(String text) && holds(b, text)) {
            return b;
        }
        if (a instanceof FieldType.StringType left && b instanceof FieldType.StringType right) {
            if (left.charset().equals(right.charset())) {
                return left.bytes() >= right.bytes() ? a : b;
            }
            return string(TextForm.of(choice));
        }
        throw none(place, "the texts are of several kinds");
    }

    private static boolean holds(FieldType type, String text) {
        try {
            TextEncoding.encode(type, text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static ExpressionException none(Place place, String problem) {
        return place.error(
                ErrorCode.NOT_ASSIGNABLE,
                "no field type fits the expression: " + problem,
                "add the field to the schema, with the type that it should have");
    }
}
