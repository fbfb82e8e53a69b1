package io.millrace.store.geode.query;

import io.millrace.store.query.PartSource;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads an answer by partial scans. Only this object has the state of a query: each time, any member that hosts a
 * bucket continues where the bucket's last partial scan ended, so members may fail and buckets may move in between.
 *
 * <p>Each bucket is read exactly once. If two members answer for the same bucket at a time, only the first answer
 * counts, and the other member's part is dropped with all of its buckets. A bucket without an answer is read by a later
 * partial scan, and the answer ends only after all buckets of the region were read. Not thread-safe.
 */
public final class PartialScans<P extends Serializable> implements PartSource<P> {

    /** Time without a usable answer from any member after which the query fails. */
    private static final long MAX_FAILING_NANOS = 10_000_000_000L;

    private static final long MIN_SCAN_NANOS = 10_000_000;
    private static final long RETRY_DELAY_NANOS = 10_000_000;

    /** Queries the members that host the region's buckets. */
    public interface PartQuery<P extends Serializable> {

        /**
         * Queries them once, from these cursors on.
         *
         * @throws MovedException if no member's answer is usable because data moved meanwhile
         */
        List<PartialScan<P>> execute(long limit, BucketCursors cursors, ScanBudget budget);
    }

    private final ScanBudget budget;
    private final PartQuery<P> source;
    private BucketCursors cursors = BucketCursors.NONE;
    /** Less than the budget while buckets move: a partial scan should end before the next move. */
    private long scanNanos;

    /** Time of the first of consecutive failures, or 0 after a success. */
    private long failingSince;

    private boolean ended;

    public PartialScans(ScanBudget budget, PartQuery<P> source) {
        this.budget = budget;
        this.source = source;
        this.scanNanos = budget.nanos();
    }

    @Override
    public List<P> next(long limit, long nanos) {
        List<PartialScan<P>> found = execute(limit, budget.within(Math.min(nanos, scanNanos)));
        BucketCursors before = cursors;
        List<P> parts = new ArrayList<>();
        Set<Integer> answered = new HashSet<>();
        int buckets = Integer.MAX_VALUE;
        for (PartialScan<P> scan : found) {
            buckets = scan.buckets();
            Set<Integer> scannedBuckets = scan.reached().buckets();
            if (scan.part() != null && Collections.disjoint(answered, scannedBuckets)) {
                answered.addAll(scannedBuckets);
                cursors = cursors.with(scan.reached());
                parts.add(scan.part());
            }
        }
        ended = cursors.done(buckets);
        adaptScanTime(answered.size() == buckets);
        if (!ended && cursors.equals(before)) {
            LockSupport.parkNanos(Math.min(nanos, RETRY_DELAY_NANOS));
        }
        return parts;
    }

    private List<PartialScan<P>> execute(long limit, ScanBudget callBudget) {
        try {
            List<PartialScan<P>> found = source.execute(limit, cursors, callBudget);
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

    private void adaptScanTime(boolean complete) {
        scanNanos = complete
                ? Math.min(budget.nanos(), 2 * scanNanos)
                : Math.min(budget.nanos(), Math.max(MIN_SCAN_NANOS, scanNanos / 4));
    }

    @Override
    public boolean ended() {
        return ended;
    }
}
