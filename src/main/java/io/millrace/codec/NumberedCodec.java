package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Reads and writes a field that is stored as an integer, whose meaning the type determines. */
@API(status = API.Status.STABLE)
public abstract sealed class NumberedCodec extends FieldCodec
        permits LongCodec, DecimalCodec, DateCodec, InstantCodec, EnumCodec, BooleanCodec {

    private final IntStorage storage;
    private final RawBounds typeBounds;
    private final RawBounds constraintBounds;
    private final long nullRaw;

    NumberedCodec(Field field) {
        super(field);
        FieldType.Numbered type = (FieldType.Numbered) field.type();
        this.storage = type.storage();
        this.typeBounds = RawBounds.ofType(type);
        this.constraintBounds = RawBounds.ofConstraint(type, field.constraint());
        this.nullRaw = reservesValue() ? field.nullRaw() : 0;
    }

    /** Returns how the integer is stored. */
    public final IntStorage storage() {
        return storage;
    }

    /**
     * Returns the stored number without validation. An unsigned 64-bit number is returned as the long of the same bits.
     * Allocates nothing.
     */
    public final long rawNumber(byte[] bytes, int record) {
        return RawBytes.get(bytes, at(record), storage);
    }

    /** Writes a signed number: a negative one is refused by unsigned fields. Allocates nothing. */
    final void writeNumber(byte[] bytes, int record, long number) {
        if (!accepts(number) || isNegativeInUnsigned(number)) {
            throw refuse(show(number, false), isNegativeInUnsigned(number) ? outOfRange() : whyNot(number));
        }
        RawBytes.put(bytes, at(record), storage, number);
        markPresent(bytes, record);
    }

    /**
     * Writes a number of any size.
     *
     * @param shownAs value for messages
     */
    final void writeNumber(byte[] bytes, int record, BigInteger number, Object shownAs) {
        boolean fits =
                storage.unsignedLong() ? number.signum() >= 0 && number.bitLength() <= 64 : number.bitLength() <= 63;
        if (!fits) {
            throw refuse(shownAs, outOfRange());
        }
        writeRaw(bytes, record, number.longValue(), shownAs);
    }

    /** Writes a raw number. For unsigned 64-bit storage, a negative long is the number of the same bits. */
    final void writeRaw(byte[] bytes, int record, long raw, Object shownAs) {
        if (!accepts(raw)) {
            throw refuse(shownAs, whyNot(raw));
        }
        RawBytes.put(bytes, at(record), storage, raw);
        markPresent(bytes, record);
    }

    private boolean isNegativeInUnsigned(long number) {
        return number < 0 && !storage.signed();
    }

    private boolean accepts(long raw) {
        return storage.holds(raw) && !isReserved(raw) && isValue(raw) && constraintBounds.holds(raw);
    }

    private boolean isReserved(long raw) {
        return reservesValue() && raw == nullRaw;
    }

    private String whyNot(long raw) {
        if (!storage.holds(raw)) {
            return outOfRange();
        }
        if (isReserved(raw)) {
            return "Use another value: " + raw + ", as which it is stored, stands for absent.";
        }
        return Objects.requireNonNull(faultOfRaw(raw));
    }

    final String outOfRange() {
        return "Use " + show(typeBounds.low()) + " to " + show(typeBounds.high()) + ".";
    }

    /** Returns a raw number as text. */
    final String show(long raw) {
        return show(raw, storage.unsignedLong());
    }

    /** Returns a number of the field as text. */
    String show(long number, boolean unsigned) {
        return unsigned ? Long.toUnsignedString(number) : Long.toString(number);
    }

    /** Returns the stored number. Throws {@link FieldValueException} if it is not a valid value of the type. */
    final long checkedRaw(byte[] bytes, int record) {
        long raw = rawNumber(bytes, record);
        if (!isValue(raw)) {
            throw refuse(raw(bytes, record), noValue());
        }
        return raw;
    }

    /** Returns whether a number is a valid value of the type. */
    public boolean isValue(long raw) {
        return typeBounds.holds(raw);
    }

    /** Returns why a number is not a valid value of the type. */
    String noValue() {
        return outOfRange();
    }

    /** Returns the smallest raw number that type and constraint allow. */
    public final long lowestRaw() {
        return narrowest().low();
    }

    /** Returns the largest raw number that type and constraint allow. */
    public final long highestRaw() {
        return narrowest().high();
    }

    /**
     * Returns the bounds that apply. Constraints exist only for types without bounds of their own, so at most one of
     * the two restricts the storage.
     */
    final RawBounds narrowest() {
        return constraintBounds.all() ? typeBounds : constraintBounds;
    }

    final RawBounds typeBounds() {
        return typeBounds;
    }

    final RawBounds constraintBounds() {
        return constraintBounds;
    }

    private @Nullable String faultOfRaw(long raw) {
        if (!isValue(raw)) {
            return noValue();
        }
        return constraintBounds.holds(raw) ? null : field().constraint().refusal(new BigDecimal(show(raw)));
    }

    @Override
    final @Nullable String faultOfPresent(byte[] bytes, int record) {
        return faultOfRaw(rawNumber(bytes, record));
    }

    @Override
    final boolean holdsAbsent(byte[] bytes, int record) {
        return rawNumber(bytes, record) == nullRaw;
    }

    @Override
    final void writeAbsent(byte[] bytes, int record) {
        RawBytes.put(bytes, at(record), storage, nullRaw);
    }

    @Override
    final Object raw(byte[] bytes, int record) {
        return show(rawNumber(bytes, record));
    }

    @Override
    boolean refusesBytes() {
        return !typeBounds.all() || !constraintBounds.all();
    }
}
