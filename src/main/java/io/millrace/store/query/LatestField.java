package io.millrace.store.query;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.error.StoreException;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.RegionDefinition;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Orders the entries of a key by the {@linkplain RegionDefinition#latest() latest} field of their region: an entry with
 * an earlier value does not replace one with a later value, whichever arrives first. An entry with the same value
 * replaces it. Thread-safe; allocates the values that it compares.
 */
public final class LatestField {

    /** Reads the field of an entry of the newest version of the schema. */
    private interface Reader {
        @Nullable
        Object read(byte[] entry);
    }

    private final EntryVersions versions;
    private final Reader reader;

    private LatestField(EntryVersions versions, Reader reader) {
        this.versions = versions;
        this.reader = reader;
    }

    /**
     * Returns the latest field of a region, or null if the last entry of a key that arrives replaces the others.
     *
     * @param versions of the same definition
     */
    public static @Nullable LatestField of(RegionDefinition region, EntryVersions versions) {
        String field = region.latest();
        return field == null ? null : new LatestField(versions, reader(region.schema(), field));
    }

    private static Reader reader(Schema schema, String field) {
        Reader values = values(schema, field);
        boolean large = Objects.requireNonNull(schema.field(field)).type() instanceof FieldType.IntegerType type
                && type.storage().unsignedLong();
        // Of unsigned 64-bit integers, only those from 2^63 on are decoded as BigInteger.
        return large
                ? entry -> values.read(entry) instanceof Number value ? new BigInteger(value.toString()) : null
                : values;
    }

    private static Reader values(Schema schema, String field) {
        if (!schema.layout().variesInLength()) {
            FieldCodec codec = RecordCodec.of(schema).codec(field);
            return entry -> codec.value(entry, 0);
        }
        StoredRecords records = StoredRecords.of(schema, List.of(field), FunctionRegistry.empty());
        return entry -> {
            synchronized (records) {
                return records.decode(entry, 0, entry.length - EntryVersions.CHECKSUM_LENGTH)
                        .get(field);
            }
        };
    }

    /**
     * Requires that an entry of the newest version has a value in the field.
     *
     * @throws FieldValueException if its bytes are not a value of the field's type
     * @throws NoResultException if it varies in length and is not a valid record
     */
    public void requireValue(byte[] entry) {
        Objects.requireNonNull(reader.read(entry));
    }

    /**
     * Returns whether an entry is older than the stored one, which it does not replace then. A stored entry without a
     * valid value, from a time at which the region had no such field, is never newer.
     *
     * @param next has a {@linkplain #requireValue value}
     * @throws CorruptDataException if the stored entry is corrupt
     * @throws StoreException if the other one is corrupt, or one of them is of no known version
     */
    public boolean isOlder(Object key, byte[] next, byte[] stored) {
        Comparable<Object> now = valid(key, next);
        Comparable<Object> before = value(key, stored);
        return before != null && now != null && now.compareTo(before) < 0;
    }

    /** Returns the value of an entry that is about to be stored: a damaged one must not replace another. */
    private @Nullable Comparable<Object> valid(Object key, byte[] entry) {
        try {
            return value(key, entry);
        } catch (CorruptDataException e) {
            throw new StoreException("The entry was damaged on its way: " + e.getMessage(), e);
        }
    }

    @SuppressWarnings("unchecked") // a definition admits fields only whose values have an order
    private @Nullable Comparable<Object> value(Object key, byte[] entry) {
        byte[] newest = versions.newest(key, entry);
        try {
            return (Comparable<Object>) reader.read(newest);
        } catch (FieldValueException | NoResultException e) {
            return null;
        }
    }
}
