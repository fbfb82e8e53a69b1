package io.millrace.expression.regex;

/**
 * A regular expression that can't be used: it has a mistake, needs more than an automaton can tell, or is too large.
 */
public final class PatternException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int index;
    private final String problem;
    private final String hint;

    PatternException(int index, String problem, String hint) {
        super(problem + " at index " + index + "; " + hint);
        this.index = index;
        this.problem = problem;
        this.hint = hint;
    }

    /** Where in the regular expression, in chars counted from 0; its length where something is missing at the end. */
    public int index() {
        return index;
    }

    /** What is wrong. */
    public String problem() {
        return problem;
    }

    /** What to do about it. */
    public String hint() {
        return hint;
    }
}
