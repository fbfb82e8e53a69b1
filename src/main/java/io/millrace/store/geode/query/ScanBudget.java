package io.millrace.store.geode.query;

import io.millrace.store.query.RegionQueries;
import java.io.Serializable;

/**
 * The limits of one partial scan. Short enough that a query whose client has disconnected soon causes no more load, and
 * that its parts fit into memory; long enough that repeated calls cost little.
 *
 * <p>Clients choose it, up to a maximum that also applies to those that send more.
 *
 * @param nanos time after which a member scans no further; it scans at least one block
 * @param bytes size of the records found by a query without an order after which it scans no further
 */
public record ScanBudget(long nanos, int bytes) implements Serializable {

    private static final long MAX_NANOS = 500_000_000;
    private static final int MAX_BYTES = 32 << 20;

    static final ScanBudget USUAL = new ScanBudget(MAX_NANOS, RegionQueries.PART_BYTES);

    public ScanBudget {
        nanos = Math.clamp(nanos, 0, MAX_NANOS);
        bytes = Math.clamp(bytes, 0, MAX_BYTES);
    }

    /** Returns this budget with another size. */
    ScanBudget withBytes(int other) {
        return new ScanBudget(nanos, other);
    }

    /** Returns this budget, limited to a maximum time. */
    ScanBudget within(long maxNanos) {
        return new ScanBudget(Math.min(nanos, maxNanos), bytes);
    }
}
