package io.millrace.store.region;

import io.millrace.codec.layout.RecordUpgrade;
import io.millrace.codec.layout.RowUpgrade;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.error.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the entries of a region: the bytes of a record in its {@linkplain StoredForm stored form}, and a
 * checksum. Entries of earlier versions of the schema are read as those of the newest one. An entry has no header: of
 * records of the fixed layout, its length is that of its version. If an earlier version has the same length and other
 * bytes, zeros follow the record until the length is unique. Thread-safe.
 */
public final class EntryVersions {

    /** An earlier version whose bytes must be rewritten, and the upgrades from it to the newest one. */
    private record Version(List<RowUpgrade> steps) {

        byte[] newest(byte[] entry) {
            byte[] row = entry;
            for (RowUpgrade step : steps) {
                byte[] next = new byte[step.toLength()];
                step.upgrade(row, 0, 1, next, 0);
                row = next;
            }
            return row;
        }
    }

    /** Number of bytes at the end of an entry that are its checksum. */
    public static final int CHECKSUM_LENGTH = EntryChecksum.LENGTH;

    private static final int VARYING = -1;

    private final RegionDefinition region;
    /** Versions whose bytes must be rewritten, by the length of their entries without the checksum. */
    private final Map<Integer, Version> earlier = new HashMap<>();
    /** Length of a record of the newest version; of records that vary in length {@link #VARYING}. */
    private final int recordLength;
    /** Number of bytes behind a record of the newest version: zeros and the checksum. */
    private final int trailerLength;
    /** Minimum length of an entry. */
    private final int minLength;

    private EntryVersions(RegionDefinition region) {
        this.region = region;
        minLength = StoredForms.of(region.schema()).prefixLength() + CHECKSUM_LENGTH;
        if (region.layout() != Layout.ENTRIES || region.schema().layout().variesInLength()) {
            recordLength = VARYING;
            trailerLength = CHECKSUM_LENGTH;
            return;
        }
        List<SchemaDescription> versions = new ArrayList<>(region.history());
        versions.add(SchemaDescription.of(region.schema()));
        recordLength = region.schema().recordLength();
        List<Version> known = new ArrayList<>();
        int length = versions.getFirst().recordLength();
        known.add(new Version(new ArrayList<>()));
        earlier.put(length, known.getLast());
        for (int i = 1; i < versions.size(); i++) {
            RowUpgrade step =
                    RecordUpgrade.between(versions.get(i - 1), versions.get(i)).rows();
            if (!step.sameBytes()) {
                known.forEach(version -> version.steps().add(step));
                length = versions.get(i).recordLength();
                while (earlier.containsKey(length)) {
                    length++;
                }
                known.add(new Version(new ArrayList<>()));
                earlier.put(length, known.getLast());
            }
        }
        earlier.remove(length);
        trailerLength = length - recordLength + CHECKSUM_LENGTH;
    }

    /** Returns the versions of a region's entries. */
    public static EntryVersions of(RegionDefinition region) {
        return new EntryVersions(region);
    }

    /** Returns the length of an entry of the newest version, if all records have the same length. */
    public OptionalInt entryLength() {
        return recordLength == VARYING ? OptionalInt.empty() : OptionalInt.of(recordLength + trailerLength);
    }

    /** Returns the number of bytes that an entry of the newest version has behind its record. */
    public int trailerLength() {
        return trailerLength;
    }

    /**
     * Completes an entry of the newest version.
     *
     * @param entry record, and {@link #trailerLength} bytes of zeros
     * @return the entry
     */
    public byte[] complete(Object key, byte[] entry) {
        EntryChecksum.write(key, entry);
        return entry;
    }

    /** Returns whether an entry is of the newest version. */
    public boolean isNewest(byte[] entry) {
        return !earlier.containsKey(entry.length - CHECKSUM_LENGTH);
    }

    /**
     * Returns an entry of an earlier version as one of the newest.
     *
     * @throws CorruptDataException if its checksum is wrong
     */
    public byte[] rewritten(Object key, byte[] entry) {
        byte[] row = newest(key, entry);
        return complete(key, Arrays.copyOf(row, recordLength + trailerLength));
    }

    /**
     * Checks an entry and returns the record of the newest version: the same array if nothing needs to be rewritten,
     * else a new one. The record is at its beginning: of records that vary in length, all but the last
     * {@value #CHECKSUM_LENGTH} bytes, of others as many bytes as the schema says.
     *
     * @throws CorruptDataException if its checksum is wrong
     * @throws StoreException if no known version has entries of its length
     */
    public byte[] newest(Object key, byte[] entry) {
        requireIntact(key, entry);
        return unchecked(key, entry);
    }

    /**
     * Returns the record of an entry as {@link #newest}, without a check if nothing needs to be rewritten: the caller
     * {@linkplain #requireIntact checks} the entry before it uses the record.
     */
    public byte[] unchecked(Object key, byte[] entry) {
        byte[] newest = hasNewestLength(entry) ? entry : newestIfKnown(key, entry);
        if (newest == null) {
            throw new StoreException("Invalid length of a value in region '" + region.name() + "', key '" + key + "': "
                    + (entry.length - CHECKSUM_LENGTH) + " bytes. No version of schema '"
                    + region.schema().name() + "' has records of this length.");
        }
        return newest;
    }

    /** Returns the record of the newest version as {@link #newest}, or null if no known version has this length. */
    public byte @Nullable [] newestIfKnown(Object key, byte[] entry) {
        requireIntact(key, entry);
        if (hasNewestLength(entry)) {
            return entry;
        }
        Version version = earlier.get(entry.length - CHECKSUM_LENGTH);
        return version == null ? null : version.newest(entry);
    }

    /** Returns a copy of the record in an array that {@link #newest} returned, without what is behind it. */
    public byte[] record(byte[] newest) {
        return Arrays.copyOf(newest, recordLength == VARYING ? newest.length - CHECKSUM_LENGTH : recordLength);
    }

    private boolean hasNewestLength(byte[] entry) {
        return recordLength == VARYING ? entry.length >= minLength : entry.length == recordLength + trailerLength;
    }

    /**
     * Checks an entry.
     *
     * @throws CorruptDataException if its checksum is wrong
     */
    public void requireIntact(Object key, byte[] entry) {
        if (!EntryChecksum.matches(key, entry)) {
            throw new CorruptDataException(
                    "Corrupt entry in region '" + region.name() + "', key '" + key
                            + "': invalid checksum. Restore the data folder from a copy, or stop the service, run"
                            + " 'millrace regions remove " + region.name() + " CONFIG' and read the feeds again.",
                    null);
        }
    }
}
