package io.millrace.expression.check;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.FieldStore;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.PowersOfTen;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.Numbers;
import io.millrace.expression.operand.TextOperands;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;

/** Converts a value to the type of the field that it is assigned to, or refuses it. */
public final class Targets {

    private static final String STANDS_FOR_ABSENT = "the field stores it for an absent value";

    private Targets() {}

    public static FieldStore store(Field target, Ir value, Place place) {
        FieldStore store = switch (target.type()) {
            case FieldType.IntegerType _ -> exact(target, value, 0, place);
            case FieldType.DecimalType(var ignoredStorage, int scale) -> exact(target, value, scale, place);
            case FieldType.InstantType(var ignoredStorage2, var unit) -> moment(target, value, unit, place);
            case FieldType.FloatType _
            when value.type().isNumber() -> new FieldStore(target, Numbers.toDouble(value), 1);
            case FieldType.DateType _,
                    FieldType.EnumType _,
                    FieldType.BooleanType _,
                    FieldType.FloatType _,
                    FieldType.StringType _,
                    FieldType.BytesType _,
                    FieldType.IpType _ -> new FieldStore(target, same(target, value, place), 1);
        };
        if (store.value() instanceof Ir.Absent && !target.optional()) {
            throw place.error(ErrorCode.NOT_ASSIGNABLE, target.name() + " is required, so it can't be set to null", "");
        }
        requireFits(store, place);
        return store;
    }

    private static FieldStore exact(Field target, Ir value, int scale, Place place) {
        if (value instanceof Ir.Absent) {
            return new FieldStore(target, value, 1);
        }
        if (value instanceof Ir.Real real) {
            return new FieldStore(target, exactReal(target, real, scale, place), 1);
        }
        if (value.type() == Basic.DOUBLE && target.type() instanceof FieldType.DecimalType) {
            return new FieldStore(target, value, 1);
        }
        if (value.type() != Basic.WHOLE && !(value.type() instanceof ValueType.Decimal)) {
            throw notAssignable(target, value, place);
        }
        int places = value.type().scaleOfExact() - scale;
        if (places > PowersOfTen.LARGEST) {
            Ir rounded = new NumberNode.Rounded(value, places - PowersOfTen.LARGEST, RoundingMode.UNNECESSARY);
            return new FieldStore(target, rounded, PowersOfTen.of(PowersOfTen.LARGEST));
        }
        return places <= 0
                ? new FieldStore(target, Numbers.rescale(value, scale, place), 1)
                : new FieldStore(target, value, PowersOfTen.of(places));
    }

    private static Ir exactReal(Field target, Ir.Real real, int scale, Place place) {
        BigDecimal raw = real.decimal().scaleByPowerOfTen(scale);
        boolean finite = Double.isFinite(real.value());
        if (finite && raw.stripTrailingZeros().scale() > 0) {
            throw Constants.invalid(
                    target, real.decimal().toString(), Constants.decimals(scale), "write fewer decimals", place);
        }
        if (!finite || raw.toBigInteger().bitLength() > 63) {
            FieldType.Numbered type = (FieldType.Numbered) target.type();
            throw Constants.invalid(
                    target, Double.toString(real.value()), "it does not fit " + type.storage(), range(type), place);
        }
        return new Ir.Constant(new ValueType.Decimal(scale), raw.longValueExact());
    }

    private static FieldStore moment(Field target, Ir value, TimeUnit unit, Place place) {
        if (value instanceof Ir.Text(String text)) {
            return new FieldStore(
                    target, new Ir.Constant(new ValueType.Moment(unit), Constants.wholeMoment(text, unit, place)), 1);
        }
        if (value instanceof Ir.Absent) {
            return new FieldStore(target, value, 1);
        }
        if (!(value.type() instanceof ValueType.Moment(var from))) {
            throw notAssignable(target, value, place);
        }
        return from.compareTo(unit) >= 0
                ? new FieldStore(
                        target, Numbers.inUnits(value, unit.convert(1, from), new ValueType.Moment(unit), place), 1)
                : new FieldStore(target, value, from.convert(1, unit));
    }

    /** Returns a value that has exactly the type of the target, or a constant for a text that represents one. */
    private static Ir same(Field target, Ir value, Place place) {
        if (value instanceof Ir.Absent) {
            return value;
        }
        if (value instanceof Ir.Choice(var condition, var ifTrue, var ifFalse, var type) && type == Basic.TEXT) {
            Ir first = same(target, ifTrue, place);
            Ir second = same(target, ifFalse, place);
            return new Ir.Choice(condition, first, second, first instanceof Ir.Absent ? second.type() : first.type());
        }
        boolean fits = switch (target.type()) {
            case FieldType.DateType _ -> value.type() == Basic.DATE;
            case FieldType.BooleanType _ -> value.type() == Basic.BOOLEAN;
            case FieldType.EnumType(var ignoredStorage, var dictionary) ->
                value.type().equals(new ValueType.Name(dictionary));
            case FieldType.StringType _ -> !(value instanceof Ir.Text) && TextOperands.isText(value);
            case FieldType other ->
                value instanceof Ir.Load(var source) && source.type().equals(other);
        };
        if (fits) {
            return target.type() instanceof FieldType.StringType ? TextOperands.text(value, place) : value;
        }
        if (value instanceof Ir.Text(String text)) {
            return constant(target, value, text, place);
        }
        throw notAssignable(target, value, place);
    }

    private static Ir constant(Field target, Ir value, String text, Place place) {
        switch (target.type()) {
            case FieldType.DateType _ -> {
                return new Ir.Constant(Basic.DATE, Constants.day(text, place));
            }
            case FieldType.EnumType(var ignoredStorage, var dictionary) -> {
                return new Ir.Constant(new ValueType.Name(dictionary), Constants.code(text, dictionary, place));
            }
            case FieldType.StringType _, FieldType.IpType _ -> {
                try {
                    TextEncoding.encode(target.type(), text);
                    if (TextEncoding.meansAbsent(target, text)) {
                        throw Constants.invalid(
                                target, text, STANDS_FOR_ABSENT, "use null, or 'absent: flag' in the schema", place);
                    }
                    return value;
                } catch (IllegalArgumentException e) {
                    throw Constants.invalid(target, text, String.valueOf(e.getMessage()), "", place);
                }
            }
            default -> throw notAssignable(target, value, place);
        }
    }

    /** Refuses a constant for which every record would be rejected. */
    private static void requireFits(FieldStore store, Place place) {
        Field target = store.target();
        if (target.type() instanceof FieldType.Numbered wide
                && store.value() instanceof Ir.WideConstant(var ofType, var unscaled)
                && unscaled.divide(BigInteger.valueOf(store.divisor())).bitLength() > Long.SIZE - 1) {
            throw Constants.invalid(
                    target,
                    new BigDecimal(unscaled, ofType.scale()).toPlainString(),
                    "it does not fit " + wide.storage(),
                    range(wide),
                    place);
        }
        if (!(target.type() instanceof FieldType.Numbered type)
                || !(store.value() instanceof Ir.Constant(var valueType, long value))) {
            return;
        }
        long raw = value / store.divisor();
        boolean exact = raw * store.divisor() == value;
        boolean unsignedOverflow = type.storage().unsignedLong() && raw < 0;
        String problem = null;
        if (!exact) {
            problem = "it is not a whole number of the field's units";
        } else if (!type.storage().holds(raw) || unsignedOverflow) {
            problem = "it does not fit " + type.storage();
        } else if (target.optional() && !target.nullFlag() && raw == target.nullRaw()) {
            problem = STANDS_FOR_ABSENT;
        }
        if (problem != null) {
            throw Constants.invalid(target, Constants.text(valueType, value), problem, range(type), place);
        }
    }

    /** Returns the values of a field as a hint; empty for instants, which nobody writes as numbers. */
    private static String range(FieldType.Numbered type) {
        IntStorage storage = type.storage();
        return switch (type) {
            case FieldType.DateType _
            when storage.bits() <= Integer.SIZE ->
                "use " + LocalDate.ofEpochDay(storage.min()) + " to " + LocalDate.ofEpochDay(storage.max());
            case FieldType.IntegerType _ -> "use " + storage.smallest() + " to " + storage.largest();
            case FieldType.DecimalType(var ignoredStorage, int scale) ->
                "use " + new BigDecimal(storage.smallest(), scale) + " to " + new BigDecimal(storage.largest(), scale);
            default -> "";
        };
    }

    private static ExpressionException notAssignable(Field target, Ir value, Place place) {
        return place.error(
                ErrorCode.NOT_ASSIGNABLE,
                target.name() + " can't be set to " + Place.describe(value),
                value.type() == Basic.DOUBLE ? "set a decimal or a float field" : "");
    }
}
