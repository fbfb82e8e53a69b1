package io.millrace.store.region;

import io.millrace.background.DurationText;
import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The retention of a region. The oldest blocks are removed first, each as a whole; the {@link #NEWEST_BLOCKS newest} of
 * each writer stay, because they record how far the feed is covered.
 *
 * @param age minimum time for which a value is retained, from the time it was stored; null for unlimited
 * @param bytes maximum size of the values of a region of blocks on all members, without redundant copies; null for
 *     unlimited
 */
public record Retention(@Nullable Duration age, @Nullable Long bytes) implements Serializable {

    /** Unlimited retention. */
    public static final Retention FOREVER = new Retention(null, null);

    /**
     * Number of the newest blocks of a writer that are retained whatever their age and size; more if several members
     * have some. The next writer checks for gaps in as many blocks as may have been in flight, from the block before
     * these on, and may temporarily put as many empty ones behind them: none of the blocks that it reads may be removed
     * meanwhile.
     */
    public static final int NEWEST_BLOCKS = 3 * BlockKey.MAX_IN_FLIGHT;

    /** Minimum age: expiry runs at most once a second for a region. */
    private static final Duration MIN_AGE = Duration.ofSeconds(1);

    public Retention {
        if (age != null && age.compareTo(MIN_AGE) < 0) {
            throw new IllegalArgumentException(
                    "Invalid retain.age '" + DurationText.of(age) + "'. Use " + DurationText.of(MIN_AGE) + " or more.");
        }
        if (bytes != null && bytes < 1) {
            throw new IllegalArgumentException("Invalid retain.size '" + bytes + "B'. Use 1B or more.");
        }
    }

    /** Returns whether retention ever removes values. */
    public boolean limited() {
        return age != null || bytes != null;
    }
}
