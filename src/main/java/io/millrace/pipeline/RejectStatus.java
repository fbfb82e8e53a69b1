package io.millrace.pipeline;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What share of a pipeline's records was rejected when it was last evaluated.
 *
 * @param level in lower case: {@code normal}, {@code warning} or {@code degraded}
 * @param share of the records, from 0 to 1
 * @param rejected records rejected among these
 * @param records records evaluated
 * @param reasons why records were rejected, most frequent first; those of the last evaluation that found any
 */
public record RejectStatus(String level, double share, long rejected, long records, List<Reason> reasons) {

    static final RejectStatus NONE = new RejectStatus(Level.NORMAL.tag(), 0, 0, 0, List.of());

    /** How much of its input a pipeline rejects, compared with its thresholds. */
    enum Level {
        NORMAL,
        WARNING,
        DEGRADED;

        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Rejects of one kind.
     *
     * @param reason the kind, as metrics tag it
     * @param count records rejected for it
     * @param detail of the first of these
     */
    public record Reason(String reason, long count, String detail) {

        @Override
        public String toString() {
            return "reason=" + reason + " count=" + count + " detail=\"" + detail + "\"";
        }
    }

    /** Returns whether the share reached the threshold to warn. */
    public boolean reached() {
        return !level.equals(Level.NORMAL.tag());
    }

    /** Returns numbers and reasons in one line, as logs and errors show them. */
    String describe() {
        return String.format(
                        Locale.ROOT,
                        "rejected=%d records=%d share=%.2f%% level=%s",
                        rejected,
                        records,
                        100 * share,
                        level)
                + reasons.stream().map(Reason::toString).collect(Collectors.joining("; ", " reasons: ", ""));
    }
}
