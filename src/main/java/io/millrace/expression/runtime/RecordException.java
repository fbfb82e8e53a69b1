package io.millrace.expression.runtime;

import io.millrace.codec.RejectReason;

/**
 * Thrown if an expression has no result for a record. It is thrown and caught inside one generated loop, so it has no
 * stack trace. Generated code calls the static methods.
 */
public final class RecordException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final RejectReason.Kind kind;

    /**
     * Creates the failure.
     *
     * @param message what the value is and why there is no result
     */
    public RecordException(RejectReason.Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    /** Returns the kind of the reject. */
    public RejectReason.Kind kind() {
        return kind;
    }

    /** An operator does not accept the absent value of an operand. */
    public static RecordException absent(String what) {
        return new RecordException(RejectReason.Kind.EXPRESSION, what + " is absent");
    }

    /** A required target would become absent. */
    public static RecordException absentTarget(String field) {
        return new RecordException(RejectReason.Kind.OUT_OF_RANGE, field + " is required, the value is absent");
    }

    /** The bytes of a field are not a valid value of its type. */
    public static RecordException invalid(long raw, String field) {
        return new RecordException(
                RejectReason.Kind.INVALID_VALUE, field + "=" + Long.toUnsignedString(raw) + " is not a valid value");
    }

    /** A function has no result for its arguments. */
    public static RecordException noResult(String problem) {
        return new RecordException(RejectReason.Kind.EXPRESSION, problem);
    }

    /** The bytes of a text are not valid in its character set. */
    static RecordException noText(String charset) {
        return new RecordException(RejectReason.Kind.INVALID_VALUE, "the bytes of a text are not " + charset);
    }

    /** An unsigned value is past the range of long. */
    public static RecordException tooLarge(long raw, String field) {
        return new RecordException(
                RejectReason.Kind.EXPRESSION,
                field + "=" + Long.toUnsignedString(raw) + " is too large, past 2^63 - 1");
    }

    /** A computed date does not exist or is outside the range of dates. */
    static RecordException noDate(String what) {
        return new RecordException(RejectReason.Kind.EXPRESSION, what + " is no date");
    }

    /** A computed instant is outside the range of instants. */
    static RecordException noInstant(String what) {
        return new RecordException(RejectReason.Kind.EXPRESSION, what + " is no instant");
    }

    /** A computed value does not fit its target. */
    static RecordException outOfRange(String value, String field) {
        return new RecordException(RejectReason.Kind.OUT_OF_RANGE, "value " + value + " does not fit " + field);
    }
}
