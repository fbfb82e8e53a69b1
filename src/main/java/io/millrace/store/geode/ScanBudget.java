package io.millrace.store.geode;

import java.io.Serializable;

/**
 * How much of a query is answered at once. Short enough that a query whose client has gone soon costs nothing any more,
 * and its parts fit into memory; long enough that asking again costs little.
 *
 * @param nanos time after which a member looks at nothing more; it looks at one block at least
 * @param bytes of records found without an order from which on it looks for no more
 */
record ScanBudget(long nanos, int bytes) implements Serializable {

    static final ScanBudget USUAL = new ScanBudget(500_000_000, 4 << 20);

    /** This, or less where there is less time. */
    ScanBudget within(long most) {
        return new ScanBudget(Math.min(nanos, most), bytes);
    }
}
