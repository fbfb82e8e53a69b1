package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.NumberText;
import java.math.BigInteger;
import org.apiguardian.api.API;

/** Reads and writes integers. */
@API(status = API.Status.STABLE)
public final class LongCodec extends NumberedCodec {

    LongCodec(Field field) {
        super(field);
    }

    /** Returns the number. An unsigned 64-bit number is returned as the long of the same bits. Allocates nothing. */
    public long get(byte[] bytes, int record) {
        return rawNumber(bytes, record);
    }

    /** Returns the number. Throws {@link FieldValueException} if it exceeds 2^63 - 1. Allocates nothing. */
    public long getExact(byte[] bytes, int record) {
        long raw = rawNumber(bytes, record);
        if (raw < 0 && storage().unsignedLong()) {
            throw refuse(show(raw), "Use BigInteger: the largest long is " + Long.MAX_VALUE + ".");
        }
        return raw;
    }

    /** Writes a number. A negative number does not fit an unsigned field of any width. Allocates nothing. */
    public void put(byte[] bytes, int record, long value) {
        writeNumber(bytes, record, value);
    }

    /** Returns a {@link Long}, or a {@link BigInteger} for numbers above 2^63 - 1. */
    @Override
    Object decode(byte[] bytes, int record) {
        long raw = rawNumber(bytes, record);
        return raw < 0 && storage().unsignedLong() ? new BigInteger(show(raw)) : (Object) raw;
    }

    @Override
    void encode(byte[] bytes, int record, Object value) {
        switch (value) {
            case Long number -> writeNumber(bytes, record, number.longValue());
            case Integer number -> writeNumber(bytes, record, number.longValue());
            case Short number -> writeNumber(bytes, record, number.longValue());
            case Byte number -> writeNumber(bytes, record, number.longValue());
            case BigInteger number -> writeNumber(bytes, record, number, value);
            default -> throw refuseType(value, "a whole number");
        }
    }

    @Override
    String format(byte[] bytes, int record) {
        return show(rawNumber(bytes, record));
    }

    @Override
    void parse(byte[] bytes, int record, String text) {
        if (!NumberText.isWhole(text)) {
            throw refuse(text, range());
        }
        if (NumberText.isZero(text)) {
            // Unsigned numbers of Java have no sign.
            writeRaw(bytes, record, 0, text);
            return;
        }
        long number;
        try {
            number = storage().unsignedLong() ? Long.parseUnsignedLong(text) : Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw refuse(text, range());
        }
        writeRaw(bytes, record, number, text);
    }

    private String range() {
        return "Use a whole number, " + show(typeBounds().low()) + " to "
                + show(typeBounds().high()) + ".";
    }
}
