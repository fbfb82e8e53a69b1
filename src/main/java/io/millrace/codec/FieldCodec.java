package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes one field of a record in place. Each kind of type has a subclass whose typed getters and setters
 * neither box nor allocate. The methods of this class work for every field and may allocate.
 *
 * <p>{@code record} is the offset of the record's first byte in the array. Stateless, so safe for use by many threads.
 * Every method throws {@link IndexOutOfBoundsException} if the field does not lie inside the array.
 *
 * <p>Methods throw {@link FieldValueException} for bytes that are not a valid value of the type, and for values that
 * the field cannot hold. The result of a typed getter is undefined if the field is absent: call {@link #isAbsent}
 * first.
 */
@API(status = API.Status.STABLE)
public abstract sealed class FieldCodec permits NumberedCodec, DoubleCodec, TextCodec, BytesCodec {

    /** Advice for a value that represents absent. */
    static final String RESERVED = "Use another value: this one stands for absent.";

    private final Field field;
    private final int offset;
    private final boolean nullFlag;
    private final int nullFlagAt;
    private final boolean reserved;

    FieldCodec(Field field) {
        this.field = field;
        this.offset = field.offset();
        this.nullFlag = field.nullFlag();
        this.nullFlagAt = field.nullFlagAt();
        this.reserved = field.optional() && !nullFlag;
    }

    /** Returns the field of this codec. */
    public final Field field() {
        return field;
    }

    /** Returns the offset of the field's first byte. */
    final int at(int record) {
        return record + offset;
    }

    /** Returns whether the field is optional and absent in this record. Allocates nothing. */
    public final boolean isAbsent(byte[] bytes, int record) {
        return field.optional() && (nullFlag ? bytes[record + nullFlagAt] != 0 : holdsAbsent(bytes, record));
    }

    /** Makes the field absent. Allocates nothing. */
    public final void putAbsent(byte[] bytes, int record) {
        if (!field.optional()) {
            throw refuse("", "Write a value: the field is not optional.");
        }
        clear(bytes, record);
    }

    /**
     * Makes the field absent if it is optional. Otherwise fills it with zeros or padding, without meaning. Allocates
     * nothing.
     */
    public final void clear(byte[] bytes, int record) {
        writeAbsent(bytes, record);
        if (nullFlag) {
            bytes[record + nullFlagAt] = 1;
        }
    }

    /** Marks the field as present. */
    final void markPresent(byte[] bytes, int record) {
        if (nullFlag) {
            bytes[record + nullFlagAt] = 0;
        }
    }

    /** Returns whether one value of the type represents absent, and so cannot be written. */
    final boolean reservesValue() {
        return reserved;
    }

    /** Returns the value, of the type's {@link FieldType#javaType()}, or null if absent. */
    public final @Nullable Object value(byte[] bytes, int record) {
        return isAbsent(bytes, record) ? null : decode(bytes, record);
    }

    /**
     * Writes a value.
     *
     * @param value of the type's {@link FieldType#javaType()}, or convertible to it without loss; null for absent
     */
    public final void setValue(byte[] bytes, int record, @Nullable Object value) {
        if (value == null) {
            putAbsent(bytes, record);
        } else {
            encode(bytes, record, value);
        }
    }

    /**
     * Returns the value as text, empty if absent. Decimals are plain with their scale, dates and instants are ISO 8601
     * or in the field's format, bytes are hexadecimal.
     */
    public final String text(byte[] bytes, int record) {
        return isAbsent(bytes, record) ? "" : format(bytes, record);
    }

    /** Writes a value in the form of {@link #text}. Empty text makes an optional field absent. */
    public final void setText(byte[] bytes, int record, String text) {
        if (text.isEmpty() && field.optional()) {
            clear(bytes, record);
        } else if (text.isEmpty() && !emptyTextIsValue()) {
            throw refuse(text, "Write a value: the field is not optional.");
        } else {
            parse(bytes, record, text);
        }
    }

    /** Returns whether some bytes of the field's width are invalid. */
    @API(status = API.Status.INTERNAL)
    public final boolean canBeInvalid() {
        return refusesBytes();
    }

    /**
     * Returns why the bytes are invalid for this field, including constraints on numbers, or null if they are valid.
     */
    @API(status = API.Status.INTERNAL)
    public final @Nullable String fault(byte[] bytes, int record) {
        return isAbsent(bytes, record) ? null : faultOfPresent(bytes, record);
    }

    /**
     * Returns why the bytes are invalid for this field or violate its constraint, or null if the value is allowed: if
     * it could be written. Allocates only for patterns, and for values that are not allowed.
     */
    @API(status = API.Status.INTERNAL)
    public final @Nullable String violation(byte[] bytes, int record) {
        return isAbsent(bytes, record) ? null : violationOfPresent(bytes, record);
    }

    /** Returns the value for messages, even if it is invalid. */
    @API(status = API.Status.INTERNAL)
    public final Object shown(byte[] bytes, int record) {
        return faultOfPresent(bytes, record) == null ? decode(bytes, record) : raw(bytes, record);
    }

    @Nullable
    String violationOfPresent(byte[] bytes, int record) {
        return faultOfPresent(bytes, record);
    }

    boolean emptyTextIsValue() {
        return false;
    }

    abstract boolean refusesBytes();

    abstract boolean holdsAbsent(byte[] bytes, int record);

    abstract void writeAbsent(byte[] bytes, int record);

    abstract Object decode(byte[] bytes, int record);

    abstract void encode(byte[] bytes, int record, Object value);

    abstract String format(byte[] bytes, int record);

    abstract void parse(byte[] bytes, int record, String text);

    abstract @Nullable String faultOfPresent(byte[] bytes, int record);

    /** Returns the value of invalid bytes for messages. */
    abstract Object raw(byte[] bytes, int record);

    /** @param reason sentences that say what the field allows, or what is wrong with the value */
    final FieldValueException refuse(Object value, String reason) {
        return new FieldValueException(field, value, reason);
    }

    final FieldValueException refuseType(Object value, String expected) {
        return refuse(value, "Use " + expected + ", not a " + value.getClass().getSimpleName() + ".");
    }
}
