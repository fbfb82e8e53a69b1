package io.millrace.codec.text;

import java.util.List;

/** Thrown by a {@link RowSink} that refuses a record. */
public final class InvalidRecordException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final transient List<String> reasons;

    /** @param reasons everything that is wrong with the record */
    public InvalidRecordException(List<String> reasons) {
        super(String.join(" ", reasons));
        this.reasons = List.copyOf(reasons);
    }

    /** Returns what is wrong with a record that a sink refused. */
    public static List<String> reasons(IllegalArgumentException refusal) {
        return refusal instanceof InvalidRecordException invalid
                ? invalid.reasons
                : List.of(String.valueOf(refusal.getMessage()));
    }
}
