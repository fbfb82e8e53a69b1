package io.millrace.feed;

/**
 * The stripes of a source of records that belong to one split: of each {@code count} stripes, the one with its index. A
 * stripe of a file has about a mebibyte of complete records, so a growing file keeps its stripes.
 *
 * <pre>
 * | stripe 0, split 0 | stripe 1, split 1 | stripe 2, split 0 | stripe 3, split 1 | ...
 * </pre>
 *
 * <p>The only split of a source has one stripe without an end. Positions count bytes, or records if their length is
 * given as 1. The length of a stripe is part of what commits mean: a change needs a new mark in {@link Split}.
 * Immutable.
 */
public final class Stripes {

    private static final int STRIPE_BYTES = 1 << 20;

    private final Split split;
    private final long length;

    /** @param recordLength length of a record in bytes */
    public Stripes(Split split, int recordLength) {
        this(split, recordLength, STRIPE_BYTES);
    }

    /**
     * @param recordLength length of a record in bytes
     * @param stripeBytes maximum length of a stripe, unless one record is longer
     */
    public Stripes(Split split, int recordLength, int stripeBytes) {
        this.split = split;
        this.length =
                split.count() == 1 ? Long.MAX_VALUE : (long) recordLength * Math.max(1, stripeBytes / recordLength);
    }

    /** Returns the first position of the split at or after another one. */
    public long next(long position) {
        if (split.count() == 1) {
            return position;
        }
        long stripe = position / length;
        long behind = Math.floorMod(split.index() - stripe, (long) split.count());
        return behind == 0 ? position : (stripe + behind) * length;
    }

    /** Returns the number of bytes from a position of the split to the end of its stripe. */
    public long remaining(long position) {
        return split.count() == 1 ? Long.MAX_VALUE : length - position % length;
    }

    /** Returns the number of bytes of the split before a position of the source. */
    public long before(long position) {
        if (split.count() == 1) {
            return position;
        }
        long stripe = position / length;
        long complete = (stripe + split.count() - 1 - split.index()) / split.count();
        long inStripe = stripe % split.count() == split.index() ? position % length : 0;
        return complete * length + inStripe;
    }
}
