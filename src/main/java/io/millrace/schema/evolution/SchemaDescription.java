package io.millrace.schema.evolution;

import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.FixedLayout;
import io.millrace.schema.IntStorage;
import io.millrace.schema.RecordLayout;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaFingerprint;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a schema's bytes as text: everything that its {@linkplain Schema#fingerprint() fingerprint} covers. A
 * stored description can be compared with a schema long after its own schema was last used. Immutable, provided that
 * its maps are not changed.
 *
 * @param name name of the schema
 * @param fingerprint 16 hexadecimal digits
 * @param layout {@code fixed}, or the form of records that vary in length
 * @param recordLength length of a record in bytes; 0 if it varies
 * @param fields fields by offset; if records vary in length, those that steps added, which in the compact layout follow
 *     the members of the record in the order of the bytes
 * @param was former paths of fields and parts by their present paths; null if there are none
 */
public record SchemaDescription(
        String name,
        String fingerprint,
        String layout,
        int recordLength,
        List<FieldDescription> fields,
        @Nullable Map<String, String> was)
        implements Serializable {

    /**
     * A stored field.
     *
     * @param name name of the field
     * @param offset offset in bytes from the start of the record; if records vary in length, from the start of the
     *     added fields; {@link #ANYWHERE} in the compact layout
     * @param type meaning of its bytes, such as {@code decimal i64 scale 2}
     * @param values names by code of a dictionary, or frequent texts by number; null if there are none
     * @param absent representation of an absent value: {@code flag}, {@link #MISSING} or the stored number; null if the
     *     field is required
     */
    public record FieldDescription(
            String name,
            int offset,
            String type,
            @Nullable SortedMap<Integer, String> values,
            @Nullable String absent) implements Serializable {

        /** Offset of a value whose place depends on the values before it. */
        static final int ANYWHERE = -1;

        /** An absent value is marked by a null flag. */
        static final String NULL_FLAG = "flag";

        /** Types of parts. The texts must not change, because stored descriptions have them. */
        static final String GROUP = "group";

        static final String LIST_OF_GROUPS = "list of groups";
        static final String LIST_OF_VALUES = "list of values";

        /** An absent value takes no bytes. */
        static final String MISSING = "missing";

        /** Returns whether it has an offset. */
        boolean isPlaced() {
            return offset != ANYWHERE;
        }

        /** Returns whether it is a group or a list, which has no type of its own. */
        boolean isPart() {
            return type.equals(GROUP) || type.equals(LIST_OF_GROUPS) || type.equals(LIST_OF_VALUES);
        }

        /**
         * Returns the type of its values.
         *
         * @throws IllegalArgumentException if it is a {@linkplain #isPart part}, or the text is not that of a type
         */
        FieldType fieldType() {
            return TypeText.parse(type, values);
        }

        /** Returns whether its bytes have the same meaning, wherever they are and whatever the name is. */
        boolean sameMeaning(FieldDescription other) {
            return type.equals(other.type)
                    && Objects.equals(values, other.values)
                    && Objects.equals(absent, other.absent);
        }

        @Override
        public String toString() {
            String optional = switch (absent) {
                case null -> "";
                case MISSING -> ", optional";
                case FieldDescription.NULL_FLAG -> ", optional with a null flag";
                default -> ", optional (absent is " + absent + ")";
            };
            return type + optional + (offset == ANYWHERE ? "" : " at byte " + offset);
        }
    }

    public SchemaDescription {
        fields = List.copyOf(fields);
    }

    /** Returns the former paths of fields and parts, by their present paths. */
    Map<String, String> formerNames() {
        return was == null ? Map.of() : was;
    }

    /** Returns the description of a schema. */
    public static SchemaDescription of(Schema schema) {
        int origin = schema.describedFrom();
        Stream<FieldDescription> placed = schema.fields().stream()
                .filter(field -> field.offset() >= origin)
                .sorted(Comparator.comparingInt(Field::offset).thenComparing(Field::name))
                .map(field -> of(field, origin));
        List<FieldDescription> fields =
                Stream.concat(members(schema.layout()).stream(), placed).toList();
        return new SchemaDescription(
                schema.name(),
                schema.fingerprintHex(),
                schema.layout().nests()
                        ? schema.layout().name()
                        : schema.layout().toString(),
                schema.layout().variesInLength() ? 0 : schema.recordLength(),
                fields,
                schema.formerNames().isEmpty() ? null : new TreeMap<>(schema.formerNames()));
    }

    /**
     * Returns the fields that a layout finds in records, in the order of the bytes, if records can differ in a way that
     * only these describe; otherwise none.
     */
    private static List<FieldDescription> members(RecordLayout layout) {
        List<FieldDescription> members = new ArrayList<>();
        if (layout instanceof CompactLayout compact) {
            describe(compact.root(), members);
        }
        return members;
    }

    private static void describe(CompactGroup group, List<FieldDescription> members) {
        for (CompactMember member : group.members()) {
            String absent = member.optional() ? FieldDescription.MISSING : null;
            switch (member) {
                case CompactValue value ->
                    members.add(new FieldDescription(
                            value.path(), FieldDescription.ANYWHERE, type(value), values(value), absent));
                case CompactPart part -> {
                    String type = part.bare()
                            ? FieldDescription.LIST_OF_VALUES
                            : part.repeats() ? FieldDescription.LIST_OF_GROUPS : FieldDescription.GROUP;
                    members.add(new FieldDescription(part.path(), FieldDescription.ANYWHERE, type, null, absent));
                    if (part.bare()) {
                        CompactValue value =
                                (CompactValue) part.group().members().getFirst();
                        members.add(new FieldDescription(
                                part.path() + ".", FieldDescription.ANYWHERE, type(value), values(value), null));
                    } else {
                        describe(part.group(), members);
                    }
                }
            }
        }
    }

    private static String type(CompactValue value) {
        return value.field().type() instanceof FieldType.EnumType(IntStorage storage, Dictionary _)
                ? "enum " + storage
                : SchemaFingerprint.meaning(value.field().type());
    }

    /** Returns the names of a dictionary by code, or the frequent texts by number. */
    private static @Nullable SortedMap<Integer, String> values(CompactValue value) {
        if (value.field().type() instanceof FieldType.EnumType(IntStorage _, Dictionary names)) {
            return names.namesByCode();
        }
        SortedMap<Integer, String> texts = new TreeMap<>();
        value.frequent().forEach(text -> texts.put(texts.size(), text));
        return texts.isEmpty() ? null : texts;
    }

    private static FieldDescription of(Field field, int origin) {
        FieldType type = field.type();
        return new FieldDescription(
                field.name(),
                field.offset() - origin,
                type instanceof FieldType.EnumType(IntStorage storage, Dictionary _)
                        ? "enum " + storage
                        : SchemaFingerprint.meaning(type),
                type instanceof FieldType.EnumType(IntStorage _, Dictionary names) ? names.namesByCode() : null,
                absent(field));
    }

    private static @Nullable String absent(Field field) {
        if (!field.optional()) {
            return null;
        }
        return field.nullFlag() ? FieldDescription.NULL_FLAG : String.valueOf(field.nullRaw());
    }

    /** Returns whether the same bytes mean the same in both schemas. */
    public boolean sameBytes(SchemaDescription other) {
        return fingerprint.equals(other.fingerprint);
    }

    boolean isFixed() {
        return layout.equals(FixedLayout.NAME);
    }

    boolean isCompact() {
        return layout.equals(CompactLayout.NAME);
    }

    private String layoutName() {
        return layout.split(" ", 2)[0];
    }

    @Override
    public String toString() {
        return name + " (" + (recordLength == 0 ? layoutName() : recordLength + " bytes") + ", " + fields.size()
                + (recordLength == 0 && !isCompact() ? " added" : "") + " fields)";
    }
}
