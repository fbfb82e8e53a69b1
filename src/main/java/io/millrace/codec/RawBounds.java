package io.millrace.codec;

import io.millrace.schema.Constraint;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A range of raw values, both bounds inclusive. Values of unsigned 64-bit storage are longs of the same bits. A test is
 * one unsigned comparison of the distance from the lower bound, which is correct for signed and unsigned values.
 *
 * @param low smallest raw value
 * @param high largest raw value
 * @param all whether the range contains every number that the storage can hold
 */
record RawBounds(long low, long high, boolean all) {

    /** Returns the raw values that are valid for a type, ignoring constraints. */
    static RawBounds ofType(FieldType.Numbered type) {
        IntStorage storage = type.storage();
        return switch (type) {
            case FieldType.DateType _ ->
                of(
                        storage,
                        BigInteger.valueOf(LocalDate.MIN.toEpochDay()),
                        BigInteger.valueOf(LocalDate.MAX.toEpochDay()));
            case FieldType.InstantType instant
            when instant.unit() == TimeUnit.SECONDS ->
                of(
                        storage,
                        BigInteger.valueOf(Instant.MIN.getEpochSecond()),
                        BigInteger.valueOf(Instant.MAX.getEpochSecond()));
            case FieldType.InstantType _ ->
                of(storage, BigInteger.valueOf(Long.MIN_VALUE), BigInteger.valueOf(Long.MAX_VALUE));
            case FieldType.EnumType names ->
                of(
                        storage,
                        BigInteger.ZERO,
                        BigInteger.valueOf(names.dictionary().lastCode()));
            case FieldType.BooleanType _ -> of(storage, BigInteger.ZERO, BigInteger.ONE);
            case FieldType.IntegerType _, FieldType.DecimalType _ -> of(storage, storage.smallest(), storage.largest());
        };
    }

    /** Returns the raw values of an integer or decimal that a constraint allows. */
    static RawBounds ofConstraint(FieldType.Numbered type, Constraint constraint) {
        IntStorage storage = type.storage();
        int scale = type instanceof FieldType.DecimalType decimal ? decimal.scale() : 0;
        return of(
                storage,
                raw(constraint.min(), scale, RoundingMode.CEILING, storage.smallest()),
                raw(constraint.max(), scale, RoundingMode.FLOOR, storage.largest()));
    }

    private static BigInteger raw(@Nullable BigDecimal bound, int scale, RoundingMode rounding, BigInteger otherwise) {
        return bound == null
                ? otherwise
                : bound.movePointRight(scale).setScale(0, rounding).toBigInteger();
    }

    private static RawBounds of(IntStorage storage, BigInteger low, BigInteger high) {
        BigInteger lowest = low.max(storage.smallest());
        BigInteger highest = high.min(storage.largest());
        if (lowest.compareTo(highest) > 0) {
            throw new IllegalArgumentException("Invalid bounds '" + low + "' and '" + high
                    + "'. Use bounds with a number of " + storage + " between them.");
        }
        boolean all = lowest.equals(storage.smallest()) && highest.equals(storage.largest());
        return new RawBounds(lowest.longValue(), highest.longValue(), all);
    }

    boolean holds(long raw) {
        return Long.compareUnsigned(raw - low, high - low) <= 0;
    }
}
