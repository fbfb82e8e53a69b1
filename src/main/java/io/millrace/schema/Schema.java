package io.millrace.schema;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record type. Immutable; written by Java's serialization when a client asks servers what a region holds.
 *
 * <p>In the <em>fixed</em> layout every field lies at its offset, and every record has one length. Records of the
 * {@linkplain TaggedLayout tagged} layout vary in length, and their fields are found by a pass that writes them to a
 * row beside the record: there {@link #baseLength()} is 0, and all fields have their offsets in that row.
 *
 * <p>A schema can be {@linkplain #extend extended} by fields that a pipeline adds while records pass. They lie behind
 * the record's own bytes: offsets from {@link #baseLength()} on. In a batch on its way the two parts lie in two arrays;
 * a stored record is one after the other.
 */
public final class Schema implements Serializable {

    private static final long serialVersionUID = 1;

    private final String name;
    private final @Nullable TaggedLayout tagged;
    private final int baseLength;
    private final int foundLength;
    private final int recordLength;
    private final Map<String, Field> fields;
    private final Map<String, VirtualField> virtualFields;
    private final long fingerprint;

    /**
     * @param name of the record type
     * @param recordLength in bytes; every field must end inside
     * @param fields in the order in which they are shown
     * @param virtualFields computed ones
     */
    public Schema(String name, int recordLength, List<Field> fields, List<VirtualField> virtualFields) {
        this(name, null, recordLength, recordLength, recordLength, fields, virtualFields);
    }

    private Schema(
            String name,
            @Nullable TaggedLayout tagged,
            int baseLength,
            int foundLength,
            int recordLength,
            List<Field> fields,
            List<VirtualField> virtualFields) {
        this.name = name;
        this.tagged = tagged;
        this.baseLength = baseLength;
        this.foundLength = foundLength;
        this.recordLength = recordLength;
        this.fields = new LinkedHashMap<>();
        this.virtualFields = new LinkedHashMap<>();
        for (Field field : fields) {
            if (field.offset() < 0 || field.end() > recordLength) {
                throw new IllegalArgumentException("field=" + field.name() + " does not lie inside the record");
            }
            if (this.fields.put(field.name(), field) != null) {
                throw new IllegalArgumentException("field=" + field.name() + " stands twice");
            }
        }
        for (VirtualField field : virtualFields) {
            if (this.fields.containsKey(field.name()) || this.virtualFields.put(field.name(), field) != null) {
                throw new IllegalArgumentException("field=" + field.name() + " stands twice");
            }
        }
        this.fingerprint = computeFingerprint();
    }

    private Object writeReplace() {
        return new Written(
                name,
                tagged,
                baseLength,
                foundLength,
                recordLength,
                List.copyOf(fields.values()),
                List.copyOf(virtualFields.values()));
    }

    private record Written(
            String name,
            @Nullable TaggedLayout tagged,
            int baseLength,
            int foundLength,
            int recordLength,
            List<Field> fields,
            List<VirtualField> virtualFields)
            implements Serializable {
        private Object readResolve() {
            return new Schema(name, tagged, baseLength, foundLength, recordLength, fields, virtualFields);
        }
    }

    /**
     * A record type of the tagged layout, with room for all its fields in a row.
     *
     * @param virtualFields computed ones
     */
    public static Schema tagged(String name, TaggedLayout layout, List<VirtualField> virtualFields) {
        return tagged(name, layout, layout.row(_ -> true), virtualFields);
    }

    private static Schema tagged(String name, TaggedLayout layout, List<Field> row, List<VirtualField> virtualFields) {
        int length = row.isEmpty() ? 0 : row.getLast().end();
        return new Schema(name, layout, 0, length, length, row, virtualFields);
    }

    public String name() {
        return name;
    }

    /** Where the fields of a tagged record are found; null in the fixed layout. */
    public @Nullable TaggedLayout tagged() {
        return tagged;
    }

    /** Length in bytes of a record, or of a tagged record's row, added fields included. */
    public int recordLength() {
        return recordLength;
    }

    /**
     * Length in bytes of a record as its feed has it: fields from this offset on lie beside it. 0 in the tagged layout,
     * whose records vary in length.
     */
    public int baseLength() {
        return baseLength;
    }

    /**
     * Where the fields begin that steps add: behind a record's own bytes or, in the tagged layout, behind the fields
     * that are found in the record.
     */
    public int foundLength() {
        return foundLength;
    }

    /** Whether this field lies beside the bytes that came from the feed: it was added on the way, or found in them. */
    public boolean isAdded(Field field) {
        return field.offset() >= baseLength;
    }

    /** All stored fields, in the order of the schema. */
    public Collection<Field> fields() {
        return fields.values();
    }

    /** The stored field of this path, or null. */
    public @Nullable Field field(String path) {
        return fields.get(path);
    }

    public Collection<VirtualField> virtualFields() {
        return virtualFields.values();
    }

    /** The computed field of this name, or null. */
    public @Nullable VirtualField virtualField(String fieldName) {
        return virtualFields.get(fieldName);
    }

    /** All names that can be read, stored and computed. */
    public List<String> names() {
        return Stream.concat(fields.keySet().stream(), virtualFields.keySet().stream())
                .toList();
    }

    /**
     * This schema with one more field behind all others.
     *
     * @param added its offset is set anew
     */
    public Schema extend(Field added) {
        List<Field> all = new ArrayList<>(fields.values());
        Field placed = added.at(recordLength);
        all.add(placed);
        return new Schema(
                name, tagged, baseLength, foundLength, placed.end(), all, List.copyOf(virtualFields.values()));
    }

    /**
     * This schema as that of stored records, where fields once added are fields like all others. Of a tagged record all
     * fields can be found again, whichever had room in the row.
     */
    public Schema stored() {
        if (tagged == null) {
            return new Schema(name, recordLength, List.copyOf(fields.values()), List.copyOf(virtualFields.values()));
        }
        Schema stored = base();
        for (Field field : fields.values()) {
            if (field.offset() >= foundLength) {
                stored = stored.extend(field);
            }
        }
        return stored;
    }

    /** This schema without the fields that were added; of a tagged record with all that can be found. */
    public Schema base() {
        List<VirtualField> computed = List.copyOf(virtualFields.values());
        return tagged == null
                ? new Schema(
                        name,
                        baseLength,
                        fields.values().stream()
                                .filter(field -> !isAdded(field))
                                .toList(),
                        computed)
                : tagged(name, tagged, computed);
    }

    /**
     * This schema with room in its row for no more than some of the fields that are found, and for those that every
     * record must have. In the fixed layout, where nothing has to be found, this schema itself.
     *
     * @param wanted names of fields; fields that were added stay in any case
     */
    public Schema project(Set<String> wanted) {
        if (tagged == null) {
            return this;
        }
        Schema projected = tagged(
                name,
                tagged,
                tagged.row(field -> !field.field().optional()
                        || wanted.contains(field.field().name())),
                List.copyOf(virtualFields.values()));
        for (Field field : fields.values()) {
            if (field.offset() >= foundLength) {
                projected = projected.extend(field);
            }
        }
        return projected;
    }

    /**
     * A number that two schemas share exactly when the same bytes mean the same in both: it covers layout, length, and
     * each stored field's name, place, type, dictionary and null value; not labels, formats, constraints, computed
     * fields, or the order of the text. Of the tagged layout, whose records say themselves what they hold, only the
     * name, how elements lie, and the fields that were added.
     */
    public long fingerprint() {
        return fingerprint;
    }

    /** The fingerprint as 16 hexadecimal digits, as messages show it. */
    public String fingerprintHex() {
        return HexFormat.of().toHexDigits(fingerprint);
    }

    private long computeFingerprint() {
        String canonical = fields.values().stream()
                .filter(field -> tagged == null || field.offset() >= foundLength)
                .sorted(Comparator.comparingInt(Field::offset).thenComparing(Field::name))
                .map(field -> field.name()
                        + '@'
                        + (tagged == null ? field.offset() : field.offset() - foundLength)
                        + ':'
                        + meaning(field.type())
                        + absence(field))
                .collect(Collectors.joining(
                        "\n", (tagged == null ? "fixed " + recordLength : name + " " + tagged) + "\n", "\n"));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** Whether and how a field is absent, in words that never change. */
    private static String absence(Field field) {
        return field.nullFlag() ? "?flag" : field.optional() ? "?" + field.nullRaw() : "";
    }

    /** What a type's bytes mean, in words that never change: fingerprints of stored records depend on them. */
    static String meaning(FieldType type) {
        return switch (type) {
            case FieldType.IntegerType(IntStorage storage) -> "integer " + storage;
            case FieldType.DecimalType(IntStorage storage, int scale) -> "decimal " + storage + " scale " + scale;
            case FieldType.DateType(IntStorage storage) -> "days " + storage;
            case FieldType.InstantType(IntStorage storage, TimeUnit unit) -> "instant " + storage + " " + unit;
            case FieldType.EnumType(IntStorage storage, Dictionary names) -> "enum " + storage + " " + names;
            case FieldType.BooleanType(IntStorage storage) -> "boolean " + storage;
            case FieldType.FloatType(int bytes, ByteOrder order) -> "float " + bytes + " " + order;
            case FieldType.StringType(int bytes, Charset charset, byte pad) ->
                "string " + bytes + " " + charset + " " + pad;
            case FieldType.BytesType(int bytes) -> "bytes " + bytes;
            case FieldType.IpType(int bytes) -> "ip " + bytes;
        };
    }

    @Override
    public String toString() {
        return name + "[" + (tagged == null ? recordLength + " bytes" : "tagged") + ", " + fingerprintHex() + "]";
    }
}
