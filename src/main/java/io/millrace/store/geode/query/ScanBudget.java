package io.millrace.store.geode.query;

import io.millrace.store.query.RegionQueries;
import java.io.Serializable;

/**
 * The limits of one partial scan. Short enough that a query whose client has disconnected soon causes no more load, and
 * that its parts fit into memory; long enough that repeated calls cost little.
 *
 * @param nanos time after which a member scans no further; it scans at least one block
 * @param bytes size of the records found by a query without an order after which it scans no further
 */
public record ScanBudget(long nanos, int bytes) implements Serializable {

    static final ScanBudget USUAL = new ScanBudget(500_000_000, RegionQueries.PART_BYTES);

    /** Returns this budget with another size. */
    ScanBudget withBytes(int other) {
        return new ScanBudget(nanos, other);
    }

    /** Returns this budget, limited to a maximum time. */
    ScanBudget within(long maxNanos) {
        return new ScanBudget(Math.min(nanos, maxNanos), bytes);
    }
}
