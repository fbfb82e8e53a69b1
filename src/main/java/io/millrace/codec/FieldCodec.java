package io.millrace.codec;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes one field of a record in place. Each kind of type has its subclass, whose typed getters and setters
 * neither box nor allocate; the methods here work for every field and may allocate.
 *
 * <p>{@code record} is the offset in the array of the record's first byte. Stateless, so safe for use by many threads.
 * Every method throws {@link IndexOutOfBoundsException} where the field does not lie inside the array.
 *
 * <p>Bytes that are no value of the type, and values that the field cannot hold, are a {@link FieldValueException}.
 * What a typed getter returns for an absent field is not to be relied on: ask {@link #isAbsent} first.
 */
public abstract sealed class FieldCodec permits NumberedCodec, DoubleCodec, StringCodec, BytesCodec, IpCodec {

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

    /** The codec of a field. */
    static FieldCodec of(Field field) {
        return switch (field.type()) {
            case FieldType.IntegerType _ -> new LongCodec(field);
            case FieldType.DecimalType type -> new DecimalCodec(field, type);
            case FieldType.DateType _ -> new DateCodec(field);
            case FieldType.InstantType type -> new InstantCodec(field, type);
            case FieldType.EnumType type -> new EnumCodec(field, type);
            case FieldType.BooleanType _ -> new BooleanCodec(field);
            case FieldType.FloatType type -> new DoubleCodec(field, type);
            case FieldType.StringType type -> new StringCodec(field, type);
            case FieldType.BytesType _ -> new BytesCodec(field);
            case FieldType.IpType type -> new IpCodec(field, type);
        };
    }

    /** The field that this reads and writes. */
    public final Field field() {
        return field;
    }

    /** Where the field's bytes start. */
    final int at(int record) {
        return record + offset;
    }

    /** Whether the field is optional and has no value here. Allocates nothing. */
    public final boolean isAbsent(byte[] bytes, int record) {
        return field.optional() && (nullFlag ? bytes[record + nullFlagAt] != 0 : holdsAbsent(bytes, record));
    }

    /** Writes "no value". Allocates nothing. */
    public final void putAbsent(byte[] bytes, int record) {
        if (!field.optional()) {
            throw refuse("", "is absent, but the field is not optional");
        }
        clear(bytes, record);
    }

    /**
     * Writes "no value" where the field can be absent. Where it can't, writes bytes that mean nothing: all padding or
     * zero. Allocates nothing.
     */
    public final void clear(byte[] bytes, int record) {
        writeAbsent(bytes, record);
        if (nullFlag) {
            bytes[record + nullFlagAt] = 1;
        }
    }

    /** Notes that the field has a value. */
    final void markPresent(byte[] bytes, int record) {
        if (nullFlag) {
            bytes[record + nullFlagAt] = 0;
        }
    }

    /** Whether one of the type's values stands for absent, and so can't be written. */
    final boolean reservesValue() {
        return reserved;
    }

    /** The value, of the type's {@link FieldType#javaType()}; null when absent. */
    public final @Nullable Object value(byte[] bytes, int record) {
        return isAbsent(bytes, record) ? null : decode(bytes, record);
    }

    /**
     * Writes a value.
     *
     * @param value of the type's {@link FieldType#javaType()}, or one that can be converted without loss; null for
     *     absent
     */
    public final void setValue(byte[] bytes, int record, @Nullable Object value) {
        if (value == null) {
            putAbsent(bytes, record);
        } else {
            encode(bytes, record, value);
        }
    }

    /**
     * The value as text: decimals plain with their scale, dates and instants ISO 8601 or in the field's format, bytes
     * hexadecimal; empty when absent.
     */
    public final String text(byte[] bytes, int record) {
        return isAbsent(bytes, record) ? "" : format(bytes, record);
    }

    /** Writes a value given as text, as {@link #text} gives it; empty is absent in an optional field. */
    public final void setText(byte[] bytes, int record, String text) {
        if (text.isEmpty() && field.optional()) {
            clear(bytes, record);
        } else if (text.isEmpty() && !emptyTextIsValue()) {
            throw refuse(text, "is empty, but the field is not optional");
        } else {
            parse(bytes, record, text);
        }
    }

    /** Why the bytes are no value of this field, constraints on numbers included; null where they are one. */
    final @Nullable String fault(byte[] bytes, int record) {
        return isAbsent(bytes, record) ? null : faultOfPresent(bytes, record);
    }

    boolean emptyTextIsValue() {
        return false;
    }

    abstract boolean holdsAbsent(byte[] bytes, int record);

    abstract void writeAbsent(byte[] bytes, int record);

    abstract Object decode(byte[] bytes, int record);

    abstract void encode(byte[] bytes, int record, Object value);

    abstract String format(byte[] bytes, int record);

    abstract void parse(byte[] bytes, int record, String text);

    abstract @Nullable String faultOfPresent(byte[] bytes, int record);

    /** The bytes as a person would name them where they are no value. */
    abstract Object raw(byte[] bytes, int record);

    final FieldValueException refuse(Object value, String reason) {
        return new FieldValueException(field, value, reason);
    }

    final FieldValueException refuseType(Object value, String taken) {
        return refuse(value, "is a " + value.getClass().getSimpleName() + ", the field takes " + taken);
    }
}
