package io.millrace.store.query;

import io.millrace.codec.Admission;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.record.LayoutCodec;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.NearestName;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import io.millrace.store.error.StoreException;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes records from their {@linkplain StoredForm stored form} to readable values: the only place that reads it back.
 * Not thread-safe.
 */
public final class StoredRecords {

    /** Maximum number of values in the lists of a record that is decoded, each of which takes about 100 bytes. */
    private static final int MAX_VALUES = 1 << 20;

    private final List<Shown> shown;
    private final LayoutCodec layout;
    private final Admission finder;
    private final @Nullable ComputedFields computed;
    /**
     * The current record; in its added bytes, the fields found in a record that varies in length, the added fields and
     * the computed ones.
     */
    private final RecordBatch record;

    private final int prefixLength;

    /** Number of objects that an element of each list becomes; empty if no list is shown. */
    private final int[] objects;

    /**
     * A field to show.
     *
     * @param codec reads a field; null for a part that contains others
     * @param at offset of the codec's record in the added bytes; null if the field is in the record itself
     * @param part reads a part that contains others
     */
    private record Shown(
            String name,
            @Nullable FieldCodec codec,
            @Nullable Integer at,
            LayoutCodec.@Nullable PartReader part) {}

    private StoredRecords(
            Schema stored, Schema rows, @Nullable ComputedFields computed, List<String> names, Schema all) {
        this.layout = LayoutCodecs.of(rows);
        this.finder = layout.finder();
        this.computed = computed;
        this.record = new RecordBatch(all);
        this.prefixLength = StoredForms.of(stored).prefixLength();
        RecordCodec codec = RecordCodec.of(all);
        this.shown = names.stream()
                .map(name -> {
                    if (rows.layout().isPart(name)) {
                        return new Shown(name, null, null, layout.part(name));
                    }
                    FieldCodec field = codec.codec(stored.field(name) == null ? ComputedFields.target(name) : name);
                    return new Shown(name, field, all.isAdded(field.field()) ? -all.baseLength() : null, null);
                })
                .toList();
        this.objects =
                shown.stream().allMatch(each -> each.part() == null) ? new int[0] : objectsOfElements(all.groups());
    }

    private static int[] objectsOfElements(List<RepeatedGroup> groups) {
        int[] objects = new int[groups.size()];
        for (int i = 0; i < objects.length; i++) {
            RepeatedGroup group = groups.get(i);
            objects[i] += group.bare() ? 1 : group.fields().size() + 1;
            if (group.parent() >= 0) {
                objects[group.parent()]++;
            }
        }
        return objects;
    }

    /** Returns a decoder of all fields of a region's records that take bytes. */
    public static StoredRecords of(Schema stored) {
        return of(stored, List.of(), FunctionRegistry.empty());
    }

    /**
     * Returns a decoder of some fields of a region's records.
     *
     * @param select names of stored and of virtual fields, in the order in which to show them; empty for all stored
     *     fields
     * @param functions that virtual fields may call
     * @throws IllegalArgumentException if the schema has no such field
     * @throws io.millrace.expression.error.ExpressionException if a virtual field can't be computed
     */
    public static StoredRecords of(Schema stored, List<String> select, FunctionRegistry functions) {
        List<String> names = select.isEmpty()
                ? stored.outerNames()
                : select.stream().distinct().toList();
        List<String> virtual = new ArrayList<>();
        for (String name : names) {
            if (stored.virtualField(name) != null) {
                virtual.add(name);
            } else if (stored.field(name) == null && !stored.layout().isPart(name)) {
                throw new IllegalArgumentException("Unknown field '" + name + "' in schema '" + stored.name() + "'"
                        + NearestName.hint(name, stored.names()));
            }
        }
        if (virtual.isEmpty()) {
            Schema rows = stored.project(Set.copyOf(names));
            return new StoredRecords(stored, rows, null, names, rows);
        }
        // Only found records are decoded, so it is acceptable to locate all fields though virtual fields read few of
        // them.
        ComputedFields computed = ComputedFields.of(stored, virtual, functions);
        return new StoredRecords(stored, stored, computed, names, computed.schema());
    }

    /**
     * Returns a record's values by field name, each of its {@link io.millrace.schema.FieldType#javaType}, null if
     * absent.
     *
     * @param stored its stored form, from {@code at} on; if records vary in length, up to the end of the array
     * @throws FieldValueException if the bytes of a field are not a value of its type
     * @throws NoResultException if a virtual field has no result, or a record that varies in length is not a valid
     *     record
     * @throws StoreException if the record can't be read
     */
    public Map<String, @Nullable Object> decode(byte[] stored, int at) {
        return decode(stored, at, stored.length);
    }

    /** Returns the values of a record between others, which ends before {@code to}. */
    public Map<String, @Nullable Object> decode(byte[] stored, int at, int to) {
        read(stored, at, to);
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Shown field : shown) {
            values.put(field.name(), value(field, stored, at));
        }
        return values;
    }

    private @Nullable Object value(Shown field, byte[] stored, int at) {
        if (field.codec() == null) {
            return Objects.requireNonNull(field.part()).read(record, 0);
        }
        return field.at() == null
                ? field.codec().value(stored, at)
                : field.codec().value(record.added(), field.at());
    }

    /**
     * Returns a copy of a record's fields, each at the offset where its {@linkplain #codec codec} reads it in a row
     * that begins with the array; otherwise as {@link #decode(byte[], int, int)}.
     */
    public byte[] row(byte[] stored, int at, int to) {
        read(stored, at, to);
        int base = record.schema().baseLength();
        byte[] row = new byte[record.schema().recordLength()];
        System.arraycopy(stored, at, row, 0, base);
        System.arraycopy(record.added(), 0, row, base, row.length - base);
        return row;
    }

    /**
     * Returns the codec of a field in {@linkplain #row rows}.
     *
     * @param name of a field that is shown
     * @throws IllegalArgumentException if it is not
     */
    public FieldCodec codec(String name) {
        return shown.stream()
                .filter(field -> field.name().equals(name))
                .map(Shown::codec)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The query does not return field '" + name + "'."));
    }

    private void requireFewValues() {
        long values = 0;
        for (int i = 0; i < objects.length; i++) {
            values += (long) objects[i] * record.childRows().get(i).count();
        }
        if (values > MAX_VALUES) {
            throw new NoResultException("The record has " + values + " values in its lists. At most " + MAX_VALUES
                    + " can be shown. Select fewer fields.");
        }
    }

    /** Fills the batch with a record, and locates and computes its additional fields. */
    private void read(byte[] stored, int at, int to) {
        int recordAt = at + prefixLength;
        if (recordAt > to) {
            throw new StoreException(
                    "Invalid length of the value: " + (to - at) + " bytes. Expected at least " + prefixLength + ".");
        }
        layout.show(record, stored, recordAt, to);
        finder.admit(record, (_, _, reason) -> {
            throw new NoResultException(reason.detail());
        });
        requireFewValues();
        if (prefixLength > 0) {
            System.arraycopy(stored, at, record.added(), record.schema().foundLength(), prefixLength);
        }
        if (computed != null) {
            computed.compute(record);
        }
    }
}
