package io.millrace.feed.radius.load;

/**
 * A histogram of durations. The width of a bucket is at most 1/32 of its values, so that percentiles are accurate to 3%
 * at any magnitude. Not thread-safe; recording allocates nothing.
 */
public final class LatencyHistogram {

    private static final int SUB_BITS = 5;
    private static final int SUB = 1 << SUB_BITS;

    private final long[] counts = new long[(Long.SIZE - SUB_BITS) * SUB];
    private long total;

    /** Records one duration. */
    public void record(long nanos) {
        counts[bucket(Math.max(0, nanos))]++;
        total++;
    }

    /** Returns the number of recorded durations. */
    public long total() {
        return total;
    }

    /**
     * Returns the duration in nanoseconds that this share of all durations, such as 0.99, did not exceed; 0 if there
     * are none.
     */
    public long percentile(double share) {
        long rank = (long) Math.ceil(share * total);
        long below = 0;
        for (int i = 0; i < counts.length; i++) {
            below += counts[i];
            if (below >= rank && total > 0) {
                return upper(i);
            }
        }
        return 0;
    }

    private static int bucket(long nanos) {
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(nanos) - SUB_BITS - 1);
        return (shift << SUB_BITS) + (int) (nanos >>> shift);
    }

    private static long upper(int bucket) {
        int shift = Math.max(0, (bucket >> SUB_BITS) - 1);
        long part = bucket - ((long) shift << SUB_BITS);
        return ((part + 1) << shift) - 1;
    }
}
