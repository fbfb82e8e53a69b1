package io.millrace.measure.plan;

import java.math.BigDecimal;
import java.util.Map;

/**
 * The rows of a window as consecutive records: one for each group, in the order in which the groups first occurred,
 * then the row of all groups over the limit if there are any. Callers must not change the bytes.
 *
 * @param start start of the window, in milliseconds since 1970
 * @param end end of the window, exclusive
 * @param firstRow number of rows in the measure's windows before this one
 * @param count number of rows
 * @param rows bytes of the rows; not copied
 * @param wide sums that exceed their fields, which are absent in the bytes
 */
public record Window(long start, long end, long firstRow, int count, byte[] rows, Map<Place, BigDecimal> wide) {

    /** A field of a row. */
    public record Place(int row, String field) {}
}
