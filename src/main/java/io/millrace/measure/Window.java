package io.millrace.measure;

import java.math.BigDecimal;
import java.util.Map;

/**
 * The rows of a window: records, back to back, one for each group in the order in which the groups came, the row of all
 * groups past the limit last if there is one. Not changed once it is made.
 *
 * @param start where it begins, in milliseconds since 1970
 * @param end where it ends, exclusive
 * @param firstRow how many rows the measure's windows before it had
 * @param count how many rows
 * @param rows their bytes; not copied
 * @param wide sums that are wider than their fields, which are absent in the bytes
 */
public record Window(long start, long end, long firstRow, int count, byte[] rows, Map<Place, BigDecimal> wide) {

    /** A field of a row. */
    public record Place(int row, String field) {}
}
