package io.millrace.store;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.tagged.TaggedFinder;
import io.millrace.expression.FunctionRegistry;
import io.millrace.schema.Field;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes records from their {@linkplain StoredForm stored form}, for people to read: the one place that knows how both
 * layouts are read back. Not thread-safe.
 */
public final class StoredRecords {

    private final List<Shown> shown;
    private final @Nullable TaggedFinder finder;
    private final @Nullable ComputedFields computed;
    /** The record at hand; beside it what is found in one of the tagged layout, what was added, what is computed. */
    private final RecordBatch record;

    private final int addedLength;
    private final int[] bounds = new int[2];

    /**
     * A field to show.
     *
     * @param at of the codec's record in what lies beside the record at hand; null where the field lies in the record
     */
    private record Shown(
            String name, FieldCodec codec, @Nullable Integer at) {}

    private StoredRecords(
            Schema stored, Schema rows, @Nullable ComputedFields computed, List<String> names, Schema all) {
        this.finder = stored.tagged() == null ? null : TaggedFinder.of(rows);
        this.computed = computed;
        this.record = new RecordBatch(all);
        this.addedLength = Block.commonLength(stored);
        RecordCodec codec = RecordCodec.of(all);
        this.shown = names.stream()
                .map(name -> {
                    FieldCodec field = codec.codec(stored.field(name) == null ? ComputedFields.target(name) : name);
                    return new Shown(name, field, all.isAdded(field.field()) ? -all.baseLength() : null);
                })
                .toList();
    }

    /** Decodes all fields of a region's records that take bytes. */
    public static StoredRecords of(Schema stored) {
        return of(stored, List.of(), FunctionRegistry.empty());
    }

    /**
     * Decodes some fields of a region's records.
     *
     * @param select names of stored and of virtual fields, in the order in which to show them; none is all stored ones
     * @param functions that virtual fields may call
     * @throws IllegalArgumentException where the schema has no such field
     * @throws io.millrace.expression.ExpressionException where a virtual field can't be computed
     */
    public static StoredRecords of(Schema stored, List<String> select, FunctionRegistry functions) {
        List<String> names = select.isEmpty()
                ? stored.fields().stream().map(Field::name).toList()
                : select.stream().distinct().toList();
        List<String> virtual = new ArrayList<>();
        for (String name : names) {
            if (stored.virtualField(name) != null) {
                virtual.add(name);
            } else if (stored.field(name) == null) {
                throw new IllegalArgumentException("field=" + name + " is not in schema " + stored.name()
                        + NearestName.hint(name, stored.names()));
            }
        }
        if (virtual.isEmpty()) {
            Schema rows = stored.project(Set.copyOf(names));
            return new StoredRecords(stored, rows, null, names, rows);
        }
        // Only what is found gets decoded, so it does not matter that virtual fields read few of all that are there.
        ComputedFields computed = ComputedFields.of(stored, virtual, functions);
        return new StoredRecords(stored, stored, computed, names, computed.schema());
    }

    /**
     * A record's values by field name, each of its {@link io.millrace.schema.FieldType#javaType}, null where absent.
     *
     * @param stored its stored form, from {@code at} on; of the tagged layout up to the end of the array
     * @throws FieldValueException where the bytes of a field are no value of its type
     * @throws NoResultException where a virtual field has no result
     * @throws StoreException where a tagged record can't be read
     */
    public Map<String, @Nullable Object> decode(byte[] stored, int at) {
        return decode(stored, at, stored.length);
    }

    /** The same of a record in the midst of others, which ends before {@code to}. */
    public Map<String, @Nullable Object> decode(byte[] stored, int at, int to) {
        read(stored, at, to);
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Shown field : shown) {
            Integer beside = field.at();
            values.put(
                    field.name(),
                    beside == null
                            ? field.codec().value(stored, at)
                            : field.codec().value(record.added(), beside));
        }
        return values;
    }

    /**
     * A copy of a record's fields, each where its {@linkplain #codec codec} reads it in a row that begins with the
     * array; else as {@link #decode(byte[], int, int)}.
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
     * The codec of a field in {@linkplain #row rows}.
     *
     * @param name of a field that is shown
     * @throws IllegalArgumentException where it is not
     */
    public FieldCodec codec(String name) {
        return shown.stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("field=" + name + " is not shown"))
                .codec();
    }

    /** Shows a record in the batch, and finds and computes what lies beside it. */
    private void read(byte[] stored, int at, int to) {
        if (finder == null) {
            record.fill(stored, at, 1, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        } else {
            find(finder, stored, at, to);
        }
        if (computed != null) {
            computed.compute(record);
        }
    }

    private void find(TaggedFinder found, byte[] stored, int at, int to) {
        int from = at + addedLength;
        if (from > to) {
            throw new StoreException(
                    "the value has " + (to - at) + " bytes, fewer than the fields added to it, " + addedLength);
        }
        bounds[0] = from;
        bounds[1] = to;
        record.fill(stored, bounds, 1, RecordBatch.NO_POSITION);
        String fault = found.find(stored, from, to, record.added(), 0);
        if (fault != null) {
            throw new StoreException(fault);
        }
        System.arraycopy(stored, at, record.added(), record.schema().foundLength(), addedLength);
    }
}
