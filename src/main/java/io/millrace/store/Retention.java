package io.millrace.store;

import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a region keeps what it was given. Of blocks the oldest go first, and as wholes; the {@link #NEWEST_BLOCKS
 * newest} of each writer stay, since they tell how far the feed is covered.
 *
 * @param age for how long a value stays at least, counted from when it was stored; null for ever
 * @param bytes how much the values of a region of blocks may have together, without copies, over all members; null for
 *     any length
 */
public record Retention(@Nullable Duration age, @Nullable Long bytes) implements Serializable {

    /** Everything is kept. */
    public static final Retention FOREVER = new Retention(null, null);

    /**
     * How many of the newest blocks of a writer stay whatever their age and size; more where several members keep some.
     * The next writer looks for gaps in as many as may have been on their way, from the block before these on, and
     * behind them it may put as many empty ones for a moment: none of what it looks at may be removed meanwhile.
     */
    public static final int NEWEST_BLOCKS = 3 * BlockKey.MAX_IN_FLIGHT;

    /** Regions are looked through once a second at most. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    public Retention {
        if (age != null && age.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("retain.age=" + age + " is below " + SHORTEST);
        }
        if (bytes != null && bytes < 1) {
            throw new IllegalArgumentException("retain.size=" + bytes + " is below 1 byte");
        }
    }

    /** Whether anything ever goes. */
    public boolean limited() {
        return age != null || bytes != null;
    }
}
