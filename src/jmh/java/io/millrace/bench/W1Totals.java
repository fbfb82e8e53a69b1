package io.millrace.bench;

import io.millrace.codec.RawBytes;

/** Counts and sums by which two sets of trades are compared. */
final class W1Totals {

    private static final double TOLERANCE = 1e-9;

    private long records;
    private long ids;
    private long cents1;
    private long desks;
    private double notionals;

    /** Counts a trade that lies in bytes. */
    void add(byte[] bytes, int at) {
        records++;
        ids += RawBytes.getLong(bytes, at);
        cents1 += RawBytes.getLong(bytes, at + 12);
    }

    /** Counts what was computed for the trade. */
    void addComputed(long desk, double notional) {
        desks += desk;
        notionals += notional;
    }

    long records() {
        return records;
    }

    /**
     * Fails unless these are the expected ones.
     *
     * @param computed whether what was computed is compared too
     */
    void require(W1Totals expected, boolean computed) {
        boolean same = records == expected.records && ids == expected.ids && cents1 == expected.cents1;
        boolean sameComputed = !computed
                || (desks == expected.desks
                        && Math.abs(notionals - expected.notionals) <= TOLERANCE * Math.abs(expected.notionals));
        if (!same || !sameComputed) {
            throw new IllegalStateException("found " + this + ", expected " + expected);
        }
    }

    @Override
    public String toString() {
        return "records=" + records + " ids=" + ids + " cents1=" + cents1 + " desks=" + desks + " notionals="
                + notionals;
    }
}
