package io.millrace.codec;

import io.millrace.schema.Field;
import java.util.HexFormat;

/** A value that a field cannot hold, or bytes that are no value of their field's type. */
public final class FieldValueException extends RuntimeException {

    private static final int MAX_SHOWN = 100;

    private final String field;
    private final String value;
    private final String reason;

    /** @param reason what is wrong, to be read after field and value */
    FieldValueException(Field field, Object value, String reason) {
        super(message(field, value, reason));
        this.field = field.name();
        this.value = shown(value);
        this.reason = reason;
    }

    /** Returns the message without creating an exception, for rejects. */
    static String message(Field field, Object value, String reason) {
        return "field=" + field.name() + " value=" + shown(value) + ": " + reason;
    }

    /** Name of the field. */
    public String field() {
        return field;
    }

    /** The value as text; bytes are hexadecimal, and what is very long is cut. */
    public String value() {
        return value;
    }

    /** What is wrong with it. */
    public String reason() {
        return reason;
    }

    private static String shown(Object value) {
        String text = value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }
}
