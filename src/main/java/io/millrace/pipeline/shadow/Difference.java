package io.millrace.pipeline.shadow;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How the result of a candidate differs from that of the live rules, for one record. */
public enum Difference {
    /** The candidate keeps a record that the live rules drop or reject. */
    NEWLY_KEPT,
    /** The candidate drops a record that the live rules keep or reject. */
    NEWLY_DROPPED,
    /** The candidate rejects a record that the live rules keep or drop. */
    NEWLY_REJECTED,
    /** Both keep the record, but send it to different targets. */
    OTHER_TARGET,
    /** Both send the record to the same target, but with different values. */
    OTHER_VALUES;

    /** Returns the name in JSON: lower case with dashes. */
    @JsonValue
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
