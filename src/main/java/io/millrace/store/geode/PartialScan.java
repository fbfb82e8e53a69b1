package io.millrace.store.geode;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What a member answers for its buckets in one {@link ScanBudget}.
 *
 * @param part of the answer, found in this stretch; null where the member can't vouch for it
 * @param reached how far it came, in all of these buckets; none where there is no part
 * @param buckets how many the region has, on all members
 */
record PartialScan<P extends Serializable>(@Nullable P part, BucketCursors reached, int buckets)
        implements Serializable {

    /** The answer of a member that lost a bucket while it read: what it read may lack records. */
    static <P extends Serializable> PartialScan<P> none(int buckets) {
        return new PartialScan<>(null, BucketCursors.NONE, buckets);
    }
}
