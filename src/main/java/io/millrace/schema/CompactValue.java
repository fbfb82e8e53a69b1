package io.millrace.schema;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A single value of a compact record.
 *
 * @param field the value in rows: its name is the path, its offset has no meaning, and an optional one has a null flag
 * @param frequent texts that the record stores as a number; empty for values that are not texts
 */
public record CompactValue(Field field, List<String> frequent) implements CompactMember {

    public CompactValue {
        frequent = List.copyOf(frequent);
    }

    @Override
    public String path() {
        return field.name();
    }

    @Override
    public boolean optional() {
        return field.optional();
    }

    /** Returns whether the value is a bit among the group's bits, and takes no other bytes. */
    public boolean isBit() {
        return field.type() instanceof FieldType.BooleanType;
    }

    /**
     * Describes what a fingerprint covers. The text must not change, because fingerprints of stored records depend on
     * it.
     */
    @Override
    public String toString() {
        return field.name()
                + ':'
                + SchemaFingerprint.meaning(field.type())
                + (field.optional() ? "?" : "")
                + frequent.stream()
                        .map(text -> " " + text.length() + "=" + text)
                        .collect(Collectors.joining());
    }
}
