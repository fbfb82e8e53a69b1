package io.millrace.feed;

import io.millrace.background.Percentage;
import java.util.function.Consumer;

/**
 * Divides a bounded capacity among an unknown number of senders: a sender may use up to a share of the capacity that
 * the others leave free (a dynamic threshold, Choudhury and Hahne 1998). A single sender may use the share of the whole
 * capacity. A new sender always finds free capacity, since the more the others use, the less the largest may use.
 * Immutable.
 *
 * @param share above 0 and at most 1; 1 leaves the capacity to the first senders that use it
 */
public record FairShare(double share) {

    /** Throws {@link IllegalArgumentException} if the share is out of range. */
    public FairShare {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("Invalid share '" + share + "'. Use a number above 0 and up to 1.");
        }
    }

    /**
     * Returns the share of a percentage such as {@code 75%}, or 1 if it is invalid.
     *
     * @param problem receives the error message
     */
    public static FairShare parse(String percentage, Consumer<String> problem) {
        double share = Percentage.parse(percentage).orElse(0);
        if (share > 0) {
            return new FairShare(share);
        }
        problem.accept("Invalid percentage '" + percentage
                + "'. Use a number above 0 and up to 100 and a percent sign, such as 75%.");
        return new FairShare(1);
    }

    /**
     * Returns how much one sender may use, 0 or more, in the unit of the capacity.
     *
     * @param heldByOthers amount used by all other senders, which may exceed the capacity
     */
    public long limit(long capacity, long heldByOthers) {
        return (long) (share * Math.max(0, capacity - heldByOthers));
    }

    /**
     * Returns whether a sender may use more. A sender that uses nothing is limited by the capacity only, however small
     * its share.
     *
     * @param heldByAll amount used by all senders, including this one
     * @param held amount used by this sender
     * @param added amount to be used in addition
     */
    public boolean admits(long capacity, long heldByAll, long held, long added) {
        return heldByAll + added <= capacity && (held == 0 || held + added <= limit(capacity, heldByAll - held));
    }
}
