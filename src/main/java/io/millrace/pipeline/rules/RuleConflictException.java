package io.millrace.pipeline.rules;

/** Thrown if rules were changed by somebody else meanwhile. */
public final class RuleConflictException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final long newest;

    RuleConflictException(String pipeline, long newest) {
        super("The rules of pipeline '" + pipeline + "' have changed meanwhile: the newest version is " + newest
                + ". Compare your change with it, and repeat the request for that version.");
        this.newest = newest;
    }

    /** Returns the number of the newest version. */
    public long newest() {
        return newest;
    }
}
