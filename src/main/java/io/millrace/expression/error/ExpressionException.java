package io.millrace.expression.error;

import org.apiguardian.api.API;

/**
 * Thrown for an invalid expression. The message is one block: the code and the problem, the expression, a caret under
 * the position, and a hint.
 */
@API(status = API.Status.STABLE)
public final class ExpressionException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final String expression;
    private final int position;
    private final String problem;
    private final String hint;

    ExpressionException(ErrorCode code, String expression, int position, String problem, String hint) {
        super(block(code, expression, position, problem, hint));
        this.code = code;
        this.expression = expression;
        this.position = position;
        this.problem = problem;
        this.hint = hint;
    }

    private static String block(ErrorCode code, String expression, int position, String problem, String hint) {
        String oneLine = expression.replace('\n', ' ').replace('\r', ' ').replace('\t', ' ');
        String message =
                code.code() + ": " + problem + "\n  " + oneLine + "\n  " + " ".repeat(Math.max(0, position)) + "^";
        return hint.isEmpty() ? message : message + "\n" + hint;
    }

    /** Returns the kind of mistake. */
    public ErrorCode code() {
        return code;
    }

    /** Returns the expression that contains the mistake; that of a computed field if the mistake is there. */
    public String expression() {
        return expression;
    }

    /** Returns the position of the mistake in the expression, from 0. */
    public int position() {
        return position;
    }

    /** Returns the problem in one sentence. */
    public String problem() {
        return problem;
    }

    /** Returns what to do about it; may be empty. */
    public String hint() {
        return hint;
    }
}
