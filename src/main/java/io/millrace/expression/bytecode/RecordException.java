package io.millrace.expression.bytecode;

import io.millrace.codec.RejectReason;

/**
 * Says that an expression has no result for a record. Thrown and caught inside one generated loop, so it carries no
 * stack trace. The static methods are what generated code calls.
 */
final class RecordException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final RejectReason.Kind kind;

    RecordException(RejectReason.Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    RejectReason.Kind kind() {
        return kind;
    }

    /** An operator met an absent value that it has no meaning for. */
    static RecordException absent(String what) {
        return new RecordException(RejectReason.Kind.EXPRESSION, what + " is absent");
    }

    /** A required target would become absent. */
    static RecordException absentTarget(String field) {
        return new RecordException(RejectReason.Kind.OUT_OF_RANGE, field + " is required, the value is absent");
    }

    /** The bytes of a field are no value of its type. */
    static RecordException invalid(long raw, String field) {
        return new RecordException(
                RejectReason.Kind.INVALID_VALUE, field + "=" + Long.toUnsignedString(raw) + " stands for no value");
    }

    /** A function has no result for its arguments. */
    static RecordException noResult(String problem) {
        return new RecordException(RejectReason.Kind.EXPRESSION, problem);
    }

    /** The bytes of a text are none of its character set. */
    static RecordException noText(String charset) {
        return new RecordException(RejectReason.Kind.INVALID_VALUE, "the bytes of a text are none of " + charset);
    }

    /** An unsigned value is past the range of long. */
    static RecordException tooLarge(long raw, String field) {
        return new RecordException(
                RejectReason.Kind.EXPRESSION,
                field + "=" + Long.toUnsignedString(raw) + " is too large, past 2^63 - 1");
    }

    /** A computed value does not fit its target. */
    static RecordException outOfRange(String value, String field) {
        return new RecordException(RejectReason.Kind.OUT_OF_RANGE, "value " + value + " does not fit " + field);
    }
}
