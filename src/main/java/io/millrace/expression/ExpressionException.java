package io.millrace.expression;

/**
 * An expression that can't be used. The message is one block: code and what is wrong, the expression, a caret under the
 * place, and what to do.
 */
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

    /** What kind of mistake it is. */
    public ErrorCode code() {
        return code;
    }

    /** The expression that holds the mistake: that of a computed field where the mistake lies there. */
    public String expression() {
        return expression;
    }

    /** Where in the expression, counted from 0. */
    public int position() {
        return position;
    }

    /** What is wrong, in one sentence. */
    public String problem() {
        return problem;
    }

    /** What to do about it; may be empty. */
    public String hint() {
        return hint;
    }
}
