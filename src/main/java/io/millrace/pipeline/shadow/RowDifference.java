package io.millrace.pipeline.shadow;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How what a measure computes by a candidate differs from what it computes by the live rules. */
public enum RowDifference {
    /** By the candidate only. */
    NEW,
    /** By the live rules only. */
    MISSING,
    /** By both, with different values. */
    OTHER_VALUES;

    /** Returns the name in JSON: lower case with dashes. */
    @JsonValue
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
