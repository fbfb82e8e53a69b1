package io.millrace.schema;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A record type. Immutable. Serialized when a client queries the servers for the schema of a region.
 *
 * <p>In the {@linkplain FixedLayout fixed} layout every field has an offset in the record, and all records have the
 * same length. Records of other {@linkplain RecordLayout layouts} vary in length. A pass over the record writes its
 * fields to a separate row: {@link #baseLength()} is 0, and all offsets are in that row.
 *
 * <p>A schema can be {@linkplain #extend extended} by fields that a pipeline adds to records. Their offsets begin at
 * {@link #baseLength()}, behind the bytes of the record. A batch stores the two parts in two arrays. A stored record
 * has one after the other.
 */
@API(status = API.Status.STABLE)
public final class Schema implements Serializable {

    private static final long serialVersionUID = 1;

    private final SchemaForm form;
    private final int baseLength;
    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final Map<String, VirtualField> virtualFields = new LinkedHashMap<>();
    private final long fingerprint;
    /** The schema that {@link #base()} returns, from its first call on. All threads create equal ones. */
    private transient @Nullable Schema base;
    /** The schema that {@link #stored()} returns, likewise. */
    private transient @Nullable Schema stored;

    /**
     * Creates a schema of the fixed layout.
     *
     * @param name name of the record type
     * @param recordLength length of a record in bytes; every field must end inside it
     * @param fields stored fields in display order
     * @param virtualFields computed fields
     */
    public Schema(String name, int recordLength, List<Field> fields, List<VirtualField> virtualFields) {
        this(name, new FixedLayout(recordLength, fields), recordLength, fields, virtualFields);
    }

    /**
     * @param foundLength length in bytes of a record, or of the row of a record that varies in length
     * @param fields fields of the record or row
     */
    Schema(String name, RecordLayout layout, int foundLength, List<Field> fields, List<VirtualField> virtualFields) {
        this(name, layout, foundLength, fields, virtualFields, List.of());
    }

    /** @param groups rows of the parts that repeat, outer ones first */
    Schema(
            String name,
            RecordLayout layout,
            int foundLength,
            List<Field> fields,
            List<VirtualField> virtualFields,
            List<RepeatedGroup> groups) {
        this(new SchemaForm(
                name,
                layout,
                foundLength,
                foundLength,
                fields,
                virtualFields,
                groups,
                List.of(),
                Map.of(),
                Map.of(),
                Map.of()));
    }

    Schema(SchemaForm form) {
        this.form = form;
        this.baseLength = form.layout().variesInLength() ? 0 : form.foundLength();
        for (Field field : form.fields()) {
            if (field.offset() < 0 || field.end() > form.recordLength()) {
                throw new IllegalArgumentException("Field '" + field.name() + "' is outside of the record.");
            }
            if (fields.put(field.name(), field) != null) {
                throw new IllegalArgumentException("Duplicate field '" + field.name() + "'.");
            }
        }
        for (VirtualField field : form.virtualFields()) {
            if (fields.containsKey(field.name()) || virtualFields.put(field.name(), field) != null) {
                throw new IllegalArgumentException("Duplicate field '" + field.name() + "'.");
            }
        }
        this.fingerprint = SchemaFingerprint.of(this);
    }

    private Object writeReplace() {
        return form;
    }

    /**
     * Returns a schema without added fields. If records vary in length, its row contains all fields of the layout.
     *
     * @param virtualFields computed fields
     */
    @API(status = API.Status.INTERNAL)
    public static Schema of(String name, RecordLayout layout, List<VirtualField> virtualFields) {
        return layout.schema(name, virtualFields);
    }

    /** Returns the name of the schema. */
    public String name() {
        return form.name();
    }

    /** Returns the layout of the records' bytes. */
    @API(status = API.Status.INTERNAL)
    public RecordLayout layout() {
        return form.layout();
    }

    /** Returns the length in bytes of a record, or of the row of one that varies in length, including added fields. */
    public int recordLength() {
        return form.recordLength();
    }

    /**
     * Returns the length in bytes of a record as its feed delivers it. Fields from this offset on are outside the
     * record. 0 if records vary in length.
     */
    public int baseLength() {
        return baseLength;
    }

    /**
     * Returns the offset of the first field that steps add: behind the record's bytes or, if records vary in length,
     * behind the fields found in the record.
     */
    public int foundLength() {
        return form.foundLength();
    }

    /**
     * Returns whether a field is outside the bytes of the feed: it was added by a step, or is in the row of a record
     * that varies in length.
     */
    public boolean isAdded(Field field) {
        return field.offset() >= baseLength;
    }

    /** Returns all stored fields, in the order of the schema. */
    public Collection<Field> fields() {
        return fields.values();
    }

    /** Returns the stored field of a path, or null. */
    public @Nullable Field field(String path) {
        return fields.get(path);
    }

    public Collection<VirtualField> virtualFields() {
        return virtualFields.values();
    }

    /** Returns the computed field of a name, or null. */
    public @Nullable VirtualField virtualField(String fieldName) {
        return virtualFields.get(fieldName);
    }

    /**
     * Returns the parts of a record that repeat, each after the one that contains it. Empty unless the layout is
     * compact. {@link #fields()} does not contain their fields.
     */
    @API(status = API.Status.INTERNAL)
    public List<RepeatedGroup> groups() {
        return form.groups();
    }

    /** Returns the conditions that valid records meet, in addition to the constraints of their fields. */
    public List<RecordConstraint> constraints() {
        return form.constraints();
    }

    /** Returns this schema with other constraints, whose conditions are not checked. */
    @API(status = API.Status.INTERNAL)
    public Schema constrained(List<RecordConstraint> newConstraints) {
        return new Schema(form.annotated(newConstraints, form.formerNames(), form.typeNames(), form.choices()));
    }

    /**
     * Returns the paths that fields and parts had in earlier versions of the schema, by their present paths. They are
     * not part of the fingerprint.
     */
    @API(status = API.Status.INTERNAL)
    public Map<String, String> formerNames() {
        return form.formerNames();
    }

    /**
     * Returns the names of the types of groups, by the paths of these. A path without a group is one that was left out,
     * because its type contains itself more often than it may. They are not part of the fingerprint.
     */
    @API(status = API.Status.INTERNAL)
    public Map<String, String> typeNames() {
        return form.typeNames();
    }

    /** Returns the choices of types that groups have, by the paths of these. They are not part of the fingerprint. */
    @API(status = API.Status.INTERNAL)
    public Map<String, Choice> choices() {
        return form.choices();
    }

    /** Returns this schema with other former names, and other names and choices of types. */
    @API(status = API.Status.INTERNAL)
    public Schema named(
            Map<String, String> newFormerNames, Map<String, String> newTypeNames, Map<String, Choice> newChoices) {
        return new Schema(form.annotated(form.constraints(), newFormerNames, newTypeNames, newChoices));
    }

    /** Returns a schema with the constraints and names of this one. */
    private Schema annotated(Schema other) {
        return form.constraints().isEmpty()
                        && form.formerNames().isEmpty()
                        && form.typeNames().isEmpty()
                ? other
                : new Schema(
                        other.form.annotated(form.constraints(), form.formerNames(), form.typeNames(), form.choices()));
    }

    /**
     * Returns the names of the values of a record, as documents show them: of stored fields and, in the compact layout,
     * of parts that contain others instead of the fields in these.
     */
    @API(status = API.Status.INTERNAL)
    public List<String> outerNames() {
        return form.layout().outerNames(this);
    }

    /** Returns the names of all stored and computed fields, except those that say whether a group is there. */
    public List<String> names() {
        return Stream.concat(fields.keySet().stream(), virtualFields.keySet().stream())
                .filter(each -> !CompactPart.isPresence(each))
                .toList();
    }

    /**
     * Returns this schema with one more field behind all others.
     *
     * @param added field, whose offset is replaced
     */
    public Schema extend(Field added) {
        List<Field> all = new ArrayList<>(form.fields());
        Field placed = added.at(form.recordLength());
        all.add(placed);
        return new Schema(form.extended(all, placed.end()));
    }

    @API(status = API.Status.INTERNAL)
    public Schema extend(List<Field> addedFields) {
        Schema extended = this;
        for (Field field : addedFields) {
            extended = extended.extend(field);
        }
        return extended;
    }

    /** Returns the fields that steps add. */
    @API(status = API.Status.INTERNAL)
    public List<Field> added() {
        return fields.values().stream()
                .filter(field -> field.offset() >= form.foundLength())
                .toList();
    }

    /**
     * Returns the schema of stored records, in which added fields are ordinary fields. If records vary in length, it
     * contains all fields of the layout, even those that are not in the row of this schema.
     */
    public Schema stored() {
        Schema known = stored;
        if (known == null) {
            known = annotated(form.layout().stored(this));
            stored = known;
        }
        return known;
    }

    /** Returns this schema without added fields. If records vary in length, it contains all fields of the layout. */
    public Schema base() {
        Schema known = base;
        if (known == null) {
            known = annotated(of(form.name(), form.layout(), form.virtualFields()));
            base = known;
        }
        return known;
    }

    /**
     * Returns this schema with a row that contains only some of the fields found in a record, and all required ones.
     * Returns this schema in the fixed layout.
     *
     * @param wanted names of fields; added fields always remain
     */
    public Schema project(Set<String> wanted) {
        return annotated(form.layout().project(this, wanted));
    }

    /** Returns the offset of the first field that fingerprints and descriptions cover. */
    @API(status = API.Status.INTERNAL)
    public int describedFrom() {
        return form.layout().variesInLength() ? form.foundLength() : 0;
    }

    /**
     * Returns a hash that two schemas share if and only if the same bytes mean the same in both. It covers layout,
     * length, and each stored field's name, offset, type, dictionary and null value. It does not cover labels, formats,
     * constraints, computed fields or the order of the text. If records vary in length, it covers the name, the
     * {@linkplain RecordLayout#toString form} of the layout and the added fields.
     */
    public long fingerprint() {
        return fingerprint;
    }

    /**
     * Returns a hash that identifies a field of rows, wherever it is in the row: two schemas with the same
     * {@link #fingerprint()} share it if and only if both find the same values of the field in the same records. It
     * covers the field's name, type, dictionary with {@code unknown}, and null value and, in the tagged layout, its
     * location in records and those of all required fields.
     *
     * @param field field of this schema
     */
    @API(status = API.Status.INTERNAL)
    public long fingerprint(Field field) {
        return SchemaFingerprint.of(this, field);
    }

    /** Returns the fingerprint as 16 hexadecimal digits, as in messages. */
    public String fingerprintHex() {
        return HexFormat.of().toHexDigits(fingerprint);
    }

    @Override
    public String toString() {
        return form.name() + "["
                + (form.layout().variesInLength() ? form.layout().name() : form.recordLength() + " bytes") + ", "
                + fingerprintHex() + "]";
    }
}
