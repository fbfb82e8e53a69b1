package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.NumberText;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apiguardian.api.API;

/** Reads and writes exact decimals of a fixed scale. */
@API(status = API.Status.STABLE)
public final class DecimalCodec extends NumberedCodec {

    /** No field holds a number of longer text, which is also slow to parse. */
    private static final int MAX_TEXT = 100;

    /** Most digits before the decimal point of a number of 64 bits. */
    private static final int MAX_DIGITS = 20;

    private final int scale;

    DecimalCodec(Field field, FieldType.DecimalType type) {
        super(field);
        this.scale = type.scale();
    }

    /** Returns the number of digits after the decimal point. */
    public int scale() {
        return scale;
    }

    /**
     * Returns the value times ten to the power of the scale. An unsigned 64-bit number is returned as the long of the
     * same bits. Allocates nothing.
     */
    public long unscaled(byte[] bytes, int record) {
        return rawNumber(bytes, record);
    }

    /** Writes a value given times ten to the power of the scale. Allocates nothing. */
    public void putUnscaled(byte[] bytes, int record, long unscaled) {
        writeNumber(bytes, record, unscaled);
    }

    /** Returns the value, with the scale of the field. */
    public BigDecimal get(byte[] bytes, int record) {
        return decimal(rawNumber(bytes, record), storage().unsignedLong());
    }

    /** Writes a value. Its digits must fit the scale of the field without rounding. */
    public void put(byte[] bytes, int record, BigDecimal value) {
        put(bytes, record, value, value);
    }

    private void put(byte[] bytes, int record, BigDecimal value, Object shownAs) {
        if (value.signum() == 0) {
            writeRaw(bytes, record, 0, shownAs);
            return;
        }
        if ((long) value.precision() - value.scale() > MAX_DIGITS) {
            throw refuse(shownAs, outOfRange());
        }
        if (value.scale() > scale) {
            long decimals = value.stripTrailingZeros().scale();
            if (decimals > scale) {
                throw refuse(shownAs, "Use at most " + scale + " decimals, not " + decimals + ".");
            }
        }
        writeNumber(bytes, record, value.setScale(scale).unscaledValue(), shownAs);
    }

    private BigDecimal decimal(long number, boolean unsigned) {
        return number < 0 && unsigned
                ? new BigDecimal(new BigInteger(Long.toUnsignedString(number)), scale)
                : BigDecimal.valueOf(number, scale);
    }

    @Override
    String show(long number, boolean unsigned) {
        return decimal(number, unsigned).toPlainString();
    }

    @Override
    Object decode(byte[] bytes, int record) {
        return get(bytes, record);
    }

    @Override
    void encode(byte[] bytes, int record, Object value) {
        switch (value) {
            case BigDecimal number -> put(bytes, record, number);
            case BigInteger number -> put(bytes, record, new BigDecimal(number), value);
            case Long number -> put(bytes, record, BigDecimal.valueOf(number), value);
            case Integer number -> put(bytes, record, BigDecimal.valueOf(number), value);
            default -> throw refuseType(value, "a BigDecimal or a whole number");
        }
    }

    @Override
    String format(byte[] bytes, int record) {
        return get(bytes, record).toPlainString();
    }

    @Override
    void parse(byte[] bytes, int record, String text) {
        if (text.length() > MAX_TEXT) {
            throw refuse(text, "Use a number of at most " + MAX_TEXT + " characters.");
        }
        if (!NumberText.isNumber(text)) {
            throw refuse(text, "Use a number, such as 1234.5.");
        }
        if (NumberText.isZero(text)) {
            writeRaw(bytes, record, 0, text); // with an exponent of any size
            return;
        }
        BigDecimal value;
        try {
            value = new BigDecimal(text);
        } catch (NumberFormatException _) {
            throw refuse(text, outOfRange()); // an exponent of more than 32 bits
        }
        put(bytes, record, value, text);
    }
}
