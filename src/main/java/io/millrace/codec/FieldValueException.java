package io.millrace.codec;

import io.millrace.schema.Field;
import java.util.HexFormat;
import org.apiguardian.api.API;

/** Thrown when a field cannot hold a value, or when bytes are not a valid value of the field's type. */
@API(status = API.Status.STABLE)
public final class FieldValueException extends RuntimeException {

    private static final int MAX_SHOWN = 100;

    private final String field;
    private final String value;
    private final String reason;

    /** @param reason sentences that say what the field allows, or what is wrong with the value */
    FieldValueException(Field field, Object value, String reason) {
        super(message(field, value, reason));
        this.field = field.name();
        this.value = shown(value);
        this.reason = reason;
    }

    /** Returns the message without creating an exception, for rejects. */
    @API(status = API.Status.INTERNAL)
    public static String message(Field field, Object value, String reason) {
        return message(field.name(), value, reason);
    }

    /** Returns the message for a field of a path, such as {@code legs[2].rate}. */
    @API(status = API.Status.INTERNAL)
    public static String message(String path, Object value, String reason) {
        return "Invalid value '" + shown(value) + "' of '" + path + "'. " + reason;
    }

    /** Returns the name of the field. */
    public String field() {
        return field;
    }

    /** Returns the value as text. Bytes are hexadecimal, and long text is truncated. */
    public String value() {
        return value;
    }

    /** Returns what the field allows, such as {@code Use 0 or more.}, or what is wrong with the value. */
    public String reason() {
        return reason;
    }

    private static String shown(Object value) {
        String text = value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }
}
