package io.millrace.schema;

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
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record type of the <em>fixed</em> layout: every field at its offset, every record of one length. Immutable.
 *
 * <p>A schema can be {@linkplain #extend extended} by fields that a pipeline adds while records pass. They lie behind
 * the record's own bytes: offsets from {@link #baseLength()} on. In a batch on its way the two parts lie in two arrays;
 * a stored record is one after the other.
 */
public final class Schema {

    private final String name;
    private final int baseLength;
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
        this(name, recordLength, recordLength, fields, virtualFields);
    }

    private Schema(
            String name, int baseLength, int recordLength, List<Field> fields, List<VirtualField> virtualFields) {
        this.name = name;
        this.baseLength = baseLength;
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

    public String name() {
        return name;
    }

    /** Length in bytes of a record, added fields included. */
    public int recordLength() {
        return recordLength;
    }

    /** Length in bytes of a record as its feed has it: fields from this offset on were added on the way. */
    public int baseLength() {
        return baseLength;
    }

    /** Whether this field was added on the way, and so lies outside the bytes that came from the feed. */
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
        Field placed = new Field(
                added.name(),
                added.type(),
                recordLength,
                added.optional(),
                added.nullRaw(),
                added.constraint(),
                added.label(),
                added.format());
        all.add(placed);
        return new Schema(name, baseLength, placed.end(), all, List.copyOf(virtualFields.values()));
    }

    /** This schema as that of stored records, where fields once added are fields like all others. */
    public Schema stored() {
        return new Schema(
                name, recordLength, recordLength, List.copyOf(fields.values()), List.copyOf(virtualFields.values()));
    }

    /** This schema without the fields that were added. */
    public Schema base() {
        return new Schema(
                name,
                baseLength,
                baseLength,
                fields.values().stream().filter(field -> !isAdded(field)).toList(),
                List.copyOf(virtualFields.values()));
    }

    /**
     * A number that two schemas share exactly when the same bytes mean the same in both: it covers layout, length, and
     * each stored field's name, place, type, dictionary and null value; not labels, formats, constraints, computed
     * fields, or the order of the text.
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
                .sorted(Comparator.comparingInt(Field::offset).thenComparing(Field::name))
                .map(field -> field.name()
                        + '@'
                        + field.offset()
                        + ':'
                        + meaning(field.type())
                        + (field.optional() ? "?" + field.nullRaw() : ""))
                .collect(Collectors.joining("\n", "fixed " + recordLength + "\n", "\n"));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** What a type's bytes mean, in words that never change: fingerprints of stored records depend on them. */
    private static String meaning(FieldType type) {
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
        return name + "[" + recordLength + " bytes, " + fingerprintHex() + "]";
    }
}
