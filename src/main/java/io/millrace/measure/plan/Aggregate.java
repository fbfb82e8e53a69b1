package io.millrace.measure.plan;

import io.millrace.aggregate.GroupAggregate.Kind;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** An aggregate of a group, from which the values of a row are computed. Immutable. */
sealed interface Aggregate
        permits Aggregate.OfReal, Aggregate.Count, Aggregate.Distinct, SumAggregate, ExtremeAggregate {

    /** The storage of a signed integer of 8 bytes. */
    IntStorage WHOLE = IntStorage.of(Long.BYTES, true, ByteOrder.BIG_ENDIAN);

    /** The type of an 8-byte floating-point field. */
    FieldType REAL = new FieldType.FloatType(Double.BYTES, ByteOrder.BIG_ENDIAN);

    /** The type of a 4-byte floating-point field. */
    FieldType REAL_OF_4_BYTES = new FieldType.FloatType(Float.BYTES, ByteOrder.BIG_ENDIAN);

    /** Returns the type of the field that stores the aggregate. */
    FieldType type();

    /** Returns whether the aggregate can be absent. */
    boolean optional();

    /**
     * Returns the raw value for a field of {@link #type}; for a double or a float, its bits. Undefined if it is absent.
     */
    long raw(GroupCursor group);

    /** Returns whether the field can't hold the aggregate: there is none, or it exceeds the field's range. */
    default boolean absent(GroupCursor group) {
        return false;
    }

    /** Returns the aggregate as a double, or NaN if it is absent or not a number. */
    double real(GroupCursor group);

    /**
     * Computes the raw values of groups.
     *
     * @param group cursor to use
     * @param groups groups, from index {@code from} on
     * @param into receives their values, from index 0 on
     */
    default void raw(GroupCursor group, int[] groups, int from, int count, long[] into) {
        for (int i = 0; i < count; i++) {
            group.moveTo(groups[from + i]);
            into[i] = raw(group);
        }
    }

    /** Computes the doubles of groups, as {@link #raw(GroupCursor, int[], int, int, long[])} does. */
    default void real(GroupCursor group, int[] groups, int from, int count, double[] into) {
        for (int i = 0; i < count; i++) {
            group.moveTo(groups[from + i]);
            into[i] = real(group);
        }
    }

    /**
     * Returns a field that can store the aggregate. Its offset is not set yet. An absent double is a NaN whose bits no
     * value has; other absent values have a null flag.
     */
    default Field field(String name) {
        Field field = Field.of(name, type(), 0);
        if (!optional()) {
            return field;
        }
        return type() instanceof FieldType.FloatType
                ? field.asOptional(Field.defaultNullRaw(type()))
                : field.withNullFlag();
    }

    /** An aggregate that is computed as a double. */
    sealed interface OfReal extends Aggregate permits Aggregate.Rate, Aggregate.Quantile, MeanAggregate {
        @Override
        default FieldType type() {
            return REAL;
        }

        @Override
        default long raw(GroupCursor group) {
            return Double.doubleToRawLongBits(real(group));
        }
    }

    /** The number of records, or of the records for which a condition holds. */
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
            return group.accumulators()[group.from() + at];
        }

        @Override
        public double real(GroupCursor group) {
            return raw(group);
        }

        @Override
        public void raw(GroupCursor group, int[] groups, int from, int count, long[] into) {
            long[] accumulators = group.accumulators();
            int width = group.width();
            for (int i = 0; i < count; i++) {
                into[i] = accumulators[groups[from + i] * width + at];
            }
        }

        @Override
        public void real(GroupCursor group, int[] groups, int from, int count, double[] into) {
            long[] accumulators = group.accumulators();
            int width = group.width();
            for (int i = 0; i < count; i++) {
                into[i] = accumulators[groups[from + i] * width + at];
            }
        }
    }

    /** The number of records, or of the records for which a condition holds, per second of the window. */
    record Rate(int at) implements OfReal {
        @Override
        public boolean optional() {
            return false;
        }

        @Override
        public double real(GroupCursor group) {
            return group.accumulators()[group.from() + at] / group.seconds();
        }
    }

    /** The estimated number of distinct values. */
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
            return group.distinct(sketch);
        }

        @Override
        public double real(GroupCursor group) {
            return raw(group);
        }
    }

    /** The estimated quantile of the values at a rank from 0 to 1. */
    record Quantile(int sketch, double rank) implements OfReal {
        @Override
        public boolean optional() {
            return true;
        }

        @Override
        public boolean absent(GroupCursor group) {
            return Double.isNaN(real(group));
        }

        @Override
        public double real(GroupCursor group) {
            return group.quantile(sketch, rank);
        }
    }

    /**
     * Returns whether values of the type are numbers. Dates and instants are not, so neither are their minimum and
     * maximum.
     */
    static boolean isNumber(FieldType type) {
        return type instanceof FieldType.IntegerType
                || type instanceof FieldType.DecimalType
                || type instanceof FieldType.FloatType;
    }

    /** Returns the kind of aggregate that a function name denotes, or null for any other function. */
    static @Nullable Kind kind(String function) {
        for (Kind kind : Kind.values()) {
            if (kind != Kind.COUNT && kind.tag().equals(function)) {
                return kind;
            }
        }
        return null;
    }
}
