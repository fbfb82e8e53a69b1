package io.millrace.aggregate;

/**
 * One value stored for each group.
 *
 * @param operation by which records change it
 * @param column index of the column that it is computed from; -1 for none
 * @param at index in the group's longs
 */
public record GroupSlot(Operation operation, int column, int at) {

    /** The operation by which records change a value, and its number of longs. */
    public enum Operation {
        /** Counts records. */
        COUNT(1),
        /** Adds up a column of small numbers, such as truth values. */
        COUNT_IF(1),
        /** Counts records that have a value. */
        PRESENT(1),
        /** The smallest number. */
        MIN(1),
        /** The largest number. */
        MAX(1),
        /** The sum of whole numbers in 128 bits, the low half first. */
        SUM(2),
        /** The sum of doubles, which are in the column as numbers in their order; stored as bits. */
        SUM_REAL(1);

        private final int longs;

        Operation(int longs) {
            this.longs = longs;
        }

        /** Returns the number of longs. */
        public int longs() {
            return longs;
        }

        /** Returns whether records can be subtracted again, exactly. */
        boolean reversible() {
            return this == COUNT || this == COUNT_IF || this == PRESENT || this == SUM;
        }

        /** Returns the initial value of the first long. */
        long start() {
            return switch (this) {
                case MIN -> Long.MAX_VALUE;
                case MAX -> Long.MIN_VALUE;
                case COUNT, COUNT_IF, PRESENT, SUM, SUM_REAL -> 0;
            };
        }
    }
}
