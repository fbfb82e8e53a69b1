package io.millrace.expression;

/** What can be wrong with an expression. The codes are stable: scripts and tests may rely on them. */
public enum ErrorCode {
    /** The text is no expression. */
    SYNTAX("MR1001"),
    /** No field has this name. */
    UNKNOWN_FIELD("MR1002"),
    /** The operand types do not go together. */
    TYPE_MISMATCH("MR1003"),
    /** A part of SpEL that rules may not use. */
    NOT_ALLOWED("MR1004"),
    /** A condition was asked for and this is none. */
    NOT_BOOLEAN("MR1005"),
    /** The dictionary of the field does not hold this name. */
    UNKNOWN_NAME("MR1006"),
    /** Longer, deeper or with longer lists than expressions may be, or too much code to run fast. */
    TOO_LARGE("MR1007"),
    /** A constant that is no value of the field that it meets. */
    BAD_CONSTANT("MR1008"),
    /** A computed field that needs itself. */
    RECURSION("MR1009"),
    /** A value that its target field can never hold. */
    NOT_ASSIGNABLE("MR1010"),
    /** A value that can't be a key or an order. */
    NO_KEY("MR1011"),
    /** No function, or no method of such a value, has this name. */
    UNKNOWN_FUNCTION("MR1012");

    private final String code;

    ErrorCode(String code) {
        this.code = code;
    }

    /** The code, such as {@code MR1001}. */
    public String code() {
        return code;
    }
}
