package io.millrace.store;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.tagged.TaggedFinder;
import io.millrace.schema.Schema;
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

    private final List<FieldCodec> shown;
    private final @Nullable TaggedFinder finder;
    /** What is found in a tagged record, then what was added to it; not used in the fixed layout. */
    private final byte[] row;

    private StoredRecords(List<FieldCodec> shown, @Nullable TaggedFinder finder, int rowLength) {
        this.shown = shown;
        this.finder = finder;
        this.row = new byte[rowLength];
    }

    /** Decodes all fields of a region's records. */
    public static StoredRecords of(Schema stored) {
        return of(stored, List.of());
    }

    /**
     * Decodes some fields of a region's records.
     *
     * @param select names of stored fields, in the order in which to show them; none is all
     * @throws IllegalArgumentException where one is not stored
     */
    public static StoredRecords of(Schema stored, List<String> select) {
        RecordCodec all = RecordCodec.of(stored);
        // Asked of all fields first, since a mistake is to be told with the names of all.
        List<FieldCodec> selected = select.isEmpty()
                ? all.codecs()
                : select.stream().map(all::codec).toList();
        if (stored.tagged() == null) {
            return new StoredRecords(selected, null, 0);
        }
        Schema rows = select.isEmpty() ? stored : stored.project(Set.copyOf(select));
        RecordCodec codec = RecordCodec.of(rows);
        return new StoredRecords(
                selected.stream()
                        .map(field -> codec.codec(field.field().name()))
                        .toList(),
                TaggedFinder.of(rows),
                rows.recordLength());
    }

    /**
     * A record's values by field name, each of its {@link io.millrace.schema.FieldType#javaType}, null where absent.
     *
     * @param stored its stored form, from {@code at} on; of the tagged layout up to the end of the array
     * @throws FieldValueException where the bytes of a field are no value of its type
     * @throws StoreException where a tagged record can't be read
     */
    public Map<String, @Nullable Object> decode(byte[] stored, int at) {
        byte[] fields = stored;
        int record = at;
        if (finder != null) {
            find(finder, stored, at);
            fields = row;
            record = 0;
        }
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (FieldCodec codec : shown) {
            values.put(codec.field().name(), codec.value(fields, record));
        }
        return values;
    }

    private void find(TaggedFinder found, byte[] stored, int at) {
        int addedLength = row.length - found.foundLength();
        int from = at + addedLength;
        String fault = from > stored.length
                ? "the value has " + (stored.length - at) + " bytes, fewer than the fields added to it, " + addedLength
                : found.find(stored, from, stored.length, row, 0);
        if (fault != null) {
            throw new StoreException(fault);
        }
        System.arraycopy(stored, at, row, found.foundLength(), addedLength);
    }
}
