package io.millrace.regex;

/** Thrown for a regular expression that has a mistake, needs more than an automaton, or is too large. */
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

    /**
     * Returns the position in the regular expression, in chars from 0; its length if something is missing at the end.
     */
    public int index() {
        return index;
    }

    /** Returns what is wrong. */
    public String problem() {
        return problem;
    }

    /** Returns what to do about it. */
    public String hint() {
        return hint;
    }
}
