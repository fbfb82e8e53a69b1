package io.millrace.expression.error;

import org.apiguardian.api.API;

/** The kinds of mistakes in an expression. The codes are stable: scripts and tests may rely on them. */
@API(status = API.Status.STABLE)
public enum ErrorCode {
    /** The text is not a valid expression. */
    SYNTAX("MR1001"),
    /** No field has this name. */
    UNKNOWN_FIELD("MR1002"),
    /** The operator, function or method does not accept operands of these types. */
    TYPE_MISMATCH("MR1003"),
    /** The part of SpEL is not part of the language. */
    NOT_ALLOWED("MR1004"),
    /** The expression must be a condition and is not. */
    NOT_BOOLEAN("MR1005"),
    /** The dictionary of the field does not contain this name. */
    UNKNOWN_NAME("MR1006"),
    /** The expression is too long, too deeply nested, has too long a list, or compiles to too much code. */
    TOO_LARGE("MR1007"),
    /** The constant is not a valid value of the field that it is used with, or nothing can be computed with it. */
    BAD_CONSTANT("MR1008"),
    /** A computed field depends on itself. */
    RECURSION("MR1009"),
    /** The target field can never hold the value. */
    NOT_ASSIGNABLE("MR1010"),
    /** The value cannot be a key or an order. */
    NO_KEY("MR1011"),
    /** No function, or no method of such a value, has this name. */
    UNKNOWN_FUNCTION("MR1012");

    private final String code;

    ErrorCode(String code) {
        this.code = code;
    }

    /** Returns the code, such as {@code MR1001}. */
    public String code() {
        return code;
    }
}
