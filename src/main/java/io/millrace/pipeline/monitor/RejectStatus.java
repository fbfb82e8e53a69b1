package io.millrace.pipeline.monitor;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The share of a pipeline's records that were rejected, as of the last evaluation: of the records of the feed, or of
 * the elements that steps have made of them, whichever share is larger.
 *
 * @param level level in lower case: {@code normal}, {@code warning} or {@code degraded}
 * @param share share of rejected records, from 0 to 1
 * @param rejected number of these records that were rejected
 * @param records number of these records
 * @param unit what they are: {@code records} or {@code elements}
 * @param reasons why records were rejected, most frequent first, from the last evaluation that found any; of all
 *     records
 */
public record RejectStatus(String level, double share, long rejected, long records, String unit, List<Reason> reasons) {

    static final String RECORDS = "records";
    static final String ELEMENTS = "elements";

    static final RejectStatus NONE = new RejectStatus(Level.NORMAL.tag(), 0, 0, 0, RECORDS, List.of());

    /** The level of a share, compared with the thresholds. */
    enum Level {
        NORMAL,
        WARNING,
        DEGRADED;

        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The rejects of one kind.
     *
     * @param reason kind of reject, as tagged in metrics
     * @param count number of records rejected for it
     * @param detail detail of the first of these records
     */
    public record Reason(String reason, long count, String detail) {

        @Override
        public String toString() {
            return "reason=" + reason + " count=" + count + " detail=\"" + detail + "\"";
        }
    }

    /** Returns whether the share reached the warning threshold. */
    public boolean reached() {
        return !level.equals(Level.NORMAL.tag());
    }

    /** Returns numbers and reasons in one line, as logs and errors show them. */
    public String describe() {
        return String.format(
                        Locale.ROOT,
                        "rejected=%d %s=%d share=%.2f%% level=%s",
                        rejected,
                        unit,
                        records,
                        100 * share,
                        level)
                + reasons.stream().map(Reason::toString).collect(Collectors.joining("; ", " reasons: ", ""));
    }
}
