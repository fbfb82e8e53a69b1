package io.millrace.expression.operand;

import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Magnitude;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** The types of ternary and Elvis: converts two values to one type. */
public final class Unification {

    /** Two values of one type. */
    private record Pair(Ir first, Ir second, ValueType type) {}

    private Unification() {}

    public static Ir choice(Ir condition, Ir ifTrue, Ir ifFalse, Place place) {
        Pair pair = unify(ifTrue, ifFalse, place);
        return new Ir.Choice(condition, pair.first, pair.second, pair.type);
    }

    /** Returns the second value if the first is absent or an empty text, as Elvis does. */
    public static Ir fallback(Ir value, Ir other, Place place) {
        if (value instanceof Ir.Absent) {
            return other;
        }
        Pair pair = unify(value, other, place);
        if (pair.type == Basic.TEXT) {
            return new Ir.Choice(missing(value, place), other, value, Basic.TEXT);
        }
        OptionalLong empty = emptyCode(pair.type);
        return value.optional() || empty.isPresent()
                ? new Ir.Fallback(pair.first, empty, pair.second, pair.type)
                : pair.first;
    }

    private static OptionalLong emptyCode(ValueType type) {
        return type instanceof ValueType.Name(var dictionary) && dictionary.code("") >= 0
                ? OptionalLong.of(dictionary.code(""))
                : OptionalLong.empty();
    }

    private static Ir missing(Ir value, Place place) {
        return switch (value) {
            case Ir.Text(String text) -> Constants.truth(text.isEmpty());
            default -> {
                if (TextOperands.isOpaque(value)) {
                    // Bytes that are all zero are not an empty text.
                    yield value.optional() ? new Ir.IsAbsent(value) : Constants.truth(false);
                }
                if (!(value.type() instanceof ValueType.Name)) {
                    yield new TextNode.EmptyText(TextOperands.text(value, place));
                }
                OptionalLong empty = emptyCode(value.type());
                Ir absent = new Ir.IsAbsent(value);
                yield empty.isEmpty()
                        ? absent
                        : new Ir.Or(List.of(
                                absent,
                                new Ir.Comparison(
                                        Relation.EQ, value, new Ir.Constant(value.type(), empty.getAsLong()), false)));
            }
        };
    }

    private static Pair unify(Ir first, Ir second, Place place) {
        ValueType a = first.type();
        ValueType b = second.type();
        if (a.equals(b) || b == Basic.ABSENT) {
            return new Pair(first, second, a);
        }
        if (a == Basic.ABSENT) {
            return new Pair(first, second, b);
        }
        if (a.isNumber() && b.isNumber()) {
            return numbers(first, second, place);
        }
        if (second instanceof Ir.Text text && fold(text, a, place) instanceof Ir.Constant constant) {
            return new Pair(first, constant, a);
        }
        if (first instanceof Ir.Text text && fold(text, b, place) instanceof Ir.Constant constant) {
            return new Pair(constant, second, b);
        }
        if (a instanceof ValueType.Moment(var left) && b instanceof ValueType.Moment(var right)) {
            TimeUnit unit = left.compareTo(right) < 0 ? left : right;
            ValueType type = new ValueType.Moment(unit);
            return new Pair(
                    Numbers.inUnits(first, unit.convert(1, left), type, place),
                    Numbers.inUnits(second, unit.convert(1, right), type, place),
                    type);
        }
        if (isText(a) && isText(b)) {
            return new Pair(first, second, Basic.TEXT);
        }
        throw place.mismatch("?", first, second, "both values must be of one kind");
    }

    private static boolean isText(ValueType type) {
        return type == Basic.TEXT || type instanceof ValueType.Name;
    }

    private static Pair numbers(Ir first, Ir second, Place place) {
        Ir a = first instanceof Ir.Real real && second.type() instanceof ValueType.Decimal
                ? Constants.decimal(real, place)
                : first;
        Ir b = second instanceof Ir.Real real && first.type() instanceof ValueType.Decimal
                ? Constants.decimal(real, place)
                : second;
        if (a.type() == Basic.DOUBLE || b.type() == Basic.DOUBLE) {
            return new Pair(Numbers.toDouble(a), Numbers.toDouble(b), Basic.DOUBLE);
        }
        int scale = Math.max(a.type().scaleOfExact(), b.type().scaleOfExact());
        Ir one = Numbers.rescale(a, scale, place);
        Ir other = Numbers.rescale(b, scale, place);
        return new Pair(one, other, new ValueType.Decimal(scale, Math.max(Magnitude.of(one), Magnitude.of(other))));
    }

    /** Returns a text as a constant of the other value's type, or itself if that type has no such constant. */
    private static Ir fold(Ir.Text text, ValueType type, Place place) {
        return switch (type) {
            case Basic.DATE -> new Ir.Constant(type, Constants.day(text.value(), place));
            case ValueType.Moment(var unit) -> new Ir.Constant(type, Constants.wholeMoment(text.value(), unit, place));
            case ValueType.Name(var dictionary)
            when dictionary.code(text.value()) >= 0 -> new Ir.Constant(type, dictionary.code(text.value()));
            default -> text;
        };
    }
}
