package io.millrace.codec;

import io.millrace.schema.Field;
import java.util.Locale;
import org.apiguardian.api.API;

/** Reads and writes booleans, stored as 0 or 1. */
@API(status = API.Status.STABLE)
public final class BooleanCodec extends NumberedCodec {

    BooleanCodec(Field field) {
        super(field);
    }

    /**
     * Returns the value. Throws {@link FieldValueException} if the stored number is neither 0 nor 1. Allocates nothing.
     */
    public boolean get(byte[] bytes, int record) {
        return checkedRaw(bytes, record) == 1;
    }

    /** Writes a value. Allocates nothing. */
    public void put(byte[] bytes, int record, boolean value) {
        writeNumber(bytes, record, value ? 1 : 0);
    }

    @Override
    String noValue() {
        return "Use 0 or 1.";
    }

    @Override
    Object decode(byte[] bytes, int record) {
        return get(bytes, record);
    }

    @Override
    void encode(byte[] bytes, int record, Object value) {
        if (!(value instanceof Boolean truth)) {
            throw refuseType(value, "a Boolean");
        }
        put(bytes, record, truth);
    }

    @Override
    String format(byte[] bytes, int record) {
        return Boolean.toString(get(bytes, record));
    }

    @Override
    void parse(byte[] bytes, int record, String text) {
        // Not equalsIgnoreCase, for which letters beyond ASCII are equal to some of these.
        switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> put(bytes, record, true);
            case "false" -> put(bytes, record, false);
            default -> throw refuse(text, "Use true or false.");
        }
    }
}
