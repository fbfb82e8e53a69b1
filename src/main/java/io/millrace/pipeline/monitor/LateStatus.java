package io.millrace.pipeline.monitor;

import io.millrace.pipeline.monitor.RejectStatus.Level;
import java.util.Locale;

/**
 * The share of the records of a measure that were late, as of the last evaluation.
 *
 * @param measure name of the measure
 * @param level level in lower case: {@code normal} or {@code warning}
 * @param share share of late records, from 0 to 1
 * @param late number of these records that were late
 * @param records number of these records
 */
public record LateStatus(String measure, String level, double share, long late, long records) {

    /** Returns whether the share reached the warning threshold. */
    public boolean reached() {
        return !level.equals(Level.NORMAL.tag());
    }

    /** Returns the numbers in one line, as logs show them. */
    String describe() {
        return String.format(Locale.ROOT, "late=%d records=%d share=%.2f%%", late, records, 100 * share);
    }
}
