package io.millrace.aggregate;

/**
 * One thing that is kept of each group.
 *
 * @param operation how records change it
 * @param column index of the column that it is told from; -1 where it is told from none
 * @param at where in the group's longs it lies
 */
public record Slot(Operation operation, int column, int at) {

    /** How records change what is kept, and how many longs that takes. */
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
        /** The sum of doubles, which stand in the column as numbers in their order; kept as bits. */
        SUM_REAL(1);

        private final int longs;

        Operation(int longs) {
            this.longs = longs;
        }

        /** How many longs it takes. */
        public int longs() {
            return longs;
        }

        /** Whether what records added can be taken away again, exactly. */
        boolean reversible() {
            return this == COUNT || this == COUNT_IF || this == PRESENT || this == SUM;
        }

        /** What its first long is before any record came. */
        long start() {
            return switch (this) {
                case MIN -> Long.MAX_VALUE;
                case MAX -> Long.MIN_VALUE;
                case COUNT, COUNT_IF, PRESENT, SUM, SUM_REAL -> 0;
            };
        }
    }
}
