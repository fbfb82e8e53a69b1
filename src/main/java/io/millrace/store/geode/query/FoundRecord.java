package io.millrace.store.geode.query;

import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record that a member found in its blocks, or as an entry.
 *
 * @param blockKey key of the block, 0 for an entry
 * @param record in its {@linkplain io.millrace.store.region.StoredForm stored form}, null if none was found
 */
public record FoundRecord(long blockKey, byte @Nullable [] record) implements Serializable {

    static final FoundRecord NONE = new FoundRecord(0, null);

    /** Returns the record of the last block, as a single member would have found it, or null. */
    public static byte @Nullable [] last(List<FoundRecord> found) {
        return found.stream()
                .filter(one -> one.record() != null)
                .max(Comparator.comparingLong(FoundRecord::blockKey))
                .map(FoundRecord::record)
                .orElse(null);
    }
}
