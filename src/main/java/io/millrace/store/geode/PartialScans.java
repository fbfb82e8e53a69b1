package io.millrace.store.geode;

import io.millrace.store.PartSource;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads an answer stretch by stretch. The state of a query is here and nowhere else: each time, any member that has a
 * bucket continues where the bucket's last stretch ended, so that a member may fail in between, or a bucket move.
 *
 * <p>Each bucket is read exactly once. Of two members that answer for the same bucket at a time, only the first is
 * believed, and the other's part is dropped with all of its buckets. A bucket that nobody answered for is read in a
 * later stretch, and the answer has not ended before all buckets of the region were read. Not thread-safe.
 */
final class PartialScans<P extends Serializable> implements PartSource<P> {

    /** After how long without a usable answer from any member the query fails. */
    private static final long MAX_FAILING_NANOS = 10_000_000_000L;

    private static final long SHORTEST_NANOS = 10_000_000;
    private static final long PAUSE_NANOS = 10_000_000;

    /** Queries those that have the region's buckets. */
    interface Asking<P extends Serializable> {

        /**
         * Queries them once, from these places on.
         *
         * @throws MovedException where no member's answer is of use since data moved meanwhile
         */
        List<PartialScan<P>> execute(long limit, BucketCursors from, ScanBudget slice);
    }

    private final ScanBudget slice;
    private final Asking<P> source;
    private BucketCursors reached = BucketCursors.NONE;
    /** Shorter than the slice while buckets move: a stretch should be over before the next one does. */
    private long stretchNanos;

    /** When the first of the failures in a row was, or 0 after a success. */
    private long failingSince;

    private boolean ended;

    PartialScans(ScanBudget slice, Asking<P> source) {
        this.slice = slice;
        this.source = source;
        this.stretchNanos = slice.nanos();
    }

    @Override
    public List<P> next(long limit, long nanos) {
        List<PartialScan<P>> found = execute(limit, slice.within(Math.min(nanos, stretchNanos)));
        BucketCursors before = reached;
        List<P> parts = new ArrayList<>();
        Set<Integer> answered = new HashSet<>();
        int buckets = Integer.MAX_VALUE;
        for (PartialScan<P> stretch : found) {
            buckets = stretch.buckets();
            Set<Integer> these = stretch.reached().buckets();
            if (stretch.part() != null && Collections.disjoint(answered, these)) {
                answered.addAll(these);
                reached = reached.with(stretch.reached());
                parts.add(stretch.part());
            }
        }
        ended = reached.done(buckets);
        settle(answered.size() == buckets);
        if (!ended && reached.equals(before)) {
            LockSupport.parkNanos(Math.min(nanos, PAUSE_NANOS));
        }
        return parts;
    }

    private List<PartialScan<P>> execute(long limit, ScanBudget most) {
        try {
            List<PartialScan<P>> found = source.execute(limit, reached, most);
            failingSince = 0;
            return found;
        } catch (MovedException e) {
            long now = System.nanoTime();
            failingSince = failingSince == 0 ? now : failingSince;
            if (now - failingSince > MAX_FAILING_NANOS) {
                throw e;
            }
            return List.of();
        }
    }

    private void settle(boolean complete) {
        stretchNanos = complete
                ? Math.min(slice.nanos(), 2 * stretchNanos)
                : Math.min(slice.nanos(), Math.max(SHORTEST_NANOS, stretchNanos / 4));
    }

    @Override
    public boolean ended() {
        return ended;
    }
}
