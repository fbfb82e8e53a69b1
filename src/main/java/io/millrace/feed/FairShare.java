package io.millrace.feed;

/**
 * Divides a bounded capacity among senders whose number nobody knows: a sender may hold up to a share of what the
 * others leave free (a dynamic threshold, Choudhury and Hahne 1998). One sender alone gets the share of all, and each
 * sender that joins finds space, since the more the others take, the less the largest may hold. Immutable.
 *
 * @param share above 0, and at most 1, which leaves the capacity to the first who take it
 */
public record FairShare(double share) {

    /** Throws {@link IllegalArgumentException} for a share outside of its bounds. */
    public FairShare {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share=" + share + " is not above 0 and at most 1");
        }
    }

    /**
     * Returns how much one sender may hold, 0 or more, in the capacity's unit.
     *
     * @param heldByOthers how much all other senders hold, which may be more than the capacity
     */
    public long limit(long capacity, long heldByOthers) {
        return (long) (share * Math.max(0, capacity - heldByOthers));
    }

    /**
     * Returns whether a sender may hold more. One that holds nothing may where the capacity is not used up, however
     * small its share.
     *
     * @param heldByAll how much all senders hold, this one included
     * @param held how much this sender holds
     * @param added how much it is to hold in addition
     */
    public boolean admits(long capacity, long heldByAll, long held, long added) {
        return heldByAll + added <= capacity && (held == 0 || held + added <= limit(capacity, heldByAll - held));
    }
}
