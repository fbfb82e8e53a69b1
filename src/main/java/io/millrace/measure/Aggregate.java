package io.millrace.measure;

import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupAggregate;
import io.millrace.aggregate.GroupAggregate.Kind;
import io.millrace.expression.FieldCondition;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A figure of a group, as values are made of them. Immutable. */
sealed interface Aggregate {

    /** A whole number of eight bytes. */
    IntStorage WHOLE = IntStorage.of(Long.BYTES, true, ByteOrder.BIG_ENDIAN);

    /** A double. */
    FieldType REAL = new FieldType.FloatType(Double.BYTES, ByteOrder.BIG_ENDIAN);

    /** The type of a field that holds it. */
    FieldType type();

    /** Whether there may be none. */
    boolean optional();

    /** The raw number that a field of the type has for it; of a double its bits. */
    long raw(GroupCursor group);

    /** It as a double: NaN where there is none, or it is no number. */
    double real(GroupCursor group);

    /** The exact number where no field holds it; null where the field does. */
    default @Nullable BigDecimal wide(GroupCursor group) {
        return null;
    }

    /** The field that holds it; its place is set anew. */
    default Field field(String name) {
        Field field = Field.of(name, type(), 0);
        return optional() ? field.asOptional(Field.defaultNullRaw(type())) : field;
    }

    /** How many records there were, or those that a condition holds for. */
    record Count(int at) implements Aggregate {
        @Override
        public FieldType type() {
            return new FieldType.IntegerType(WHOLE);
        }

        @Override
        public boolean optional() {
            return false;
        }

        @Override
        public long raw(GroupCursor group) {
            return group.figures()[group.from() + at];
        }

        @Override
        public double real(GroupCursor group) {
            return raw(group);
        }
    }

    /** How many there were in a second of the window. */
    record Rate(int at) implements Aggregate {
        @Override
        public FieldType type() {
            return REAL;
        }

        @Override
        public boolean optional() {
            return false;
        }

        @Override
        public long raw(GroupCursor group) {
            return Double.doubleToRawLongBits(real(group));
        }

        @Override
        public double real(GroupCursor group) {
            return group.figures()[group.from() + at] / group.seconds();
        }
    }

    /** The sum of all that have a value; 0 of none. Where its field does not hold it, it is absent there. */
    record Sum(GroupAggregate figure) implements Aggregate {

        private static final double TWO_TO_64 = 0x1p64;

        private Column column() {
            return Objects.requireNonNull(figure.column());
        }

        @Override
        public FieldType type() {
            return switch (column().type()) {
                case FieldType.FloatType _ -> REAL;
                case FieldType.DecimalType(var ignoredStorage, int scale) -> new FieldType.DecimalType(WHOLE, scale);
                default -> new FieldType.IntegerType(WHOLE);
            };
        }

        @Override
        public boolean optional() {
            return true;
        }

        private long low(GroupCursor group) {
            return group.figures()[group.from() + figure.at()];
        }

        private long high(GroupCursor group) {
            return group.figures()[group.from() + figure.at() + 1];
        }

        private boolean fits(GroupCursor group) {
            return high(group) == low(group) >> 63 && low(group) != Long.MIN_VALUE;
        }

        @Override
        public long raw(GroupCursor group) {
            return column().real() || fits(group) ? low(group) : Long.MIN_VALUE;
        }

        @Override
        public double real(GroupCursor group) {
            long low = low(group);
            if (column().real()) {
                return Double.longBitsToDouble(low);
            }
            double whole = fits(group) ? low : high(group) * TWO_TO_64 + (low >>> 1) * 2.0 + (low & 1);
            return whole / Math.pow(10, column().scale());
        }

        @Override
        public @Nullable BigDecimal wide(GroupCursor group) {
            return column().real() || fits(group)
                    ? null
                    : new BigDecimal(figure.exactSum(group.figures(), group.from()), column().scale());
        }
    }

    /** The smallest or the largest value. */
    record Extreme(GroupAggregate figure) implements Aggregate {

        private Column column() {
            return Objects.requireNonNull(figure.column());
        }

        @Override
        public FieldType type() {
            return switch (column().type()) {
                case FieldType.DecimalType(var ignoredStorage, int scale) -> new FieldType.DecimalType(WHOLE, scale);
                case FieldType.InstantType(var ignoredStorage, var unit) -> new FieldType.InstantType(WHOLE, unit);
                case FieldType.DateType _ -> new FieldType.DateType(WHOLE);
                case FieldType.FloatType _ -> REAL;
                default -> new FieldType.IntegerType(WHOLE);
            };
        }

        @Override
        public boolean optional() {
            return true;
        }

        @Override
        public long raw(GroupCursor group) {
            if (figure.none(group.figures(), group.from())) {
                return Field.defaultNullRaw(type());
            }
            long number = group.figures()[group.from() + figure.at()];
            return column().real() ? FieldCondition.orderOf(number) : number;
        }

        @Override
        public double real(GroupCursor group) {
            if (figure.none(group.figures(), group.from())) {
                return Double.NaN;
            }
            long raw = raw(group);
            return switch (column().type()) {
                case FieldType.FloatType _ -> Double.longBitsToDouble(raw);
                case FieldType.IntegerType _, FieldType.DecimalType _ -> raw / Math.pow(10, column().scale());
                default -> Double.NaN;
            };
        }
    }

    /** The mean of all that have a value. */
    record Mean(GroupAggregate figure) implements Aggregate {
        @Override
        public FieldType type() {
            return REAL;
        }

        @Override
        public boolean optional() {
            return true;
        }

        @Override
        public long raw(GroupCursor group) {
            return Double.doubleToRawLongBits(real(group));
        }

        @Override
        public double real(GroupCursor group) {
            return new Sum(figure).real(group) / group.figures()[group.from() + figure.countAt()];
        }
    }

    /** About how many different values there were. */
    record Distinct(int sketch) implements Aggregate {
        @Override
        public FieldType type() {
            return new FieldType.IntegerType(WHOLE);
        }

        @Override
        public boolean optional() {
            return false;
        }

        @Override
        public long raw(GroupCursor group) {
            return group.sketches().distinct(sketch, group.group());
        }

        @Override
        public double real(GroupCursor group) {
            return raw(group);
        }
    }

    /** About the value below which such a part of all lies. */
    record Quantile(int sketch, double rank) implements Aggregate {
        @Override
        public FieldType type() {
            return REAL;
        }

        @Override
        public boolean optional() {
            return true;
        }

        @Override
        public long raw(GroupCursor group) {
            return Double.doubleToRawLongBits(real(group));
        }

        @Override
        public double real(GroupCursor group) {
            return group.sketches().quantile(sketch, group.group(), rank);
        }
    }

    /** The figure of a kind. */
    static Aggregate of(GroupAggregate figure) {
        return switch (figure.kind()) {
            case COUNT -> new Count(figure.at());
            case SUM -> new Sum(figure);
            case MIN, MAX -> new Extreme(figure);
            case AVG -> new Mean(figure);
        };
    }

    /** Whether a kind has only numbers: of days and moments the smallest and largest are none. */
    static boolean isNumber(FieldType type) {
        return type instanceof FieldType.IntegerType
                || type instanceof FieldType.DecimalType
                || type instanceof FieldType.FloatType;
    }

    /** The kind of a figure that a name stands for, null where it stands for another thing. */
    static @Nullable Kind kind(String function) {
        for (Kind kind : Kind.values()) {
            if (kind != Kind.COUNT && kind.tag().equals(function)) {
                return kind;
            }
        }
        return null;
    }
}
