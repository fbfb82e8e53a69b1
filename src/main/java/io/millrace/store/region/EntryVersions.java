package io.millrace.store.region;

import io.millrace.codec.RowUpgrade;
import io.millrace.codec.layout.RecordUpgrade;
import io.millrace.schema.SchemaDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the entries of a region as entries of the newest version of its schema. An entry has no header: of records of
 * the fixed layout, its length is that of its version. If an earlier version has the same length and other bytes, zeros
 * follow the record until the length is unique. Thread-safe.
 */
public final class EntryVersions {

    /** An earlier version whose bytes must be rewritten, and the upgrades from it to the newest one. */
    private record Version(int recordLength, List<RowUpgrade> steps) {

        byte[] newest(byte[] value) {
            byte[] row = value;
            for (RowUpgrade step : steps) {
                byte[] next = new byte[step.toLength()];
                step.upgrade(row, 0, 1, next, 0);
                row = next;
            }
            return row;
        }
    }

    /** Versions whose bytes must be rewritten, by the length of their entries. */
    private final Map<Integer, Version> earlier = new HashMap<>();
    /** Length of a record of the newest version; -1 if no entry needs to be rewritten. */
    private final int recordLength;
    /** Length of an entry of the newest version. */
    private final int entryLength;

    private EntryVersions(RegionDefinition region) {
        if (region.layout() != Layout.ENTRIES
                || region.history().isEmpty()
                || region.schema().layout().variesInLength()) {
            recordLength = -1;
            entryLength = -1;
            return;
        }
        List<SchemaDescription> versions = new ArrayList<>(region.history());
        versions.add(SchemaDescription.of(region.schema()));
        recordLength = region.schema().recordLength();
        List<Version> known = new ArrayList<>();
        int length = versions.getFirst().recordLength();
        List<RowUpgrade> steps = new ArrayList<>();
        known.add(new Version(length, steps));
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
                known.add(new Version(versions.get(i).recordLength(), new ArrayList<>()));
                earlier.put(length, known.getLast());
            }
        }
        earlier.remove(length);
        entryLength = length;
    }

    /** Returns the versions of a region's entries. */
    public static EntryVersions of(RegionDefinition region) {
        return new EntryVersions(region);
    }

    /**
     * Returns an entry as one of the newest version: the same array if nothing needs to be rewritten, also if it has a
     * length that no version has.
     */
    public byte[] newest(byte[] entry) {
        if (recordLength < 0 || (entry.length == recordLength && entry.length == entryLength)) {
            return entry;
        }
        if (entry.length == entryLength) {
            return Arrays.copyOf(entry, recordLength);
        }
        Version version = earlier.get(entry.length);
        return version == null ? entry : version.newest(entry);
    }

    /** Returns whether an entry is of the newest version. */
    public boolean isNewest(byte[] entry) {
        return recordLength < 0 || !earlier.containsKey(entry.length);
    }

    /** Returns the value to store for a record of the newest version; the same array if its length is unique. */
    public byte[] entry(byte[] row) {
        return entryLength > row.length ? Arrays.copyOf(row, entryLength) : row;
    }
}
