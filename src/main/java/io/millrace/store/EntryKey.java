package io.millrace.store;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.util.Objects;

/**
 * The key under which an entries region keeps a record: the decoded value of the key's field, such as a {@link Long}, a
 * {@link String} or a {@link java.time.LocalDate}. Stateless; allocates the key.
 */
public final class EntryKey {

    private final FieldCodec codec;
    private final int recordLength;

    private EntryKey(FieldCodec codec, int recordLength) {
        this.codec = codec;
        this.recordLength = recordLength;
    }

    /**
     * The key by a definition's key field.
     *
     * @throws IllegalArgumentException where the field can't be a key
     */
    public static EntryKey of(RegionDefinition definition) {
        Field field = Objects.requireNonNull(definition.key());
        boolean able = switch (field.type()) {
            case FieldType.BooleanType _, FieldType.FloatType _, FieldType.BytesType _ -> false;
            default -> !field.optional();
        };
        if (!able) {
            throw new IllegalArgumentException("region=" + definition.name() + " key=" + field.name()
                    + " can't be a key: use a required number, date, instant, enum, string or address");
        }
        return new EntryKey(
                RecordCodec.of(definition.schema()).codec(field.name()),
                definition.schema().recordLength());
    }

    /**
     * The key of a stored record.
     *
     * @throws FieldValueException where the field's bytes are no value of its type
     */
    public Object read(byte[] record) {
        return Objects.requireNonNull(codec.value(record, 0));
    }

    /**
     * The key that a text stands for, in the form that text files give the field.
     *
     * @throws FieldValueException where it is no value of the field
     */
    public Object parse(String text) {
        byte[] record = new byte[recordLength];
        codec.setText(record, 0, text);
        return read(record);
    }
}
