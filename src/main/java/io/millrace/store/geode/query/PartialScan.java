package io.millrace.store.geode.query;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The result of a member for its buckets within one {@link ScanBudget}.
 *
 * @param part of the answer, found in this partial scan; null if it may be incomplete
 * @param reached progress in all of these buckets; empty if there is no part
 * @param buckets number of buckets of the region on all members
 */
public record PartialScan<P extends Serializable>(@Nullable P part, BucketCursors reached, int buckets)
        implements Serializable {

    /** Returns the result of a member that lost a bucket while it scanned: what it read may lack records. */
    static <P extends Serializable> PartialScan<P> none(int buckets) {
        return new PartialScan<>(null, BucketCursors.NONE, buckets);
    }
}
