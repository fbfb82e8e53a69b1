package io.millrace.store;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The key under which an entries region keeps a record: a {@link Long} for a field that is a number in the bytes (its
 * raw form: days of a date, the scaled number of a decimal), a {@link String} for names out of a dictionary and for
 * text. Stateless; allocates the key.
 */
public final class EntryKey {

    private final Field field;

    private EntryKey(Field field) {
        this.field = field;
    }

    /**
     * The key by a definition's key field.
     *
     * @throws IllegalArgumentException where the field can't be a key
     */
    public static EntryKey of(RegionDefinition definition) {
        Field field = Objects.requireNonNull(definition.key());
        boolean able = switch (field.type()) {
            case FieldType.Numbered n -> !(n instanceof FieldType.BooleanType);
            case FieldType.StringType s -> true;
            default -> false;
        };
        if (!able || field.optional()) {
            throw new IllegalArgumentException("region=" + definition.name() + " key=" + field.name()
                    + " can't be a key: use a required number, date, enum or string");
        }
        return new EntryKey(field);
    }

    public Field field() {
        return field;
    }

    /** The key of a stored record, or null where its bytes are no value of the field. */
    public @Nullable Object read(byte[] record) {
        return switch (field.type()) {
            case FieldType.EnumType named ->
                named.dictionary().name(RawBytes.get(record, field.offset(), named.storage()));
            case FieldType.Numbered number -> RawBytes.get(record, field.offset(), number.storage());
            case FieldType.StringType text -> text(record, text);
            default -> throw new AssertionError("no key: " + field);
        };
    }

    private String text(byte[] record, FieldType.StringType type) {
        int end = field.end();
        while (end > field.offset() && record[end - 1] == type.pad()) {
            end--;
        }
        return new String(record, field.offset(), end - field.offset(), type.charset());
    }
}
