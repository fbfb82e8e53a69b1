package io.millrace.codec.json;

import java.util.List;

/** Thrown when a JSON text is not a valid record. Has no stack trace, because feeds can deliver many of them. */
public sealed class JsonRecordException extends RuntimeException permits JsonTooLongException {

    private static final long serialVersionUID = 1;

    private final transient List<String> reasons;

    JsonRecordException(List<String> reasons) {
        super(String.join(" ", reasons), null, false, false);
        this.reasons = List.copyOf(reasons);
    }

    /** Returns all errors, in the order of the text. */
    public List<String> reasons() {
        return reasons;
    }
}
